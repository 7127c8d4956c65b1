/**
 * References of stored posts to rows that had no id when the posts were written. They are completed when the rows have one. A
 * stream that may end early, or go on in a later file, notes them in the meta of the posts.
 */
import type { Json, Storage } from '../../../contract/storage.ts'
import { type EmbeddedKinds, seededMeta, seededTexts } from '../embedded.ts'
import type { Reference } from '../references.ts'
import type { ReferenceIds } from './ids.ts'

/** The references that one post waits for. */
export interface OpenReferences {
  readonly parent?: Reference | null
  readonly featuredMedia?: Reference | null
  /** By the meta key that gets the id. */
  readonly meta?: { readonly [key: string]: Reference }
  /** Meta or texts have references inside, which are written as ids when all rows are there. */
  readonly isUnlinked?: boolean
}

export interface OpenPost extends OpenReferences {
  readonly id: number
  /** The line of the file that it began at; 0: not known. */
  readonly line: number
}

interface Completion {
  readonly ids: ReferenceIds
  /** The meta key of notes. Default: there are none. */
  readonly noteKey?: string
  /** Called for a post that would be below itself, which gets no parent. Default: the document was checked before. */
  readonly onCircle?: (post: OpenPost) => void
}

export const isOpen = ({ parent, featuredMedia, meta, isUnlinked }: OpenReferences): boolean =>
  !!parent || !!featuredMedia || meta !== undefined || isUnlinked === true

/** Writes the ids that are known by now. Returns the posts that have still open references. */
export async function completeReferences(
  storage: Storage,
  posts: readonly OpenPost[],
  { ids, noteKey, onCircle }: Completion,
): Promise<OpenPost[]> {
  const wanted = new Map(posts.map((post) => [post, ids.of(post.parent ?? null)] as const).filter(([, id]) => id > 0))
  // Together: most parents lie below nothing.
  const above = onCircle && wanted.size > 0 ? await storage.posts.read([...new Set(wanted.values())]) : []
  const stored = new Map(above.map((post) => [post.id, post.parent]))
  const parents = new Map<number, number>()
  for (const [post, parent] of wanted) {
    const parentOf = async (id: number) =>
      parents.get(id) ?? stored.get(id) ?? (await storage.posts.read([id]))[0]?.parent ?? 0
    if (onCircle && (await isDescendant(parent, post.id, parentOf))) onCircle(post)
    else parents.set(post.id, parent)
  }
  const updates = posts.flatMap(({ id, featuredMedia = null }) => {
    const columns = { parent: parents.get(id) ?? 0, featuredMedia: ids.of(featuredMedia) }
    const known = Object.entries(columns).filter(([, value]) => value > 0)
    return known.length > 0 ? [{ id, changes: Object.fromEntries(known) }] : []
  })
  const found = posts.flatMap(({ id, meta = {} }) =>
    Object.entries(meta).map(([key, target]) => ({ id, key, value: ids.of(target) })),
  )
  const remaining = posts.map((post) => openOf(post, ids))
  const notes =
    noteKey === undefined ? [] : remaining.map((post) => ({ id: post.id, key: noteKey, value: noteOf(post) }))
  if (updates.length > 0) await storage.posts.update(updates)
  const entries = [...found.filter(({ value }) => value > 0), ...notes]
  if (entries.length > 0) await storage.meta.write('post', entries)
  return remaining.filter(isOpen)
}

/**
 * Writes ids in place of the references inside meta and texts, 0 for rows that `idOf` does not find. With `touches` each
 * post gets a new version, also one of which only the meta changes.
 */
export async function linkEmbedded(
  storage: Storage,
  posts: readonly number[],
  embedded: EmbeddedKinds,
  idOf: (reference: Reference) => number,
  { touches = false } = {},
): Promise<void> {
  const stored = await storage.meta.read('post', posts, Object.keys(embedded.meta))
  const linked = stored.map(({ id, key, value }) => {
    const { [key]: withIds = value } = seededMeta({ [key]: value }, embedded, idOf)
    return { id, key, value: withIds }
  })
  if (linked.length > 0) await storage.meta.write('post', linked)
  const changed = (await storage.posts.read(posts)).flatMap((post) => {
    const { content, excerpt } = seededTexts(post, embedded, idOf)
    const changes = {
      ...(content === post.content ? {} : { content }),
      ...(excerpt === post.excerpt ? {} : { excerpt }),
    }
    return Object.keys(changes).length > 0 ? [{ id: post.id, changes }] : []
  })
  if (changed.length > 0) await storage.posts.update(changed)
  // By themselves: equal changes are one statement.
  const texts = new Set(changed.map(({ id }) => id))
  const untouched = touches ? posts.filter((id) => !texts.has(id)) : []
  if (untouched.length > 0) await storage.posts.update(untouched.map((id) => ({ id, changes: {} })))
}

/** Leaves out the references to rows that have an id. */
export function openOf(
  { id, line, parent, featuredMedia, meta = {}, isUnlinked }: OpenPost,
  ids: ReferenceIds,
): OpenPost {
  const isUnknown = (reference: Reference) => ids.of(reference) === 0
  const open = Object.entries(meta).filter(([, target]) => isUnknown(target))
  return {
    ...{ id, line },
    ...(parent && isUnknown(parent) ? { parent } : {}),
    ...(featuredMedia && isUnknown(featuredMedia) ? { featuredMedia } : {}),
    ...(open.length > 0 ? { meta: Object.fromEntries(open) } : {}),
    ...(isUnlinked ? { isUnlinked } : {}),
  }
}

/** Whether a post is the other one or below it. */
async function isDescendant(post: number, other: number, parentOf: (id: number) => Promise<number>): Promise<boolean> {
  const seen = new Set<number>()
  for (let at = post; at > 0 && !seen.has(at); ) {
    if (at === other) return true
    seen.add(at)
    at = await parentOf(at)
  }
  return false
}

/** Null: nothing is open. */
const noteOf = ({ id: _, line: _line, ...references }: OpenPost): Json =>
  // The cast: references are texts and maps of texts.
  isOpen(references) ? (references as Json) : null
