/** Writes planned posts with their meta and terms. Rows that they refer to may follow them: those references are returned as open. */
import type { Json, Post, PostValues, Storage } from '../../../contract/storage.ts'
import { autosaveSlug, categories, revisionSlug, tags } from '../../../site/post-keys.ts'
import { type EmbeddedKinds, seededMeta, seededTexts } from '../embedded.ts'
import { idsOf } from '../given-ids.ts'
import type { PlannedPost } from '../plan-posts.ts'
import { type ReferenceIds, setIds } from './ids.ts'
import { isOpen, type OpenPost, openOf } from './open-posts.ts'

interface PostRules {
  readonly ids: ReferenceIds
  readonly embedded: EmbeddedKinds
}

/** Returns the posts that have open references. */
export async function insertPosts(
  storage: Storage,
  posts: readonly PlannedPost[],
  { ids, embedded }: PostRules,
): Promise<OpenPost[]> {
  const unlinked = posts.map((post) => isUnlinked(post, ids))
  const rows = posts.map((post, index) => writtenRow(post, { ids, embedded }, unlinked[index]))
  const inserted = await storage.posts.insert(rows, idsOf(posts))
  const open = posts.map((post, index) => openReferences(post, inserted[index] ?? 0, ids, unlinked[index]))
  setIds(ids, posts, inserted)
  const written = posts.map((post, index) => ({ post, id: inserted[index] ?? 0 }))
  await writeRelated(storage, written, { ids, embedded })
  return open.filter(isOpen)
}

/** Returns all posts, with the parents that changed as open references: whether they make a circle is checked there. */
export async function updatePosts(
  storage: Storage,
  updates: readonly { readonly post: PlannedPost; readonly row: Post }[],
  { ids, embedded }: PostRules,
): Promise<OpenPost[]> {
  const open = updates.map(({ post, row }) => {
    const references = openReferences(post, row.id, ids)
    const isMoved = post.parent !== null && ids.of(post.parent) !== row.parent
    return isMoved ? { ...references, parent: post.parent } : references
  })
  await storage.posts.update(
    updates.map(({ post, row: { id } }, index) => {
      const values = writtenRow(post, { ids, embedded })
      return { id, changes: open[index]?.parent === undefined ? values : { ...values, parent: 0 } }
    }),
  )
  await writeRelated(
    storage,
    updates.map(({ post, row: { id } }) => ({ post, id, clears: true })),
    { ids, embedded },
  )
  return open
}

/** The row with the ids that are known; 0 in place of others. Its texts have references still. */
export function postRow(
  { row, revisionOf, author, parent, featuredMedia }: PlannedPost,
  ids: ReferenceIds,
): PostValues {
  const parentId = ids.of(parent)
  const slug =
    revisionOf === undefined ? row.slug : revisionOf === 'autosave' ? autosaveSlug(parentId) : revisionSlug(parentId)
  return { ...row, slug, author: ids.of(author), parent: parentId, featuredMedia: ids.of(featuredMedia) }
}

/** Texts with references inside to rows without an id are stored as the document has them. */
function writtenRow(
  post: PlannedPost,
  { ids, embedded }: PostRules,
  staysUnlinked = isUnlinked(post, ids),
): PostValues {
  const row = postRow(post, ids)
  return staysUnlinked ? row : seededTexts(row, embedded, (reference) => ids.of(reference))
}

/** Values with references inside to rows without an id are stored as the document has them. */
export function postMeta(post: PlannedPost, { ids, embedded }: PostRules): { readonly [key: string]: Json } {
  const { values } = post.embedded
  return {
    ...post.meta,
    ...(isUnlinked(post, ids) ? values : seededMeta(values, embedded, (reference) => ids.of(reference))),
    // Null removes the id that an existing post had.
    ...Object.fromEntries(Object.entries(post.metaReferences).map(([key, target]) => [key, ids.of(target) || null])),
  }
}

const isUnlinked = ({ embedded }: PlannedPost, ids: ReferenceIds): boolean =>
  embedded.names.some((name) => ids.of(name) === 0)

/** `clears`: also the lists of categories and tags that are empty; a type may have no terms of other taxonomies. */
export function termsOf({ terms }: PlannedPost, ids: ReferenceIds, { clears = false } = {}) {
  const named = terms.map(({ taxonomy, references }) => ({ taxonomy, terms: references.map((term) => ids.of(term)) }))
  if (!clears) return named
  const empty = [categories, tags].filter((taxonomy) => !named.some((one) => one.taxonomy === taxonomy))
  return [...named, ...empty.map((taxonomy) => ({ taxonomy, terms: [] }))]
}

interface WrittenPost {
  readonly post: PlannedPost
  readonly id: number
  readonly clears?: boolean
}

async function writeRelated(storage: Storage, written: readonly WrittenPost[], rules: PostRules): Promise<void> {
  const meta = written.flatMap(({ post, id }) =>
    Object.entries(postMeta(post, rules)).map(([key, value]) => ({ id, key, value })),
  )
  if (meta.length > 0) await storage.meta.write('post', meta)
  const assigned = written.flatMap(({ post, id, clears = false }) =>
    termsOf(post, rules.ids, { clears }).map((terms) => ({ post: id, ...terms })),
  )
  if (assigned.length > 0) await storage.terms.assign(assigned)
}

function openReferences(
  post: PlannedPost,
  id: number,
  ids: ReferenceIds,
  staysUnlinked = isUnlinked(post, ids),
): OpenPost {
  const { parent, featuredMedia, metaReferences: meta, line = 0 } = post
  return openOf({ id, line, parent, featuredMedia, meta, isUnlinked: staysUnlinked }, ids)
}
