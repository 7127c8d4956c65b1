/** Runs the background work of features, once at a time in a process. */
import type { ChangeObserver } from '../changes/row-change.ts'
import type { BackgroundContext, BackgroundWork } from '../declare/scheduled-task.ts'
import { createTimer, type Timer } from '../runtime/timer.ts'

interface BackgroundOptions extends Omit<BackgroundContext, 'signal'> {
  readonly works: readonly BackgroundWork[]
  readonly ready: () => unknown
}

/** The work itself has failed. */
const pauseMs = 5000
/** Another process may have ended between the commit of a task and its run. */
const lookAgainMs = 15_000

/** Notices the tasks that this process writes. */
export const taskObserver = (
  works: readonly BackgroundWork[],
  background: () => Background,
): readonly ChangeObserver[] =>
  works.some(({ collection }) => collection !== undefined)
    ? [
        {
          wants: () => false,
          takesAll: 'transactions',
          afterCommit: ({ written }) => background().noteWritten(written),
        },
      ]
    : []

export class Background {
  readonly #works: readonly BackgroundWork[]
  readonly #ready: () => unknown
  readonly #parts: Omit<BackgroundContext, 'signal'>
  readonly #controller = new AbortController()
  readonly #timer: Timer
  #running: Promise<void> | undefined
  #isDueAgain = false
  /** When work with a collection last ran, and when it has to run again. */
  readonly #looks = new Map<BackgroundWork, { readonly at: number; readonly next: number }>()

  constructor({ works, ready, ...parts }: BackgroundOptions) {
    this.#works = works
    this.#ready = ready
    this.#parts = parts
    this.#timer = createTimer(parts.app.clock, () => this.wake())
  }

  /** Runs work that is due soon, beside running work. Never waits, never throws. */
  wake(): void {
    if (this.#works.length === 0 || this.#controller.signal.aborted) return
    this.#isDueAgain = true
    this.#running ??= this.#runAll()
  }

  /** Looks for due work, and waits for its end. */
  async settle(): Promise<void> {
    this.#looks.clear()
    this.wake()
    await this.#running
  }

  /** Begins nothing new, and waits for what has begun. */
  async close(): Promise<void> {
    this.#controller.abort()
    this.#timer.clear()
    await this.#running
    this.#timer.clear()
  }

  /** Runs the work whose tasks are in these collections. */
  noteWritten(written: ReadonlySet<string>): void {
    for (const work of this.#works) {
      if (work.collection === undefined || !written.has(work.collection)) continue
      this.#looks.delete(work)
      this.wake()
    }
  }

  /** Its last look for due work and its end are one step: no call of `wake` is lost between them. */
  async #runAll(): Promise<void> {
    const { signal } = this.#controller
    // Never within the call of `wake`, which has to know that it runs.
    await undefined
    try {
      await this.#ready()
      do {
        this.#isDueAgain = false
        const next = await this.#runEach()
        if (!signal.aborted) this.#timer.set(next)
      } while (this.#isDueAgain && !signal.aborted)
    } catch (error) {
      this.#parts.app.log.error('background work could not begin', { id: 'background', error })
    } finally {
      this.#running = undefined
    }
  }

  /** Returns when something is due again. */
  async #runEach(): Promise<number> {
    let next = Number.POSITIVE_INFINITY
    for (const work of this.#works) next = Math.min(next, await this.#runOne(work))
    return next
  }

  async #runOne(work: BackgroundWork): Promise<number> {
    const { name, collection, run } = work
    const { clock, log } = this.#parts.app
    const at = clock()
    const known = this.#looks.get(work)
    if (known && at < known.next && Math.abs(at - known.at) < lookAgainMs) return known.next
    // This run may miss tasks that are written from now on.
    if (collection !== undefined) this.#looks.set(work, { at, next: Number.POSITIVE_INFINITY })
    try {
      const next = await run({ ...this.#parts, signal: this.#controller.signal })
      if (this.#looks.has(work)) this.#looks.set(work, { at, next })
      return next
    } catch (error) {
      log.error('background work failed', { id: name, error })
      this.#looks.delete(work)
      return clock() + pauseMs
    }
  }
}
