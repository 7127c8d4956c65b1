/**
 * Lists that an answer was made from, with their queries. The tags of a list tell that it may have changed; the rows before and after
 * the change tell whether it has.
 */
import { foldedText, postFilter } from '../../contract/post-filter.ts'
import { rank } from '../../contract/post-rank.ts'
import { termFilter, userFilter } from '../../contract/row-filters.ts'
import type { Post, PostQuery, TermQuery, User, UserQuery } from '../../contract/storage.ts'
import type { StoredTerm } from '../changes/row-change.ts'

/** Lists what an answer was made from. */
export interface Sources {
  /** Leaves those of the lists out. */
  readonly tags: ReadonlySet<string>
  readonly lists: readonly ListRead[]
  /** Whether the answer names each list by one tag, or names none. */
  readonly isNamed: boolean
}

export type ListRead =
  | (Tagged & {
      readonly store: 'posts'
      readonly query: PostQuery
      /** The ids of the whole list; undefined: the query has found a part of it. */
      readonly whole?: ReadonlySet<number> | undefined
    })
  /** The tags are those of rows that change: counts and assignments have other tags. */
  | (Tagged & { readonly store: 'terms'; readonly query: TermQuery })
  /** The same; which users have posts has other tags. */
  | (Tagged & { readonly store: 'users'; readonly query: UserQuery })

interface Tagged {
  readonly tags: readonly string[]
}

/** A row before and after a transaction. */
interface Move<R> {
  readonly before?: R | undefined
  readonly after?: R | undefined
}

export interface PostMove extends Move<Post> {
  /** All its terms, or whether they have changed where not all are known. */
  readonly terms: { readonly before: readonly number[]; readonly after: readonly number[] } | 'same' | 'changed'
}

export interface Moves {
  readonly posts: readonly PostMove[]
  readonly terms: readonly Move<StoredTerm>[]
  readonly users: readonly Move<User>[]
}

/** Lists what a transaction has touched. */
export interface Touch {
  readonly tags: ReadonlySet<string>
  /** Undefined: they are not known. */
  readonly moves: Moves | undefined
}

/**
 * Whether an answer may be another one after the transaction. `isSame`: whether the transaction has found a list to be the same, with more
 * than the moves tell.
 */
export const isTouched = (
  { tags, lists }: Omit<Sources, 'isNamed'>,
  touch: Touch,
  isSame: (list: ListRead) => boolean = () => false,
): boolean => haveCommon(tags, touch.tags) || lists.some((list) => isListTouched(list, touch) && !isSame(list))

function haveCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some]
  for (const one of few) if (many.has(one)) return true
  return false
}

/** Whether the ids of the list, their order or their number may differ after these moves. */
export function isListTouched(list: ListRead, { tags, moves }: Touch): boolean {
  if (!list.tags.some((tag) => tags.has(tag))) return false
  if (!moves) return true
  switch (list.store) {
    case 'posts':
      return arePostsTouched(list, moves.posts)
    case 'terms':
      return changesRows(termsMoved(list.query, moves), termFilter(list.query), termColumns(list.query))
    case 'users':
      return changesRows(moves.users, userFilter(list.query), userColumns(list.query))
  }
}

function changesRows<R>(moves: readonly Move<R>[], filter: (row: R) => boolean, columns: readonly (keyof R)[]) {
  const matches = (row: R | undefined) => row !== undefined && filter(row)
  return moves.some(({ before, after }) => {
    const [was, is] = [matches(before), matches(after)]
    return was !== is || (was && columns.some((column) => before?.[column] !== after?.[column]))
  })
}

/** A new term gets its posts, and the terms below it, by other changes. */
const termsMoved = ({ counted, usedBy }: TermQuery, { terms }: Moves): Moves['terms'] =>
  counted || usedBy ? terms.filter(({ before }) => before !== undefined) : terms

/** A term below others decides whether they have counted terms below them; counts have their own tag. */
function termColumns({ order: { by }, counted }: TermQuery): readonly (keyof StoredTerm)[] {
  const ordered = by === 'id' || by === 'count' ? [] : [by]
  return counted === 'orBelow' ? [...ordered, 'parent'] : ordered
}

function userColumns({ order: { by } }: UserQuery): readonly (keyof User)[] {
  if (by === 'id' || by === 'ids') return []
  return [by === 'slugs' ? 'slug' : by]
}

// ---------------------------------------------------------------- posts

type PostList = Extract<ListRead, { readonly store: 'posts' }>

function arePostsTouched(list: PostList, moves: readonly PostMove[]): boolean {
  // The values of meta are not known here.
  if (list.query.search?.meta?.length) return true
  const types = new Set(list.query.types)
  return moves.some((move) => isNear(types, move) && effectOf(list, move) !== 'none')
}

/** Returns the rows that may have joined or left the list, or have another place in it; undefined: they are not known. */
export function movesWithin(list: PostList, moves: readonly PostMove[]): readonly MoveWithin[] | undefined {
  if (list.query.search?.meta?.length) return undefined
  const types = new Set(list.query.types)
  const effects = moves.map((move) => (isNear(types, move) ? effectOf(list, move) : 'none'))
  return effects.includes('unknown') ? undefined : effects.filter((effect) => typeof effect === 'object')
}

/** Most posts are of another type. */
const isNear = (types: ReadonlySet<string>, { before, after }: PostMove): boolean =>
  (before !== undefined && types.has(before.type)) || (after !== undefined && types.has(after.type))

/** A row of a list: `before` the transaction, if it was in the list then, and `after` it, if it is in the list now. */
export type MoveWithin = Move<Post>

function effectOf(list: PostList, { before, after, terms }: PostMove): 'none' | 'unknown' | MoveWithin {
  const { terms: tree, ...others } = list.query
  const known = typeof terms === 'string' ? undefined : terms
  // Terms that stay as they are decide for both rows alike.
  const condition = tree && known ? { ...others, terms: tree } : others
  const matches = (row: Post | undefined, termsOf: readonly number[] = []) =>
    row !== undefined && postFilter(condition, { termsOf: () => termsOf, metaOf: () => undefined })(row)
  const [was, is] = [matches(before, known?.before), matches(after, known?.after)]
  if (was !== is)
    return tree && !known ? 'unknown' : { before: was ? before : undefined, after: is ? after : undefined }
  return was && before && after ? effectInside(list, { before, after, terms }) : 'none'
}

/** The effect of a row that stays in the list, but for what its terms decide. */
function effectInside(
  { query, whole }: PostList,
  { before, after, terms }: { readonly before: Post; readonly after: Post; readonly terms: PostMove['terms'] },
): 'none' | 'unknown' | MoveWithin {
  // The tree may name formats beside the terms.
  if (query.terms && (terms === 'changed' || before.format !== after.format)) return 'unknown'
  // Only the terms keep such a post out of a list that has been found whole.
  if (whole && !whole.has(before.id)) return 'none'
  return changesOrder(query.order, before, after) ? { before, after } : 'none'
}

function changesOrder(order: PostQuery['order'], before: Post, after: Post): boolean {
  switch (order.by) {
    case 'ids':
    case 'id':
      return false
    case 'slugs':
      return before.slug !== after.slug
    case 'relevance':
      return before.date !== after.date || rankIn(order, before) !== rankIn(order, after)
    default:
      return before[order.by] !== after[order.by]
  }
}

const rankIn = ({ phrase, words }: Extract<PostQuery['order'], { readonly by: 'relevance' }>, post: Post): number =>
  rank(foldedText(post), phrase, words)
