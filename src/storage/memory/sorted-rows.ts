/** All rows of a table in one order, updated from the table's changes when they are next read. */
import type { Compare } from '../../contract/row-order.ts'
import { sortedIndex } from './paging.ts'

/** Above this share of changed rows, sorting all rows is cheaper than moving each changed row. */
const MAX_MOVED_SHARE = 1 / 64

export class SortedRows<Row extends { readonly id: number }> {
  readonly #compare: Compare<Row>
  #rows: Row[] = []
  /** By id: the row that is in `#rows`, and the row that should be. */
  readonly #changes = new Map<number, { readonly before: Row | undefined; after: Row | undefined }>()

  constructor(compare: Compare<Row>) {
    this.#compare = compare
  }

  change(before: Row | undefined, after: Row | undefined): void {
    const id = (before ?? after)?.id
    if (id === undefined) return
    const change = this.#changes.get(id)
    if (change === undefined) this.#changes.set(id, { before, after })
    else change.after = after
  }

  rows(): readonly Row[] {
    if (this.#changes.size > Math.max(8, this.#rows.length * MAX_MOVED_SHARE)) this.#sort()
    else for (const { before, after } of this.#changes.values()) this.#move(before, after)
    this.#changes.clear()
    return this.#rows
  }

  #sort(): void {
    const rows = this.#rows.filter((row) => !this.#changes.has(row.id))
    for (const { after } of this.#changes.values()) if (after !== undefined) rows.push(after)
    this.#rows = rows.sort(this.#compare)
  }

  #move(before: Row | undefined, after: Row | undefined): void {
    if (before !== undefined) this.#rows.splice(sortedIndex(this.#rows, before, this.#compare), 1)
    if (after !== undefined) this.#rows.splice(sortedIndex(this.#rows, after, this.#compare), 0, after)
  }
}
