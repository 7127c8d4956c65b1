/** Compares posts of the source with the stored ones: their columns, terms and meta. */

import type { Json, PostValues, Storage } from '../../../contract/storage.ts'
import { attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { deferredKey } from '../deferred-references.ts'
import type { DocumentIds } from '../document-ids.ts'
import { countOf } from '../item-batches.ts'
import type { ItemIds } from '../item-ids.ts'
import type { ItemRows } from '../item-rows.ts'
import type { MappedItem } from '../map.ts'
import type { Rewrite } from '../media/rewrite.ts'
import { type RecordCheck, recordCheck } from './record-check.ts'

interface CheckParts {
  readonly storage: Storage
  readonly ids: ItemIds
  readonly rows: ItemRows
  readonly documents: DocumentIds
}

export async function checkItems(
  { storage, ids, rows, documents }: CheckParts,
  items: readonly MappedItem[],
  rewrite: Rewrite | undefined,
): Promise<RecordCheck[]> {
  const idOf = ({ guid }: MappedItem) => ids.ofGuid(guid) ?? 0
  const all = items.map(idOf).filter((id) => id > 0)
  const stored = new Map((await storage.posts.read(all)).map((row) => [row.id, row]))
  const meta = new Map<string, Json>()
  for (const { id, key, value } of await storage.meta.read('post', all)) meta.set(`${id} ${key}`, value)
  const terms = new Map<number, number[]>()
  for (const { post, term } of await storage.terms.of(all)) terms.set(post, [...(terms.get(post) ?? []), term])
  return items.map((item) => {
    const id = idOf(item)
    const row = stored.get(id)
    const written = rows.metaOf(item, id).filter(({ key, value }) => isCompared(key) && value !== null)
    const source = {
      row: compared(rewritten(rows.rowOf(item, ''), rewrite), item),
      meta: written.map(({ key, value }) => {
        const linked = documents.linked(key, value)
        return [key, rewrite ? rewrite.value(linked) : linked]
      }),
      terms: rows
        .termsOf(item, id, { evenEmpty: false })
        .flatMap((one) => one.terms)
        .sort(ascending),
    }
    const here = row && {
      row: compared(row, item),
      meta: written.map(({ key }) => [key, meta.get(`${id} ${key}`) ?? null]),
      terms: (terms.get(id) ?? []).sort(ascending),
    }
    return recordCheck(countOf(item.row.type), item.number, source, here)
  })
}

const ascending = (one: number, other: number) => one - other

/** What the import notes for itself, and what follows from the files of this site. */
const isCompared = (key: string) =>
  !key.startsWith('_import_') && ![deferredKey, attachedFileKey, attachmentMetadataKey].includes(key)

function rewritten(row: PostValues, rewrite: Rewrite | undefined): PostValues {
  return rewrite ? { ...row, content: rewrite.text(row.content), excerpt: rewrite.text(row.excerpt) } : row
}

/** Without the slug, which another record may have had, and the type of a file, which its content tells here. */
function compared(row: PostValues, { row: { type }, hasDates }: MappedItem): readonly Json[] {
  const texts = [row.type, row.status, row.title, row.content, row.excerpt, row.password, row.template, row.format]
  const dates = hasDates ? [row.date, row.dateGmt, row.modified, row.modifiedGmt] : []
  const ids = [row.author, row.parent, row.featuredMedia, row.menuOrder]
  const more = type === 'attachment' ? [] : [row.sticky, row.commentStatus, row.pingStatus]
  return [...texts, ...dates, ...ids, ...more]
}
