/** Exports the posts of a site as entries of a document: media, pages, posts and documents, with their revisions. */

import { blankPost } from '../../contract/fields/blank.ts'
import { postFields } from '../../contract/fields/posts.ts'
import { picked } from '../../contract/fields/stored-field.ts'
import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json, Post, Storage } from '../../contract/storage.ts'
import {
  alternativeTextKey,
  attachedFileKey,
  attachmentMetadataKey,
  autosaveSlug,
  categories,
  desiredSlugKey,
  revisionSlug,
  tags,
  trashStatusKey,
} from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import { readWindows } from '../context.ts'
import type { SiteDocument, SiteMedium, SitePost, SiteRevision } from './document.ts'
import { type EmbeddedKinds, exportedMeta, exportedTexts } from './embedded.ts'
import { blankFile, metaOf, withoutEmpty } from './entries.ts'
import type { ExportedEntry } from './exported-entries.ts'
import type { Keys } from './keys.ts'
import type { Meta } from './references.ts'
import { membersOf } from './stored-members.ts'

/** The related rows of a window of posts. */
interface RelatedRows {
  readonly keys: Keys
  readonly meta: ReadonlyMap<number, Meta>
  readonly terms: ReadonlyMap<number, readonly { readonly term: number; readonly taxonomy: string }[]>
  readonly revisions: ReadonlyMap<number, readonly Post[]>
  /** Meta keys whose values are ids, and of what. */
  readonly references: { readonly [key: string]: string }
  readonly embedded: EmbeddedKinds
}

const kinds: { readonly [type: string]: string } = lookupTable({ attachment: 'media', page: 'page', post: 'post' })

/** In the order of ids, so that equal sites have equal keys. */
export async function assignPostKeys(storage: Storage, keys: Keys, types: readonly string[]): Promise<void> {
  for await (const posts of postWindows(storage, withoutRevisions(types))) {
    for (const { id, type, slug, title } of posts)
      keys.assign('post', kinds[type] ?? 'document', id, slug || toSlug(title))
  }
}

export async function* exportPosts(
  storage: Storage,
  keys: Keys,
  types: readonly string[],
  idsInMeta: Pick<RelatedRows, 'references' | 'embedded'>,
): AsyncGenerator<ExportedEntry> {
  const entriesOf = (types: readonly string[]) => readEntries(storage, types, { keys, ...idsInMeta })
  for await (const [post, related] of entriesOf(['attachment']))
    yield { member: 'media', entry: mediumEntry(post, related) }
  for await (const [post, related] of entriesOf(['page']))
    yield { member: 'pages', entry: { ...entryOf(post, related, { isPost: false }), ...statusOf(post) } }
  for await (const [post, related] of entriesOf(['post']))
    yield { member: 'posts', entry: { ...entryOf(post, related, { isPost: true }), ...statusOf(post) } }
  const others = withoutRevisions(types).filter((type) => kinds[type] === undefined)
  for await (const [post, related] of entriesOf(others)) {
    const { type, status } = post
    yield { member: 'documents', entry: { type, status, ...entryOf(post, related, { isPost: false }) } }
  }
}

const withoutRevisions = (types: readonly string[]) => types.filter((type) => type !== 'revision')

const byId = { by: 'id', descending: false } as const

const postWindows = (storage: Storage, types: readonly string[]) =>
  readWindows<Post>(async (offset, limit) => {
    const { idsPage } = await storage.posts.query({ types, order: byId, offset, limit })
    return storage.posts.read(idsPage.map(({ id }) => id))
  })

/** An export holds this many rows at a time, revisions included. One post with more revisions is read whole. */
const rowsAtOnce = 200

async function* readEntries(
  storage: Storage,
  types: readonly string[],
  shared: Pick<RelatedRows, 'keys' | 'references' | 'embedded'>,
): AsyncGenerator<readonly [Post, RelatedRows]> {
  const windows = readWindows<number>(async (offset, limit) => {
    const { idsPage } = await storage.posts.query({ types, order: byId, offset, limit })
    return idsPage.map(({ id }) => id)
  })
  for await (const window of windows) {
    const childCounts = await storage.posts.childCounts('revision', window)
    const counts = new Map(childCounts.map(({ parent, count }) => [parent, count]))
    for (const ids of runsOf(window, (id) => 1 + (counts.get(id) ?? 0))) {
      const posts = await storage.posts.read(ids)
      const related = { ...shared, ...(await relatedOf(storage, posts)) }
      for (const post of posts) yield [post, related]
    }
  }
}

