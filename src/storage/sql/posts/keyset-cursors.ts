/**
 * Cursors into a long list. A page at a large offset is read from the nearest earlier cursor, so that reading it again, or
 * reading the next page, does not scan all rows before it.
 */
import type { SqlValue } from '../engine/statements.ts'

/** A row of a list: its offset and its keys. */
interface KeysetCursor {
  readonly offset: number
  /** The values of the order, then the id. */
  readonly keys: readonly SqlValue[]
}

/** Up to this offset a page is read without a cursor. */
export const MAX_PLAIN_OFFSET = 200
const MAX_CURSORS = 1000

export class KeysetCursors {
  /** Sorted by offset. */
  readonly #cursors: KeysetCursor[] = []

  /** The last cursor at or before the offset. */
  nearest(offset: number): KeysetCursor | undefined {
    return this.#cursors[this.#indexOf(offset + 1) - 1]
  }

  add(cursor: KeysetCursor): void {
    const index = this.#indexOf(cursor.offset)
    if (this.#cursors[index]?.offset === cursor.offset || this.#cursors.length >= MAX_CURSORS) return
    this.#cursors.splice(index, 0, cursor)
  }

  /** The index of the first cursor at or after the offset. */
  #indexOf(offset: number): number {
    let low = 0
    let high = this.#cursors.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#cursors[middle] as KeysetCursor).offset < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
