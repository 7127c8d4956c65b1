/** Runs the scheduled tasks by a timer and for the host, one run after the other: `runDue` ends after what the timer has begun. */

import type { MaybePromise } from '../../contract/storage.ts'
import type { Logger } from '../declare/app-context.ts'
import { createTimer, type Timer } from '../runtime/timer.ts'

interface TaskRunnerOptions {
  readonly clock: () => number
  readonly log: Logger
  /** Opens the storage on first use. */
  readonly ready: () => MaybePromise<void>
  /** Runs the tasks that are due, and sets the timer for the next. */
  readonly runTasks: () => Promise<void>
  /** Lets a run wait for what must end before it begins. A run of a runner that was stopped meanwhile answers false. */
  readonly inTurn: (run: () => Promise<boolean>) => Promise<unknown>
  /** Waits for the work in the background that the tasks have begun. */
  readonly settle: () => Promise<void>
}

interface TaskRunner {
  readonly timer: Timer
  /** Rejects when the storage fails. */
  readonly runDue: () => Promise<void>
  /** Ends the timer, and waits for runs that have begun. Those that wait for their turn do nothing: what has the turn may call it. */
  readonly stop: () => Promise<void>
}

export function createTaskRunner({ clock, log, ready, runTasks, inTurn, settle }: TaskRunnerOptions): TaskRunner {
  let lastTasks: Promise<void> = Promise.resolve()
  let isTimerRunning = false
  let isStopped = false

  const run = async () => {
    if (isStopped) return false
    const tasks = lastTasks.then(runTasks)
    lastTasks = tasks.catch(() => undefined)
    await tasks
    return true
  }
  const runNext = async () => {
    await ready()
    timer.clear()
    // A run that waits for its turn is not among those that `runDue` waits for: what has the turn may call it.
    return inTurn(run)
  }
  const runDue = async () => {
    await runNext()
    await settle()
  }
  const timer = createTimer(clock, () => {
    // Each request sets the timer again as long as the tasks that are due are not done: their end sets it for what came meanwhile.
    if (isTimerRunning) return
    isTimerRunning = true
    void runNext()
      .finally(() => {
        isTimerRunning = false
      })
      .then(settle)
      .catch((error) => log.error('a scheduled task failed', { id: 'scheduled-tasks', error }))
  })
  const stop = async () => {
    isStopped = true
    timer.clear()
    // A run that has begun sets the timer again.
    await lastTasks
    timer.clear()
  }
  return { timer, runDue, stop }
}
