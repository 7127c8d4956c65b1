/** The orders of lists, which end in the id: two rows are never equal. The SQL storages write them as expressions. */
import { foldedText } from './post-filter.ts'
import { rank } from './post-rank.ts'
import type { Post, PostOrder, PostQuery } from './storage.ts'
import { compareText } from './text-fold.ts'

export type Compare<Row> = (a: Row, b: Row) => number

/** Returns the order of a list of posts; `lists`: those that the orders `ids` and `slugs` follow. */
export function postOrder(order: PostOrder, lists: Pick<PostQuery, 'ids' | 'slugs'>): Compare<Post> {
  switch (order.by) {
    case 'ids':
      return byPosition(lists.ids, (post) => post.id)
    case 'slugs':
      return byPosition(lists.slugs, (post) => post.slug)
    case 'relevance':
      return byRelevance(order.phrase, order.words)
    case 'title':
      return byColumn((post) => foldedText(post).title, order.descending)
    case 'date':
    case 'modified':
    case 'id':
    case 'author':
    case 'parent':
    case 'slug':
    case 'menuOrder': {
      const column = order.by
      return byColumn((post) => post[column], order.descending)
    }
    default:
      throw new TypeError(`unknown field ${String((order as { by: unknown }).by)}`)
  }
}

function byPosition<T>(values: readonly T[] | undefined, column: (post: Post) => T): Compare<Post> {
  if (values === undefined) throw new TypeError('the order of a list needs that list')
  const positions = new Map<T, number>()
  for (const [position, value] of values.entries()) if (!positions.has(value)) positions.set(value, position)
  return byColumn((post) => positions.get(column(post)) ?? values.length, false)
}

function byRelevance(phrase: string, words: readonly string[]): Compare<Post> {
  const ranks = new WeakMap<Post, number>()
  const rankOf = (post: Post): number => {
    const postRank = ranks.get(post) ?? rank(foldedText(post), phrase, words)
    ranks.set(post, postRank)
    return postRank
  }
  return (a, b) => rankOf(a) - rankOf(b) || compareValues(b.date, a.date) || b.id - a.id
}

/** Sorts by one column, then by id, both in the same direction. */
export function byColumn<Row extends { readonly id: number }>(
  column: (row: Row) => number | string,
  descending: boolean,
): Compare<Row> {
  const sign = descending ? -1 : 1
  return (a, b) => sign * (compareValues(column(a), column(b)) || a.id - b.id)
}

/** Compares two numbers or two texts. */
export function compareValues(a: number | string, b: number | string): number {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}
