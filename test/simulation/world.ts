/**
 * The world of a simulation: one seed decides which pending call of the storage goes on next, which one fails, how the clock moves,
 * and when the process of the service ends and another one starts.
 */
import type { Random } from './random.ts'

/**
 * A call of the storage before it runs, and its possible outcomes; a file before and after it is written or removed; a request
 * and its response on the way; an event on the way to its receiver, and the answer to it.
 */
export type Point =
  | 'call'
  | 'begin'
  | 'commit'
  | 'committed'
  | 'written'
  | 'file'
  | 'file done'
  | 'request'
  | 'response'
  | 'delivery'
  | 'delivered'

export interface Process {
  isDead: boolean
}

interface Pending {
  readonly process: Process
  readonly point: Point
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface Chances {
  readonly failure: number
  readonly restart: number
}

/** The process was killed: no client gets a response of it. */
export class Killed extends Error {}

export interface World {
  readonly clock: { now: number }
  /** One line for each decision, to compare runs. */
  readonly trace: string[]
  /** Resolves when the call may go on; rejects if it fails here. */
  reach(process: Process, point: Point): Promise<void>
  /** Runs until `isDone`; `restart` replaces the process. Returns false if nothing goes on any more. */
  run(isDone: () => boolean, restart: () => void): Promise<boolean>
}

/** Waits for all microtasks, and those that they queue. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** An upload has temporary files on a real disk, which a busy machine writes slowly. Without a call for longer, nothing goes on. */
const longestSilenceMs = 10_000

export function createWorld(
  random: Random,
  { failure, restart: restartChance }: Chances,
  fail: (point: Point) => Error,
): World {
  const pending: Pending[] = []
  const clock = { now: Date.parse('2024-06-15T12:00:00Z') }
  const trace: string[] = []

  function killAll(): void {
    for (const { process, reject } of pending.splice(0)) {
      process.isDead = true
      reject(new Killed())
    }
  }

  function goOn(): void {
    const [chosen] = pending.splice(random.below(pending.length), 1)
    if (!chosen) return
    const fails = random.chance(failure)
    trace.push(`${chosen.point}${fails ? ' fails' : ''}`)
    if (fails) chosen.reject(fail(chosen.point))
    else chosen.resolve()
  }

  return {
    clock,
    trace,
    reach(process, point) {
      if (process.isDead) return Promise.reject(new Killed())
      return new Promise((resolve, reject) => {
        pending.push({ process, point, resolve, reject })
      })
    },
    async run(isDone, restart) {
      for (let last = performance.now(); performance.now() - last < longestSilenceMs; ) {
        await settle()
        if (isDone()) return true
        if (pending.length === 0) continue
        last = performance.now()
        clock.now += random.below(2000)
        if (random.chance(restartChance)) {
          trace.push('restart')
          restart()
          killAll()
        } else goOn()
      }
      return false
    },
  }
}
