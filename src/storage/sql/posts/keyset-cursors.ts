/**
 * Places in a long list that were come to before. A window far behind is read from the nearest of them on, so that neither
 * the same page again nor the one after it walks past all rows before.
 */

import type { SqlValue } from '../engine/statements.ts'
import type { PostQueryShape } from './query-shape.ts'

/** Where a row stands in its list. */
export interface KeysetCursor {
  readonly offset: number
  /** What the list is ordered by, and the id. */
  readonly keys: readonly SqlValue[]
}

/** Rows that are walked past without more ado. */
export const FEW_PASSED = 200
const MOST_ANCHORS = 1000

/** Lists that are walked along an index. All others are sorted whole, whichever window is asked for. */
export const hasCursors = ({ branches, order }: PostQueryShape): boolean =>
  branches !== undefined && 'descending' in order

export class KeysetCursors {
  /** By offset. */
  readonly #list: KeysetCursor[] = []

  /** The last one that does not lie behind the offset. */
  before(offset: number): KeysetCursor | undefined {
    return this.#list[this.#placeOf(offset + 1) - 1]
  }

  add(anchor: KeysetCursor): void {
    const place = this.#placeOf(anchor.offset)
    if (this.#list[place]?.offset === anchor.offset || this.#list.length >= MOST_ANCHORS) return
    this.#list.splice(place, 0, anchor)
  }

  /** Of the first one at or behind the offset. */
  #placeOf(offset: number): number {
    let [low, high] = [0, this.#list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#list[middle] as KeysetCursor).offset < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