/** Splits ids where the rows would be too many. */
function* runsOf(ids: readonly number[], rowsOf: (id: number) => number): Generator<readonly number[]> {
  let run: number[] = []
  let rows = 0
  for (const id of ids) {
    if (rows > 0 && rows + rowsOf(id) > rowsAtOnce) {
      yield run
      run = []
      rows = 0
    }
    run.push(id)
    rows += rowsOf(id)
  }
  if (run.length > 0) yield run
}

async function relatedOf(
  storage: Storage,
  posts: readonly Post[],
): Promise<Pick<RelatedRows, 'meta' | 'terms' | 'revisions'>> {
  const ids = posts.map(({ id }) => id)
  const limit = Number.MAX_SAFE_INTEGER
  const query = { types: ['revision'], parents: ids, order: byId, offset: 0, limit } as const
  const { idsPage } = await storage.posts.query(query)
  const revisions = await storage.posts.read(idsPage.map(({ id }) => id))
  return {
    meta: await metaOf(storage, 'post', [...posts, ...revisions]),
    terms: Map.groupBy(await storage.terms.of(ids), ({ post }) => post),
    revisions: Map.groupBy(revisions, ({ parent }) => parent),
  }
}

type Entry = SitePost & { readonly parent?: string | null }

// The cast: storage has statuses of a document or of the interface only.
const statusOf = ({ status }: Post) => ({ status: status as NonNullable<SiteDocument['posts']>[number]['status'] })

/** Entries of posts have all members that posts use; entries of other types leave out the defaults. */
function entryOf(post: Post, related: RelatedRows, { isPost }: { readonly isPost: boolean }): Entry {
  const { keys } = related
  const { meta: allMeta, references: metaReferences } = splitMeta(related.meta.get(post.id) ?? {}, related)
  const { [trashStatusKey]: trashStatus, [desiredSlugKey]: desiredSlug, ...meta } = allMeta
  const terms = related.terms.get(post.id) ?? []
  const keysOf = (taxonomy: string) =>
    terms.filter((term) => term.taxonomy === taxonomy).map(({ term }) => keys.key('term', term) ?? '')
  const others = [...new Set(terms.map(({ taxonomy }) => taxonomy))].filter(
    (taxonomy) => taxonomy !== categories && taxonomy !== tags,
  )
  const references = {
    categories: keysOf(categories),
    tags: keysOf(tags),
    featured_media: keys.key('post', post.featuredMedia) ?? null,
    meta: { ...unlessText(trashStatusKey, trashStatus), ...unlessText(desiredSlugKey, desiredSlug), ...meta },
    meta_references: metaReferences,
  }
  return {
    ...keys.entry('post', post.id),
    // First, for readers.
    title: post.title,
    slug: post.slug,
    author: keys.key('user', post.author) ?? null,
    ...datesOf(post),
    ...exportedTexts(
      membersOf(postFields, post, isPost ? leftOutOfPosts : post.type === 'attachment' ? leftOutOfFiles : leftOut),
      related.embedded,
      keys,
    ),
    ...(isPost ? references : withoutEmpty(references)),
    ...withoutEmpty({
      parent: parentOf(post, keys),
      terms: Object.fromEntries(others.map((taxonomy) => [taxonomy, keysOf(taxonomy)])),
      revisions: (related.revisions.get(post.id) ?? []).map((revision) => revisionEntry(revision, post, related)),
    }),
    ...(typeof trashStatus === 'string' ? { status_before_trash: trashStatus } : {}),
    ...(typeof desiredSlug === 'string' ? { desired_slug: desiredSlug } : {}),
  }
}

