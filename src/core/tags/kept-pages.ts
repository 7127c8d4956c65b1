/**
 * Whether a page of a list is the same after one of its rows has changed the column of the order: the row is between the same two others, or
 * it is and was beside the page.
 */
import { foldedText } from '../../contract/post-filter.ts'
import { rank } from '../../contract/post-rank.ts'
import type { Post, PostQuery, Storage } from '../../contract/storage.ts'
import { compareText } from '../../contract/text-fold.ts'
import type { Reordered } from './list-reads.ts'

/** More rows are not read. */
const mostRead = 200

/** `posts` are read after the change. */
export async function keepsPage(
  { total: _, ...query }: PostQuery,
  { before, after }: Reordered,
  { posts }: Pick<Storage, 'posts'>,
): Promise<boolean> {
  const compare = comparisonOf(query.order)
  if (!compare) return false
  const { offset, limit } = query
  const end = Math.min(offset + limit, mostRead)
  const ids = (await posts.query({ ...query, offset: 0, limit: end + 1 })).idsPage.map(({ id }) => id)
  const at = ids.indexOf(after.id)
  const [first, last, above, below] = [ids[offset], ids[end - 1], ids[at - 1], ids[at + 1]]
  const rows = await posts.read([first, last, above, below].filter((id) => id !== undefined))
  // Rows of one value are in the order of something else.
  const isStrict = (id: number | undefined, sign: number) => {
    const row = rows.find((one) => one.id === id)
    return row !== undefined && compare(row, before) * sign < 0
  }
  const [wasBehind, wasAheadOf] = [(id?: number) => isStrict(id, 1), (id?: number) => isStrict(id, -1)]
  if (at === -1 || at >= end) return offset + limit <= mostRead && wasBehind(last)
  if (at < offset) return wasAheadOf(first)
  return (above === undefined || wasBehind(above)) && (below === undefined || wasAheadOf(below))
}

type Compare = (a: Post, b: Post) => number

/** Undefined: a change of the column mostly changes the order, or the order is that of the query. */
function comparisonOf(order: PostQuery['order']): Compare | undefined {
  const sign = 'descending' in order && order.descending ? -1 : 1
  switch (order.by) {
    case 'menuOrder':
      return (a, b) => sign * (a.menuOrder - b.menuOrder)
    case 'date':
      return (a, b) => sign * compareText(a.date, b.date)
    case 'title':
      return (a, b) => sign * compareText(foldedText(a).title, foldedText(b).title)
    case 'relevance': {
      const rankOf = (post: Post) => rank(foldedText(post), order.phrase, order.words)
      return (a, b) => rankOf(a) - rankOf(b) || compareText(b.date, a.date)
    }
    default:
      return undefined
  }
}
