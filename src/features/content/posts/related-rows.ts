/** Reads the related rows of a post from other stores: terms, meta and the number of revisions. */
import type { Storage, Term } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import type { Context } from '../../../core/declare/context.ts'
import { editModeKey } from '../../../render/builder/records/keys.ts'
import type { DrawnContent } from '../../shared/drawn-contents.ts'
import type { MetaValues } from '../../shared/post-meta.ts'
import { type RevisionCounts, revisionType } from '../revisions/model.ts'
import { type FoundPost, findPost, type RecordType } from './model.ts'

export interface RelatedRows {
  /** By name, as responses list them. */
  readonly terms: readonly Pick<Term, 'id' | 'taxonomy' | 'slug'>[]
  /** The fields of the type, what edits the post and, in the edit context, all that revisions store. */
  readonly meta: MetaValues
  readonly revisions: RevisionCounts
}

/** In the order of the posts; the number of reads is constant. Embedded views show neither terms nor fields. */
export async function readRelatedRows(
  type: RecordType,
  storage: Storage,
  posts: readonly Pick<FoundPost, 'id'>[],
  viewContext: 'view' | 'embed' | 'edit' = 'edit',
): Promise<RelatedRows[]> {
  const ids = posts.map((post) => post.id)
  const hasTerms = viewContext !== 'embed' && type.published.taxonomies.length > 0
  const [assigned, meta, childCounts, terms] = await Promise.all([
    hasTerms ? storage.terms.of(ids) : [],
    storage.meta.read('post', ids, metaKeys(type, viewContext)),
    storage.posts.childCounts(revisionType, ids),
    hasTerms ? termsOf(storage, ids) : noTerms,
  ])
  return ids.map((id) => ({
    terms: byName(assigned.filter(({ post }) => post === id).flatMap(({ term }) => terms.get(term) ?? [])),
    meta: Object.fromEntries(meta.filter((entry) => entry.id === id).map(({ key, value }) => [key, value])),
    revisions: childCounts.find(({ parent }) => parent === id) ?? { count: 0, latest: 0 },
  }))
}

/** The edit context has what revisions store, since every write reads it. */
function metaKeys(type: RecordType, viewContext: 'view' | 'embed' | 'edit'): readonly string[] {
  if (viewContext === 'embed') return [editModeKey]
  return [...new Set([...type.meta.keys, ...(viewContext === 'edit' ? type.meta.revisionedKeys : [editModeKey])])]
}

/** Interface: responses list terms by name. */
export const byName = <T extends Pick<Term, 'id' | 'name'>>(terms: readonly T[]): readonly T[] =>
  terms.length < 2 ? terms : [...terms].sort((a, b) => compare(fold(a.name), fold(b.name)) || a.id - b.id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const noTerms: ReadonlyMap<number, Term> = new Map()

/** At the same time as their assignments: on a storage that is asked over a network, one round trip for both. */
async function termsOf(storage: Storage, posts: readonly number[]): Promise<ReadonlyMap<number, Term>> {
  if (posts.length === 0) return noTerms
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ posts, order, offset: 0, limit: Number.MAX_SAFE_INTEGER })
  return new Map(rows.map((term) => [term.id, term]))
}

/** Returns the related rows of these posts, in their order. */
export type RelatedReader = (posts: readonly Pick<FoundPost, 'id'>[]) => Promise<readonly RelatedRows[]>

/**
 * Reads the related rows of some posts of a list while their rows are read: on a remote storage both are one round trip. `begin` begins
 * with the posts that are known to be needed; `read` waits for them, and reads those of other posts.
 */
export function relatedAhead(type: RecordType, storage: Storage, viewContext: 'view' | 'embed' | 'edit') {
  const readRelated: RelatedReader = (posts) => readRelatedRows(type, storage, posts, viewContext)
  const byId = async (posts: Parameters<RelatedReader>[0]): Promise<ReadonlyMap<number, RelatedRows>> => {
    const related = posts.length > 0 ? await readRelated(posts) : []
    return new Map(related.map((one, at) => [posts[at]?.id ?? 0, one]))
  }
  let begun: ReturnType<typeof byId> | undefined
  const read: RelatedReader = async (posts) => {
    const known = (await begun) ?? new Map<number, RelatedRows>()
    const others = await byId(posts.filter(({ id }) => !known.has(id)))
    // The cast: each post is in one of them.
    return posts.map(({ id }) => (known.get(id) ?? others.get(id)) as RelatedRows)
  }
  const begin = (ids: readonly number[]): void => {
    begun = byId(ids.map((id) => ({ id })))
    // `read` throws its error.
    begun.catch(() => undefined)
  }
  return { begin, read }
}

/** The related rows of a row whose tag was made: its view needs the same. The row is the copy of one request (`findRecord`). */
const known = new WeakMap<FoundPost, RelatedRows>()

export const keepRelatedRows = (post: FoundPost, related: RelatedRows): void => void known.set(post, related)

/** The drawn content of such a row. */
const drawn = new WeakMap<FoundPost, DrawnContent>()

export const keepDrawnContent = (post: FoundPost, content: DrawnContent): void => void drawn.set(post, content)

export const knownDrawnContent = (post: FoundPost): DrawnContent | undefined => drawn.get(post)

/** `readRelatedRows` of the edit context for a single row that was kept, which has all that the other contexts show. */
export const knownRelatedRows = ([post, ...others]: readonly FoundPost[]): RelatedRows | undefined =>
  post && others.length === 0 ? known.get(post) : undefined

export async function readTerms(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, Term>> {
  if (ids.length === 0) return new Map()
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ ids, order, offset: 0, limit: ids.length })
  return new Map(rows.map((term) => [term.id, term]))
}

/** By the row of a request that changes it. */
const relatedRowsToChange = new WeakMap<FoundPost, RelatedRows>()

const changes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

type ChangeContext = Pick<Context, 'storage' | 'incoming'> & { readonly args: { readonly id?: number } }

/** The resource of the routes of one post. A change needs its related rows too: on a remote storage both are one round trip. */
export function findRecord(type: RecordType) {
  const find = findPost(type)
  const findWithRelated = async (context: ChangeContext): Promise<FoundPost> => {
    const related = readRelatedRows(type, context.storage, [{ id: context.args.id ?? 0 }])
    const [post, [known]] = await Promise.all([find(context), related])
    if (known) relatedRowsToChange.set(post, known)
    return post
  }
  return (context: ChangeContext) => (changes.has(context.incoming.method) ? findWithRelated(context) : find(context))
}

/** The related rows that `findRecord` has read, or that are stored now. */
export async function readRelatedRowsToChange(
  type: RecordType,
  storage: Storage,
  post: FoundPost,
): Promise<RelatedRows> {
  // The cast: one for each post.
  return relatedRowsToChange.get(post) ?? ((await readRelatedRows(type, storage, [post]))[0] as RelatedRows)
}