/** Apart from meta that holds ids: a document has the references of their rows, and nothing for rows that are gone. */
function splitMeta(
  meta: Meta,
  { references: kinds, keys, embedded }: RelatedRows,
): { meta: Meta; references: { [key: string]: string } } {
  const isId = (key: string) => Object.hasOwn(kinds, key)
  const entries = Object.entries(meta).filter(([key]) => isId(key))
  const found = entries.map(([key, id]) => [key, keys.reference(kinds[key] ?? '', Number(id))] as const)
  return {
    meta: exportedMeta(Object.fromEntries(Object.entries(meta).filter(([key]) => !isId(key))), embedded, keys),
    references: Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  }
}

/** The member takes texts only: any other value stays in the meta. */
const unlessText = (key: string, value: Json | undefined): Meta =>
  value === undefined || typeof value === 'string' ? {} : { [key]: value }

// Values that entries leave out: the texts of revisions, and the title and the content of all others stay.
const leftOutOfPosts = picked(blankPost, ['mimeType', 'menuOrder'])
const { title: _title, content: _content, ...leftOut } = blankPost
const { title: _file, content: _description, ...leftOutOfFiles } = blankFile
const { excerpt: _excerpt, ...leftOutOfRevisions } = leftOut

const datesOf = ({ date, dateGmt, modified, modifiedGmt }: Post) => ({
  date,
  date_gmt: dateGmt,
  modified,
  modified_gmt: modifiedGmt,
})

/** The parent of a page is a page; other types name the kind of the parent. */
function parentOf({ type, parent }: Post, keys: Keys): string | undefined {
  const reference = keys.reference('post', parent)
  return type === 'page' ? reference?.replace(/^page\./, '') : reference
}

function mediumEntry(post: Post, related: RelatedRows): SiteMedium {
  const { meta: allMeta = {}, ...entry } = entryOf(post, related, { isPost: false })
  const { [attachedFileKey]: file, [attachmentMetadataKey]: metadata, [alternativeTextKey]: alt, ...rest } = allMeta
  const size = sizeOf(metadata, file)
  const meta = {
    ...rest,
    ...(typeof file === 'string' && file !== '' ? {} : metaUnlessAbsent(attachedFileKey, file)),
    ...(size ? {} : metaUnlessAbsent(attachmentMetadataKey, metadata)),
    ...(typeof alt === 'string' && alt !== '' ? {} : metaUnlessAbsent(alternativeTextKey, alt)),
  }
  return {
    ...entry,
    ...(post.status === 'inherit' ? {} : { status: post.status }),
    ...(typeof file === 'string' && file !== '' ? { file } : {}),
    ...size,
    ...(typeof alt === 'string' && alt !== '' ? { alt_text: alt } : {}),
    ...withoutEmpty({ meta }),
  }
}

const metaUnlessAbsent = (key: string, value: Json | undefined): Meta => (value === undefined ? {} : { [key]: value })

/** Width and height, if the metadata has no other members. */
function sizeOf(metadata: Json | undefined, file: Json | undefined): { width: number; height: number } | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined
  const { width, height, file: metadataFile, ...rest } = metadata as { readonly [name: string]: Json }
  const isPlain = Object.keys(rest).length === 0 && metadataFile === file && Number.isInteger(width)
  return isPlain && Number.isInteger(height) ? { width: Number(width), height: Number(height) } : undefined
}

function revisionEntry(revision: Post, post: Post, { keys, meta, embedded }: RelatedRows): SiteRevision {
  const defaultSlugs = [revisionSlug(post.id), autosaveSlug(post.id)]
  return {
    ...keys.id(revision.id),
    author: keys.key('user', revision.author) ?? null,
    ...datesOf(revision),
    ...exportedTexts(membersOf(postFields, revision, leftOutOfRevisions), embedded, keys),
    ...(revision.slug === defaultSlugs[1] ? { autosave: true } : {}),
    ...(defaultSlugs.includes(revision.slug) ? {} : { slug: revision.slug }),
    ...(revision.status === 'inherit' ? {} : { status: revision.status }),
    ...withoutEmpty({
      featured_media: keys.key('post', revision.featuredMedia) ?? null,
      meta: exportedMeta(meta.get(revision.id) ?? {}, embedded, keys),
    }),
  }
}
