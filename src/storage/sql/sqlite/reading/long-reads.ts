/**
 * Decides which reads may be long, and so run on the reading thread. A read of a bounded number of rows never does: that costs
 * it one comparison. A search in a large file always does, because its time depends on its words. The text of a list does
 * before its time is known, and while the mean of its last runs is long.
 */
import { type Extent, evictOldest } from '../../engine/fragments.ts'

/** Above this, a statement costs the process more than the way to the thread and back. */
const longMs = 1
/** In a smaller file nothing takes long. */
const largeBytes = 4 * 1024 * 1024
/** The part of the last run in the mean: one run of a few milliseconds, in which the machine did other work, is no evidence. */
const weight = 0.25
/** A longer run counts as this, so that a text comes back from the thread after five short ones. */
const mostMs = 16
const maxTexts = 500

export class LongReads {
  readonly #means = new Map<string, number>()
  readonly #fileBytes: () => number

  constructor(fileBytes: () => number) {
    this.#fileBytes = fileBytes
  }

  has(sql: string, extent: Extent): boolean {
    if (extent !== 'search' && (this.#means.get(sql) ?? Number.POSITIVE_INFINITY) <= longMs) return false
    return this.#fileBytes() >= largeBytes
  }

  add(sql: string, ms: number): void {
    const last = Math.min(ms, mostMs)
    const mean = this.#means.get(sql)
    if (mean === undefined && this.#means.size >= maxTexts) evictOldest(this.#means)
    this.#means.set(sql, mean === undefined ? last : mean + weight * (last - mean))
  }
}
