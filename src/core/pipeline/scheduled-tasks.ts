/**
 * Work that falls due with time, such as scheduled posts. It is done by whoever comes first after the moment: a request, a
 * timer of this process, or the host's own call. No other process is needed, and each piece is done once.
 */

import { dueOption, type Settings, toDue } from '../../site/settings.ts'
import type { Json, Storage } from '../../storage/contract.ts'
import type { Site } from '../declare/app-context.ts'
import type { Feature, Following } from '../declare/endpoint.ts'
import { follow, type PendingEvent } from '../declare/events.ts'
import { system } from '../declare/permissions.ts'
import { chain, type Eventually, inTurn } from '../runtime/maybe-promise.ts'
import { atomicOrAgain } from '../runtime/retry-transaction.ts'

/** A feature's share. It is asked again after each run, so a run has to move the moment on. */
export interface UpkeepTask {
  /** When it is due next, in milliseconds since 1970; undefined: not known, look now; Infinity: nothing is waiting. */
  readonly dueAt: (settings: Settings) => number | undefined
  readonly run: (call: Following) => Eventually<void>
}

export interface Upkeep {
  readonly tasks: readonly UpkeepTask[]
  /** The next moment of all tasks; in the past when nobody has looked yet. */
  nextAt(settings: Settings): number
}

export function createUpkeep(features: readonly Feature[]): Upkeep {
  const tasks = features.flatMap(({ upkeep }) => upkeep ?? [])
  const nextAt = (settings: Settings) => {
    let next = Number.POSITIVE_INFINITY
    for (const task of tasks) next = Math.min(next, task.dueAt(settings) ?? 0)
    return next
  }
  return { tasks, nextAt }
}

/** Answers the events to be told, once what they tell of is committed. */
export function runUpkeep(site: Site, storage: Storage, settings: Settings): Eventually<readonly PendingEvent[]> {
  const now = site.clock()
  const due = site.upkeep.tasks.filter((task) => (task.dueAt(settings) ?? 0) <= now)
  const told: PendingEvent[] = []
  const run = (inside: Storage) => {
    told.length = 0
    const call: Following = {
      storage: inside,
      site,
      settings,
      user: system,
      emit: (name, payload) => void told.push({ name, payload } as PendingEvent),
    }
    return chain(
      inTurn(due, (task) => task.run(call)),
      () => follow(told, 0, site.followers, call),
    )
  }
  return chain(atomicOrAgain(storage, run), () => told)
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
  change: (known: number | undefined) => Eventually<number | undefined>,
  tries = maxTries,
): Eventually<void> {
  return chain(storage.options.read([dueOption]), (options) => {
    const stored = options[dueOption]
    const known = toDue(stored)[task]
    return chain(change(known), (next) => {
      if (next === undefined || next === known) return undefined
      // The cast: `toDue` has found nothing in what is no map of moments.
      const moments = Object.keys(toDue(stored)).length > 0 ? (stored as { readonly [task: string]: Json }) : {}
      const moved = { ...moments, [task]: Number.isFinite(next) ? next : null }
      return chain(storage.options.swap(dueOption, stored ?? null, moved), (isSwapped) =>
        isSwapped || tries === 0 ? undefined : changeDue(storage, task, change, tries - 1),
      )
    })
  })
}

/** For whoever makes work: the task is due at this moment at the latest. One that nobody has looked at will be. */
export const bringForward = (storage: Storage, task: string, moment: number): Eventually<void> =>
  changeDue(storage, task, (known) => (known === undefined || known <= moment ? undefined : moment))
