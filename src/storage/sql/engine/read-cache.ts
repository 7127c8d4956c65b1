/** Results of reads, cached until the next committed write. */
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { evictOldest } from './statements.ts'

const MAX_ENTRIES = 500

export class ReadCache {
  readonly #values = new Map<string, unknown>()
  #version: unknown

  /** `version` differs after each write. A result is not cached if the version changes while it is read. */
  get<T>(version: unknown, key: string, read: () => MaybePromise<T>): MaybePromise<T> {
    if (version !== this.#version) {
      this.#values.clear()
      this.#version = version
    }
    // The cast: the key includes the statement, so it always has values of one type.
    if (this.#values.has(key)) return this.#values.get(key) as T
    return andThen(read(), (value) => {
      if (this.#values.size >= MAX_ENTRIES) evictOldest(this.#values)
      if (this.#version === version) this.#values.set(key, value)
      return value
    })
  }
}
