/** Runs the background work of features, once at a time in a process. */
import type { BackgroundContext, BackgroundWork } from '../declare/scheduled-task.ts'
import { createTimer } from '../runtime/timer.ts'

export interface Background {
  /** Runs work that is due soon, beside running work. Never waits, never throws. */
  wake(): void
  /** Runs due work, and waits for its end. */
  settle(): Promise<void>
  /** Begins nothing new, and waits for what has begun. */
  close(): Promise<void>
}

interface BackgroundOptions extends Omit<BackgroundContext, 'signal'> {
  readonly works: readonly BackgroundWork[]
  readonly ready: () => unknown
}

/** The work itself has failed. */
const pauseMs = 5000

export function createBackground({ works, ready, ...parts }: BackgroundOptions): Background {
  const { clock, log } = parts.app
  const controller = new AbortController()
  const { signal } = controller
  const timer = createTimer(clock, () => wake())
  let running: Promise<void> | undefined
  let isDueAgain = false

  async function runOne({ name, run }: BackgroundWork): Promise<number> {
    try {
      return await run({ ...parts, signal })
    } catch (error) {
      log.error('background work failed', { id: name, error })
      return clock() + pauseMs
    }
  }

  /** Returns when something is due again. */
  async function runEach(): Promise<number> {
    let next = Number.POSITIVE_INFINITY
    for (const work of works) next = Math.min(next, await runOne(work))
    return next
  }

  /** Its last look for due work and its end are one step: no call of `wake` is lost between them. */
  async function runAll(): Promise<void> {
    // Never within the call of `wake`, which has to know that it runs.
    await undefined
    try {
      await ready()
      do {
        isDueAgain = false
        const next = await runEach()
        if (!signal.aborted) timer.set(next)
      } while (isDueAgain && !signal.aborted)
    } catch (error) {
      log.error('background work could not begin', { id: 'background', error })
    } finally {
      running = undefined
    }
  }

  function wake(): void {
    if (works.length === 0 || signal.aborted) return
    isDueAgain = true
    running ??= runAll()
  }

  return {
    wake,
    async settle() {
      wake()
      await running
    },
    async close() {
      controller.abort()
      timer.clear()
      await running
      timer.clear()
    },
  }
}
