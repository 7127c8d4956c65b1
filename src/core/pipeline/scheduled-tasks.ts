/**
 * Work that is due at a time, such as publishing scheduled posts. The first process that notices runs it: a request,
 * its timer, or the host's `runDue`. Conditional writes make sure that each task runs once.
 */

import type { Json, MaybePromise, Storage } from '../../contract/storage.ts'
import type { FeatureOption, Settings } from '../../site/settings.ts'
import { system } from '../declare/actor.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { HookContext } from '../declare/context.ts'
import type { Hook, PendingEvent } from '../declare/events.ts'
import type { Feature } from '../declare/feature.ts'
import type { ScheduledTask } from '../declare/scheduled-task.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'
import { runHooks } from './hooks.ts'

/** Milliseconds since 1970 by task, null for Infinity. Only `changeDue` writes it. */
const dueOption = 'due'

export const dueTimes: FeatureOption = { name: dueOption, inSettings: 'hidden', isDerived: true }

export interface ScheduledTasks {
  readonly tasks: readonly ScheduledTask[]
  /** The earliest due time of all tasks; in the past when one is unknown. */
  nextAt(settings: Settings): number
  /** The tasks that run before a response. */
  readonly urgent: Omit<ScheduledTasks, 'urgent'>
}

export function createScheduledTasks(
  features: readonly Feature[],
  ofEverySite: readonly ScheduledTask[],
): ScheduledTasks {
  const tasks = [...ofEverySite, ...features.flatMap(({ scheduledTask }) => scheduledTask ?? [])]
  return { ...timed(tasks), urgent: timed(tasks.filter(({ mayWait = false }) => !mayWait)) }
}

/** Every request asks for the time: it is kept while the settings are the same object. */
function timed(tasks: readonly ScheduledTask[]): ScheduledTasks['urgent'] {
  let known: Settings | undefined
  let knownNext = 0
  const nextAt = (settings: Settings) => {
    if (settings === known) return knownNext
    let next = Number.POSITIVE_INFINITY
    for (const task of tasks) next = Math.min(next, task.dueAt(settings) ?? 0)
    known = settings
    knownNext = next
    return next
  }
  return { tasks, nextAt }
}

interface RunOptions {
  readonly app: AppContext
  readonly storage: Storage
  readonly hooks: readonly Hook<HookContext>[]
  readonly tasks: readonly ScheduledTask[]
}

/** Runs the due tasks and the hooks of their events in one transaction. Returns the events, to be emitted after the commit. */
export async function runScheduledTasks(
  { app, storage, hooks, tasks }: RunOptions,
  settings: Settings,
): Promise<readonly PendingEvent[]> {
  const now = app.clock()
  const due = tasks.filter((task) => (task.dueAt(settings) ?? 0) <= now)
  const events: PendingEvent[] = []
  const run = async (transaction: Storage) => {
    events.length = 0
    const context: HookContext = {
      storage: transaction,
      app,
      settings,
      user: system,
      emit: (name, payload, options) => void events.push({ ...options, name, payload } as PendingEvent),
    }
    for (const task of due) await task.run(context)
    await runHooks(events, 0, hooks, context)
  }
  await retryTransaction(storage, run)
  return events
}

function toDue(stored: Json | undefined): { readonly [task: string]: number } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
  const entries = Object.entries(stored).map(([task, at]) => [
    task,
    at === null ? Number.POSITIVE_INFINITY : Number(at),
  ])
  return Object.fromEntries(entries)
}

/** Returns the due time that `changeDue` has stored for a task; undefined: unknown. */
export const dueTimeOf = ({ options }: Settings, task: string): number | undefined => toDue(options[dueOption])[task]

/** Lost races against other processes before giving up; the next run corrects the time. */
const maxTries = 20

/**
 * Changes the due time of a task to the result of `change`, which gets the stored time: undefined when unknown,
 * Infinity when nothing is scheduled. `change` runs again after a lost race, so it must only read.
 */
export async function changeDue(
  storage: Storage,
  task: string,
  change: (known: number | undefined) => MaybePromise<number | undefined>,
): Promise<void> {
  for (let tries = 0; tries <= maxTries; tries++) {
    const { [dueOption]: stored } = await storage.options.read([dueOption])
    const known = toDue(stored)[task]
    const next = await change(known)
    if (next === undefined || next === known) return
    // The cast: `toDue` returns no entries for anything but a map of times.
    const moments = Object.keys(toDue(stored)).length > 0 ? (stored as { readonly [task: string]: Json }) : {}
    const moved = { ...moments, [task]: Number.isFinite(next) ? next : null }
    if (await storage.options.swap(dueOption, stored ?? null, moved)) return
  }
}

/** Makes a task due at `moment` at the latest. An unknown due time is left: the next run computes it. */
export const bringForward = (storage: Storage, task: string, moment: number): Promise<void> =>
  changeDue(storage, task, (known) => (known === undefined || known <= moment ? undefined : moment))
