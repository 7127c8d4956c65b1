/**
 * Whether a page of a list is the same after rows have joined or left the list, or have changed the column of its order: they were and are
 * behind the page, or the page begins behind the end of the list, or the one row that moved is between the same two others.
 */
import { type Compare, postOrder } from '../../contract/row-order.ts'
import type { Post, PostQuery, Storage } from '../../contract/storage.ts'
import type { MoveWithin } from './list-reads.ts'

/** More rows are not read. */
const mostRead = 200
/** With more rows that moved, the page counts as another one. */
const mostMoves = 20

type Posts = Pick<Storage['posts'], 'query' | 'read'>
type Page = Omit<PostQuery, 'total'>

/** `posts` are read after the change. */
export async function keepsPage(
  { total, ...page }: PostQuery,
  moves: readonly MoveWithin[],
  { posts }: { readonly posts: Posts },
): Promise<boolean> {
  const left = moves.filter(({ after }) => !after).length
  const joined = moves.filter(({ before }) => !before).length
  if (total && joined !== left && !(await keepsPages(page, joined - left, posts))) return false
  if (page.limit === 0) return true
  if (moves.length > mostMoves) return false
  const compare = postOrder(page.order, page)
  const [move] = moves
  if (move?.before && move.after && moves.length === 1)
    return keepsPlace(page, { before: move.before, after: move.after, compare }, posts)
  return (await isBehindEnd(page, left, posts)) || (await areBehind(page, { moves, compare }, posts))
}

/** Whether the list has as many pages as before, where no more is shown of its total. `added`: the number of new rows. */
async function keepsPages(page: Page, added: number, posts: Posts): Promise<boolean> {
  const { pageSize = 0 } = page
  if (pageSize === 0) return false
  const { total } = await posts.query({ ...page, offset: 0, limit: 0, total: true })
  return Math.ceil(total / pageSize) === Math.ceil((total - added) / pageSize)
}

/** Whether the list has ended before the page, before and after the change. */
async function isBehindEnd(page: Page, left: number, posts: Posts): Promise<boolean> {
  const offset = page.offset - left
  if (offset < 0 || page.offset === 0) return false
  return (await posts.query({ ...page, offset, limit: 1 })).idsPage.length === 0
}

interface Moved {
  readonly moves: readonly MoveWithin[]
  readonly compare: Compare<Post>
}

/** Whether each row was and is behind the last one of the page. */
async function areBehind(page: Page, { moves, compare }: Moved, posts: Posts): Promise<boolean> {
  const end = page.offset + page.limit
  if (end > mostRead) return false
  const { idsPage } = await posts.query({ ...page, offset: end - 1, limit: 1 })
  const [last] = await posts.read(idsPage.map(({ id }) => id))
  const isBehind = (row: Post | undefined) => row === undefined || (last !== undefined && compare(last, row) < 0)
  return moves.every(({ before, after }) => isBehind(before) && isBehind(after))
}

/** Whether the one row that stays in the list is where it was, as far as the page shows. */
async function keepsPlace(
  page: Page,
  { before, after, compare }: { readonly before: Post; readonly after: Post; readonly compare: Compare<Post> },
  posts: Posts,
): Promise<boolean> {
  const { offset, limit } = page
  const end = Math.min(offset + limit, mostRead)
  const ids = (await posts.query({ ...page, offset: 0, limit: end + 1 })).idsPage.map(({ id }) => id)
  const at = ids.indexOf(after.id)
  const [first, last, above, below] = [ids[offset], ids[end - 1], ids[at - 1], ids[at + 1]]
  const rows = await posts.read([first, last, above, below].filter((id) => id !== undefined))
  const placeOf = (id: number | undefined) => {
    const row = rows.find((one) => one.id === id)
    return row === undefined ? 0 : compare(row, before)
  }
  const [wasBehind, wasAheadOf] = [(id?: number) => placeOf(id) < 0, (id?: number) => placeOf(id) > 0]
  if (at === -1 || at >= end) return offset + limit <= mostRead && wasBehind(last)
  if (at < offset) return wasAheadOf(first)
  return (above === undefined || wasBehind(above)) && (below === undefined || wasAheadOf(below))
}
