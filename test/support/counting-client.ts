/** A client of `pg` that counts how often a request waits for the server. */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Storage } from '../../src/contract/storage.ts'

export interface Counted {
  /**
   * The round trips of the longest chain of statements that waited for one another: a statement is one further than all whose
   * answers had come when it was sent.
   */
  trips: number
  statements: number
}

/** A transaction that has waited for another one goes on where that one ends: here it counts as its own. */
export function inOwnContext(storage: Storage): Storage {
  const { atomic } = storage
  if (!atomic) return storage
  return {
    ...storage,
    atomic: (work, options) => {
      const inside = AsyncLocalStorage.snapshot()
      return atomic((transaction) => inside(work, transaction), options)
    },
  }
}

/** Counts the statements of one piece of work, not those of background tasks and other requests beside it. */
export class RoundTrips {
  readonly #context = new AsyncLocalStorage<Counted>()
  /** Called with the text of each statement. */
  watch: (text: string) => void = () => undefined

  /** The class of clients that are counted here, for a pool. */
  readonly Client = this.#countingClient()

  async count<T>(work: () => Promise<T>): Promise<Counted & { readonly result: T }> {
    const counted: Counted = { trips: 0, statements: 0 }
    const result = await this.#context.run(counted, work)
    return { ...counted, result }
  }

  #countingClient(): typeof pg.Client {
    const current = () => this.#context.getStore()
    const watch = (text: string) => this.watch(text)
    return class extends pg.Client {
      // biome-ignore lint/suspicious/noExplicitAny: it passes on the arguments of all overloads of pg, and has the result of each
      override query(...args: any[]): any {
        watch(typeof args[0] === 'string' ? args[0] : args[0].text)
        const counted = current()
        // The cast: with these arguments pg returns a promise, or calls back where the pool connects.
        const answer = (super.query as (...given: unknown[]) => unknown)(...args)
        if (counted === undefined) return answer
        const trip = counted.trips + 1
        counted.statements += 1
        const arrived = () => {
          counted.trips = Math.max(counted.trips, trip)
        }
        if (answer instanceof Promise) answer.then(arrived, arrived)
        return answer
      }
    }
  }
}
