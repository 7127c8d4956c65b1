/** Runs the background work of features, once at a time in a process. */
import type { BackgroundContext, BackgroundWork } from '../declare/scheduled-task.ts'
import { createTimer, type Timer } from '../runtime/timer.ts'

interface BackgroundOptions extends Omit<BackgroundContext, 'signal'> {
  readonly works: readonly BackgroundWork[]
  readonly ready: () => unknown
}

/** The work itself has failed. */
const pauseMs = 5000

export class Background {
  readonly #works: readonly BackgroundWork[]
  readonly #ready: () => unknown
  readonly #parts: Omit<BackgroundContext, 'signal'>
  readonly #controller = new AbortController()
  readonly #timer: Timer
  #running: Promise<void> | undefined
  #isDueAgain = false

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

  /** Runs due work, and waits for its end. */
  async settle(): Promise<void> {
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

  async #runOne({ name, run }: BackgroundWork): Promise<number> {
    const { clock, log } = this.#parts.app
    try {
      return await run({ ...this.#parts, signal: this.#controller.signal })
    } catch (error) {
      log.error('background work failed', { id: name, error })
      return clock() + pauseMs
    }
  }
}
