/** Rows kept in one order from request to request. Changes are taken in when it is read next. */
import type { Follower } from './table.ts'
import { type Compare, placeOf } from './paging.ts'

/** Above this share of the rows, sorting anew is cheaper than moving each changed row. */
const MOST_MOVED = 1 / 64

export class Sequence<Row extends { readonly id: number }> implements Follower<Row> {
  readonly #compare: Compare<Row>
  #rows: Row[] = []
  /** By id: the row that stands in the sequence, and the one that should. */
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
    if (this.#changes.size > Math.max(8, this.#rows.length * MOST_MOVED)) this.#sort()
    else for (const { before, after } of this.#changes.values()) this.#move(before, after)
    this.#changes.clear()
    return this.#rows
  }

  #sort(): void {
    const kept = this.#rows.filter((row) => !this.#changes.has(row.id))
    for (const { after } of this.#changes.values()) if (after !== undefined) kept.push(after)
    this.#rows = kept.sort(this.#compare)
  }

  #move(before: Row | undefined, after: Row | undefined): void {
    if (before !== undefined) this.#rows.splice(placeOf(this.#rows, before, this.#compare), 1)
    if (after !== undefined) this.#rows.splice(placeOf(this.#rows, after, this.#compare), 0, after)
  }
}
