/** Puts rows in order and cuts a window out of them, without sorting more than it has to. */
import { compareText } from '../../site/text-fold.ts'

export type Compare<Row> = (a: Row, b: Row) => number

export interface Window {
  readonly offset: number
  readonly limit: number
}

/** Above this, keeping the best rows in order while reading costs more than sorting all of them. */
const MOST_KEPT = 1000

export function windowOf<Row>(rows: Row[], compare: Compare<Row>, window: Window): Row[] {
  const end = window.offset + window.limit
  if (end > MOST_KEPT || end * 8 > rows.length) return rows.sort(compare).slice(window.offset, end)
  const best: Row[] = []
  for (const row of rows) {
    if (best.length === end) {
      const worst = best.at(-1)
      if (worst === undefined || compare(row, worst) >= 0) continue
      best.pop()
    }
    best.splice(placeOf(best, row, compare), 0, row)
  }
  return best.slice(window.offset, end)
}

/** Where a row stands or would stand among rows in order. */
export function placeOf<Row>(rows: readonly Row[], row: Row, compare: Compare<Row>): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(rows[middle] as Row, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** By one column, then by id, both in the same direction. */
export function byColumn<Row extends { readonly id: number }>(
  column: (row: Row) => number | string,
  descending: boolean,
): Compare<Row> {
  const sign = descending ? -1 : 1
  return (a, b) => sign * (compareValues(column(a), column(b)) || a.id - b.id)
}

/** Of two numbers or two texts. */
export function compareValues(a: number | string, b: number | string): number {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}
