/**
 * Work that falls due with time, such as scheduled posts. It is done by whoever comes first after the moment: a request, a
 * timer of this process, or the host's own call. No other process is needed, and each piece is done once.
 */

import { dueOption, type Settings, toDue } from '../../site/settings.ts'
import type { Json, Storage } from '../../storage/contract.ts'
import { system } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { HookContext } from '../declare/context.ts'
import type { Hook, PendingEvent } from '../declare/events.ts'
import type { Feature } from '../declare/feature.ts'
import type { ScheduledTask } from '../declare/scheduled-task.ts'
import { andThen, type MaybePromise, sequence } from '../runtime/maybe-promise.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'
import { runHooks } from './hooks.ts'

export interface ScheduledTasks {
  readonly tasks: readonly ScheduledTask[]
  /** The next moment of all tasks; in the past when nobody has looked yet. */
  nextAt(settings: Settings): number
}

export function createScheduledTasks(features: readonly Feature[]): ScheduledTasks {
  const tasks = features.flatMap(({ scheduledTask }) => scheduledTask ?? [])
  const nextAt = (settings: Settings) => {
    let next = Number.POSITIVE_INFINITY
    for (const task of tasks) next = Math.min(next, task.dueAt(settings) ?? 0)
    return next
  }
  return { tasks, nextAt }
}

interface RunOptions {
  readonly app: AppContext
  readonly storage: Storage
  readonly hooks: readonly Hook<HookContext>[]
  readonly scheduledTasks: ScheduledTasks
}

/** Runs the due tasks and the hooks of their events in one transaction. Returns the events, to be emitted after the commit. */
export function runScheduledTasks(
  { app, storage, hooks, scheduledTasks }: RunOptions,
  settings: Settings,
): MaybePromise<readonly PendingEvent[]> {
  const now = app.clock()
  const due = scheduledTasks.tasks.filter((task) => (task.dueAt(settings) ?? 0) <= now)
  const events: PendingEvent[] = []
  const run = (transaction: Storage) => {
    events.length = 0
    const context: HookContext = {
      storage: transaction,
      app,
      settings,
      user: system,
      emit: (name, payload) => void events.push({ name, payload } as PendingEvent),
    }
    return andThen(
      sequence(due, (task) => task.run(context)),
      () => runHooks(events, 0, hooks, context),
    )
  }
  return andThen(retryTransaction(storage, run), () => events)
}

/** Another process may move a moment at the same time; after so many lost races the next run sets it right. */
const maxTries = 20

/**
 * Sets when a task is due next to what `change` makes of what is known: undefined when nobody has looked, Infinity when
 * nothing is waiting. It is asked again when somebody else was faster, so it must do nothing but look.
 */
export function changeDue(
  storage: Storage,
  task: string,
  change: (known: number | undefined) => MaybePromise<number | undefined>,
  tries = maxTries,
): MaybePromise<void> {
  return andThen(storage.options.read([dueOption]), (options) => {
    const stored = options[dueOption]
    const known = toDue(stored)[task]
    return andThen(change(known), (next) => {
      if (next === undefined || next === known) return undefined
      // The cast: `toDue` has found nothing in what is no map of moments.
      const moments = Object.keys(toDue(stored)).length > 0 ? (stored as { readonly [task: string]: Json }) : {}
      const moved = { ...moments, [task]: Number.isFinite(next) ? next : null }
      return andThen(storage.options.swap(dueOption, stored ?? null, moved), (isSwapped) =>
        isSwapped || tries === 0 ? undefined : changeDue(storage, task, change, tries - 1),
      )
    })
  })
}

/** For whoever makes work: the task is due at this moment at the latest. One that nobody has looked at will be. */
export const bringForward = (storage: Storage, task: string, moment: number): MaybePromise<void> =>
  changeDue(storage, task, (known) => (known === undefined || known <= moment ? undefined : moment))
