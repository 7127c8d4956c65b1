/**
 * The time at which the site first had each webhook of the option: it begins with the events after that, also where no
 * reader has read those before.
 */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { webhookDeliveries } from './collections.ts'
import type { Webhook } from './webhooks.ts'

/** The time since which each webhook of the option `webhooks` takes events. */
export const firstSeenOption = 'outbox_first_seen'

type Parts = Pick<Context, 'storage' | 'app'>

/** By the id of a webhook. ISO texts, in GMT. A type, because an interface is no `Json`. */
type FirstSeen = {
  readonly [id: string]: {
    /** Empty: all events. */
    readonly since: string
    /** The last day on which a process had it. */
    readonly seen: string
  }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A webhook that no process had for so long is a new one when it comes back. */
const forgottenMs = 30 * dayMs

/** Returns the function that tells since when a webhook takes events; it asks the storage once a day. */
export function createFirstSeen(fixed: readonly Webhook[]): (parts: Parts) => Promise<(id: string) => string> {
  let known: FirstSeen = {}
  let askedAt = Number.NEGATIVE_INFINITY
  return async ({ storage, app }) => {
    const now = app.clock()
    if (fixed.length > 0 && now - askedAt >= dayMs) {
      known = await remember(storage, fixed, now)
      askedAt = now
    }
    return (id) => known[id]?.since ?? ''
  }
}

/** Compare and set, again when another process was faster. */
async function remember(storage: Storage, fixed: readonly Webhook[], now: number): Promise<FirstSeen> {
  for (;;) {
    const stored = (await storage.options.read([firstSeenOption]))[firstSeenOption] ?? null
    // The cast: only this function writes the option.
    const before = (stored ?? {}) as FirstSeen
    const kept = Object.entries(before).filter(([, { seen }]) => now - Date.parse(seen) <= forgottenMs)
    const next: { [id: string]: FirstSeen[string] } = Object.fromEntries(kept)
    for (const { id } of fixed) {
      const since = next[id]?.since ?? (await sinceOf(storage, id, { isBack: id in before, now }))
      next[id] = { since, seen: new Date(now).toISOString() }
    }
    if (await storage.options.swap(firstSeenOption, stored, next)) return next
  }
}

/**
 * A minute before: the first events of a process may be older than its first look. Who had deliveries before the site kept this has
 * all events.
 */
async function sinceOf(storage: Storage, target: string, { isBack, now }: { isBack: boolean; now: number }) {
  const where = { field: 'target', is: target }
  const { rows } = isBack ? { rows: [] } : await storage.records.query(webhookDeliveries, { where, limit: 1 })
  return rows.length > 0 ? '' : new Date(now - minuteMs).toISOString()
}
