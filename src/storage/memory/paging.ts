/** Sorts rows and cuts out one page, without sorting more rows than needed. */

import type { Compare } from '../../contract/row-order.ts'
import type { Paging } from '../../contract/storage.ts'

/** Up to this end of the page, an insertion sort of the first rows is cheaper than sorting all of them. */
const MAX_PARTIAL_SORT = 1000

export function pageOf<Row>(rows: Row[], compare: Compare<Row>, { offset, limit }: Paging): Row[] {
  const end = offset + limit
  if (end > MAX_PARTIAL_SORT || end * 8 > rows.length) return rows.sort(compare).slice(offset, end)
  const first: Row[] = []
  for (const row of rows) {
    if (first.length === end) {
      const last = first.at(-1)
      if (last === undefined || compare(row, last) >= 0) continue
      first.pop()
    }
    first.splice(sortedIndex(first, row, compare), 0, row)
  }
  return first.slice(offset, end)
}

/** The requested page of rows that are sorted already. */
export function scanSorted<Row>(
  sorted: readonly Row[],
  query: Paging,
  descending: boolean,
  filter: (row: Row) => boolean,
): { rows: Row[]; total: number } {
  const rows: Row[] = []
  const end = query.offset + query.limit
  let matches = 0
  for (let at = 0; at < sorted.length && (query.total || matches < end); at++) {
    const row = sorted[descending ? sorted.length - 1 - at : at] as Row
    if (!filter(row)) continue
    if (matches >= query.offset && matches < end) rows.push(row)
    matches++
  }
  return { rows, total: query.total ? matches : 0 }
}

/** Finds the index of a row among sorted rows, or the index at which to insert it. */
export function sortedIndex<Row>(rows: readonly Row[], row: Row, compare: Compare<Row>): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(rows[middle] as Row, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}
