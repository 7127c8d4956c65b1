/** Rows as they were: those that changed since, made from the stored ones by the ways back. */

import type { Compare } from '../../contract/row-order.ts'
import type { Paging } from '../../contract/storage.ts'
import { type Undo, undoneRow } from '../../contract/undo.ts'
import { sortedIndex } from '../memory/paging.ts'

type Changes = ReadonlyMap<number, readonly Undo[]>

/** The changed rows of one table. */
export class PastRows<Row extends { readonly id: number }> {
  readonly #changes: Changes
  readonly #read: (ids: readonly number[]) => Promise<readonly Row[]>
  readonly #known = new Map<number, { readonly was: Row | undefined; readonly is: Row | undefined }>()

  constructor(changes: Changes, read: (ids: readonly number[]) => Promise<readonly Row[]>) {
    this.#changes = changes
    this.#read = read
  }

  /** The ids of the rows that changed themselves, not only their meta or terms. */
  readonly ids = (): number[] => [...this.#changes].filter(([, undos]) => undos.some(hasRow)).map(([id]) => id)

  has(id: number): boolean {
    return this.#changes.get(id)?.some(hasRow) === true
  }

  /** The row as it was and as it is, of those of these ids that changed. */
  async of(ids: readonly number[]) {
    const unknown = ids.filter((id) => this.has(id) && !this.#known.has(id))
    if (unknown.length > 0) {
      const rows = new Map((await this.#read(unknown)).map((row) => [row.id, row]))
      for (const id of unknown) this.#known.set(id, { was: this.#rowThen(id, rows.get(id)), is: rows.get(id) })
    }
    return ids.flatMap((id) => this.#known.get(id) ?? [])
  }

  #rowThen(id: number, now: Row | undefined): Row | undefined {
    const then = (this.#changes.get(id) ?? []).reduce<Row | undefined>(undoneRow, now)
    return then && Object.freeze({ ...then, id })
  }
}

const hasRow = ({ row }: Undo): boolean => row !== undefined

/**
 * Returns one page of stored matches and of past ones, both in the same order. `stored` reads a page of those that did not change. Of
 * them, as many as there are past ones are read before the page: no more can be in front of them.
 */
export async function mergedPage<Row>(
  { offset, limit, total }: Paging,
  past: readonly Row[],
  compare: Compare<Row>,
  stored: (paging: Paging) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
): Promise<{ rows: Row[]; total: number }> {
  const before = Math.min(offset, past.length)
  const asked = { offset: offset - before, limit: Math.min(limit + before, Number.MAX_SAFE_INTEGER) }
  const found = await stored(total ? { ...asked, total } : asked)
  const rows = [...found.rows]
  for (const row of past) rows.splice(sortedIndex(rows, row, compare), 0, row)
  const from = before
  return { rows: rows.slice(from, Math.min(from + limit, rows.length)), total: total ? found.total + past.length : 0 }
}
