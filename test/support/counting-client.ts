/** A client of `pg` that counts how often its process waits for the server. */
import pg from 'pg'

/**
 * The round trips of the longest chain of statements that waited for one another: a statement is one further than all whose
 * answers had come when it was sent.
 */
export class RoundTrips {
  trips = 0
  statements = 0
  /** Called with the text of each statement. */
  watch: (text: string) => void = () => undefined

  reset(): void {
    this.trips = 0
    this.statements = 0
  }

  /** The class of clients that are counted here, for a pool. */
  readonly Client = countingClient(this)
}

function countingClient(counted: RoundTrips): typeof pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: it passes on the arguments of all overloads of pg, and has the result of each
    override query(...args: any[]): any {
      const trip = counted.trips + 1
      counted.statements += 1
      counted.watch(typeof args[0] === 'string' ? args[0] : args[0].text)
      // The cast: with these arguments pg returns a promise, or calls back where the pool connects.
      const answer = (super.query as (...given: unknown[]) => unknown)(...args)
      const arrived = () => {
        counted.trips = Math.max(counted.trips, trip)
      }
      if (answer instanceof Promise) answer.then(arrived, arrived)
      return answer
    }
  }
}
