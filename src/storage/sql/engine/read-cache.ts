/** What a client has read before, kept as long as nobody has written since. */
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { dropOldest } from './statements.ts'

const MOST_REMEMBERED = 500

export class ReadCache {
  readonly #values = new Map<string, unknown>()
  #at: unknown

  /** `changes` differs after each write. What is read while another one ends is not kept. */
  get<T>(changes: unknown, key: string, read: () => MaybePromise<T>): MaybePromise<T> {
    if (changes !== this.#at) {
      this.#values.clear()
      this.#at = changes
    }
    // The cast: a key is made of the statement that is read, so it always stands for the same kind of value.
    if (this.#values.has(key)) return this.#values.get(key) as T
    return andThen(read(), (value) => {
      if (this.#values.size >= MOST_REMEMBERED) dropOldest(this.#values)
      if (this.#at === changes) this.#values.set(key, value)
      return value
    })
  }
}
