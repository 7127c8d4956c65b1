/**
 * The turns of an api that is recorded or replayed: one request at a time, each with one time and with random values that are
 * remembered or given. Work that outlives its request, and all other work of the process, has the clock and the randomness of the
 * machine.
 */
import { type Draws, drawThrough } from '../../core/runtime/crypto.ts'
import { nodeModule } from '../../core/runtime/node-module.ts'

export interface Turn extends Draws {
  /** Milliseconds since 1970, for the whole request. */
  readonly at: number
}

interface RunningTurn {
  readonly turn: Turn
  isOver: boolean
}

interface TurnStore {
  getStore(): RunningTurn | undefined
  run<T>(store: RunningTurn, work: () => T): T
}

let store: TurnStore | undefined

/** Undefined where the runtime can not tell which request a piece of work belongs to. */
export function createTurns(): Turns | undefined {
  const hooks = nodeModule('node:async_hooks')
  if (!hooks) return undefined
  if (!store) {
    store = new hooks.AsyncLocalStorage<RunningTurn>()
    drawThrough({ draw: (kind, make) => current()?.draw(kind, make) ?? make() })
  }
  return new Turns(store)
}

function current(): Turn | undefined {
  const running = store?.getStore()
  return running === undefined || running.isOver ? undefined : running.turn
}

export class Turns {
  readonly #store: TurnStore
  #last: Promise<unknown> = Promise.resolve()

  constructor(turns: TurnStore) {
    this.#store = turns
  }

  /** Whether this work belongs to a turn: what it calls is a part of it. */
  get isWithin(): boolean {
    return current() !== undefined
  }

  /** The time of the turn, or that of the clock. */
  clock(given: () => number): () => number {
    return () => current()?.at ?? given()
  }

  /** Runs the work after all turns before it. */
  next<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => undefined)
    return run
  }

  async within<T>(turn: Turn, work: () => T | Promise<T>): Promise<T> {
    const running: RunningTurn = { turn, isOver: false }
    try {
      return await this.#store.run(running, work)
    } finally {
      running.isOver = true
    }
  }
}
