/**
 * Lists of posts that an answer was made from, with their queries. The tags of a list tell that it may have changed; the rows of the
 * posts before and after the change tell whether it has.
 */
import { postFilter } from '../../contract/post-filter.ts'
import type { Post, PostQuery } from '../../contract/storage.ts'

/** Lists what an answer was made from. */
export interface Sources {
  /** Leaves those of the lists out. */
  readonly tags: ReadonlySet<string>
  readonly lists: readonly ListRead[]
}

export interface ListRead {
  readonly tags: readonly string[]
  readonly query: PostQuery
}

/** A post before and after a transaction. */
export interface PostMove {
  readonly before: Post | undefined
  readonly after: Post | undefined
  /** All its terms, or whether they have changed where not all are known. */
  readonly terms: { readonly before: readonly number[]; readonly after: readonly number[] } | 'same' | 'changed'
}

/** Lists what a transaction has touched. */
export interface Touch {
  readonly tags: ReadonlySet<string>
  /** Undefined: they are not known. */
  readonly moves: readonly PostMove[] | undefined
}

/** Whether an answer may be another one after the transaction. */
export const isTouched = ({ tags, lists }: Sources, touch: Touch): boolean =>
  haveCommon(tags, touch.tags) || lists.some((list) => isListTouched(list, touch))

function haveCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some]
  for (const one of few) if (many.has(one)) return true
  return false
}

/** Whether the ids of the list, their order or their number may differ after these moves. */
function isListTouched({ tags: ofList, query }: ListRead, { tags, moves }: Touch): boolean {
  if (!ofList.some((tag) => tags.has(tag))) return false
  if (!moves) return true
  // The values of meta are not known here.
  if (query.search?.meta?.length) return true
  const types = new Set(query.types)
  return moves.some((move) => isNear(types, move) && changesList(query, move))
}

/** Most posts are of another type. */
const isNear = (types: ReadonlySet<string>, { before, after }: PostMove): boolean =>
  (before !== undefined && types.has(before.type)) || (after !== undefined && types.has(after.type))

function changesList({ terms: tree, ...query }: PostQuery, { before, after, terms }: PostMove): boolean {
  const known = typeof terms === 'string' ? { before: [], after: [] } : terms
  // Terms that stay as they are decide for both rows alike.
  const condition = tree && typeof terms !== 'string' ? { ...query, terms: tree } : query
  const matches = (row: Post | undefined, termsOf: readonly number[]) =>
    row !== undefined && postFilter(condition, { termsOf: () => termsOf, metaOf: () => undefined })(row)
  const [was, is] = [matches(before, known.before), matches(after, known.after)]
  if (was !== is) return true
  // The tree may name formats beside the terms.
  if (was && tree && (terms === 'changed' || before?.format !== after?.format)) return true
  return was && orderColumns(query.order).some((column) => before?.[column] !== after?.[column])
}

function orderColumns(order: PostQuery['order']): readonly (keyof Post)[] {
  switch (order.by) {
    case 'ids':
    case 'id':
      return []
    case 'slugs':
      return ['slug']
    case 'relevance':
      return ['title', 'excerpt', 'content', 'date']
    default:
      return [order.by]
  }
}
