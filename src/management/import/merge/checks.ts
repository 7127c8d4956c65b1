/** Compares posts of the source with the stored ones: their columns, terms and meta. */

import type { Json, PostValues, Storage } from '../../../contract/storage.ts'
import { attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { type EmbeddedKinds, seededMeta, seededTexts } from '../../transfer/embedded.ts'
import type { ReferenceIds } from '../../transfer/write/ids.ts'
import { postMeta, postRow, termsOf } from '../../transfer/write/posts.ts'
import type { ImportedPost } from '../entries/posts.ts'
import type { MediaRewrite } from '../media/rewrite.ts'
import { type CheckedPost, countOf } from './posts.ts'
import { type RecordCheck, recordCheck } from './record-check.ts'

interface CheckOptions {
  readonly storage: Storage
  readonly ids: ReferenceIds
  readonly embedded: EmbeddedKinds
  readonly rewrite: MediaRewrite | undefined
}

export async function checkPosts(
  posts: readonly CheckedPost[],
  { storage, ids, embedded, rewrite }: CheckOptions,
): Promise<RecordCheck[]> {
  const all = posts.flatMap(({ id }) => (id > 0 ? [id] : []))
  const stored = new Map((await storage.posts.read(all)).map((row) => [row.id, row]))
  const meta = new Map<string, Json>()
  for (const { id, key, value } of await storage.meta.read('post', all)) meta.set(`${id} ${key}`, value)
  const terms = Map.groupBy(await storage.terms.of(all), ({ post }) => post)
  return posts.map(({ item, post, id }) => {
    const idOf = (reference: string) => ids.of(reference)
    const linked = seededMeta(post.embedded.values, embedded, idOf)
    const written = Object.entries({ ...postMeta(post, { ids, embedded }), ...linked }).filter(isCompared)
    const source = {
      row: compared(rewritten(seededTexts(postRow(post, ids), embedded, idOf), rewrite), item),
      meta: written.map(([key, value]) => [key, rewrite ? rewrite.value(value) : value]),
      terms: termsOf(post, ids)
        .flatMap((one) => one.terms)
        .sort(ascending),
    }
    const row = stored.get(id)
    const here = row && {
      row: compared(row, item),
      meta: written.map(([key]) => [key, meta.get(`${id} ${key}`) ?? null]),
      terms: (terms.get(id) ?? []).map(({ term }) => term).sort(ascending),
    }
    return recordCheck(countOf(item.type), item.number, source, here)
  })
}

const ascending = (one: number, other: number) => one - other

/** Notes of the import, and values that follow from the files of this site, are not compared. */
const isCompared = ([key, value]: readonly [string, Json]) =>
  value !== null && !key.startsWith('_import_') && key !== attachedFileKey && key !== attachmentMetadataKey

function rewritten(row: PostValues, rewrite: MediaRewrite | undefined): PostValues {
  return rewrite ? { ...row, content: rewrite.text(row.content), excerpt: rewrite.text(row.excerpt) } : row
}

/** Without the slug, which another record may have had, and the type of a file, which its content tells here. */
function compared(row: PostValues, { type, hasDates }: ImportedPost): readonly Json[] {
  const texts = [row.type, row.status, row.title, row.content, row.excerpt, row.password, row.template, row.format]
  const dates = hasDates ? [row.date, row.dateGmt, row.modified, row.modifiedGmt] : []
  const ids = [row.author, row.parent, row.featuredMedia, row.menuOrder]
  const more = type === 'attachment' ? [] : [row.sticky, row.commentStatus, row.pingStatus]
  return [...texts, ...dates, ...ids, ...more]
}
