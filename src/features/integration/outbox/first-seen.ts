/**
 * The change with which each webhook of the option begins: the site had none of the earlier ones for it. A number, because the clocks of
 * machines differ and are set back.
 */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { outboxChanges, webhookDeliveries } from './collections.ts'
import type { Webhook } from './webhooks.ts'

/** The stored entry of each webhook of the option. */
export const firstSeenOption = 'outbox_first_seen'

type Parts = Pick<Context, 'storage' | 'app'>

/** By the id of a webhook. A type, because an interface is no `Json`. */
type FirstSeen = {
  readonly [id: string]: {
    /** The least id of a change that it takes. Entries of older versions have a time instead: they take all that wait. */
    readonly from?: number
    /** The last day on which a process had it: ISO, in GMT. */
    readonly seen: string
    /** The names of events that it takes. */
    readonly events?: readonly string[]
  }
}

/** A webhook and the least id of a change that it takes. */
export interface Subscriber extends Pick<Webhook, 'id' | 'events'> {
  readonly from: number
}

const dayMs = 24 * 3_600_000
/** A webhook that no process had for so long is a new one when it comes back. */
const forgottenMs = 30 * dayMs
/** Each process that has a webhook says so once a day. */
const absentMs = 3 * dayMs

export class FirstSeenWebhooks {
  readonly #fixed: readonly Webhook[]
  #known: FirstSeen = {}
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(fixed: readonly Webhook[]) {
    this.#fixed = fixed
  }

  /** Returns the least id of a change that a webhook takes. Asks the storage once a day. */
  async beginnings({ storage, app }: Parts): Promise<(webhook: string) => number> {
    const now = app.clock()
    if (this.#fixed.length > 0 && Math.abs(now - this.#askedAt) >= dayMs) {
      this.#known = await remember(storage, this.#fixed, now)
      this.#askedAt = now
    }
    return (id) => this.#known[id]?.from ?? 0
  }

  /**
   * In the transaction of a change, before that is written: so the first change of a process belongs to its webhooks. It is not kept
   * for later, because the transaction may be rolled back.
   */
  async beforeChange({ storage, app }: Parts): Promise<void> {
    if (this.#fixed.length === 0 || this.#askedAt !== Number.NEGATIVE_INFINITY) return
    await remember(storage, this.#fixed, app.clock())
  }
}

/**
 * Lists the webhooks that processes with other options have now, as while a new version starts: whoever numbers an event enters its
 * delivery for them too.
 */
export async function webhooksElsewhere(
  storage: Storage,
  own: readonly Webhook[],
  now: number,
): Promise<readonly Subscriber[]> {
  // The cast: only `remember` writes the option.
  const stored = ((await storage.options.read([firstSeenOption]))[firstSeenOption] ?? {}) as FirstSeen
  return Object.entries(stored).flatMap(([id, { from = 0, seen, events }]) => {
    const isElsewhere = !own.some((one) => one.id === id) && Math.abs(now - Date.parse(seen)) < absentMs
    return isElsewhere && events ? [{ id, events, from }] : []
  })
}

/** Compare and set, again when another process was faster. */
async function remember(storage: Storage, fixed: readonly Webhook[], now: number): Promise<FirstSeen> {
  for (;;) {
    const stored = (await storage.options.read([firstSeenOption]))[firstSeenOption] ?? null
    // The cast: only this function writes the option.
    const before = (stored ?? {}) as FirstSeen
    const kept = Object.entries(before).filter(([, { seen }]) => now - Date.parse(seen) <= forgottenMs)
    const next: { [id: string]: FirstSeen[string] } = Object.fromEntries(kept)
    const isRecent = ({ id, events }: Webhook) =>
      Math.abs(now - Date.parse(next[id]?.seen ?? '')) < dayMs && `${next[id]?.events}` === `${events}`
    if (fixed.every(isRecent)) return next
    for (const { id, events } of fixed) {
      const from = next[id] ? (next[id].from ?? 0) : await beginningOf(storage, id, { isBack: id in before })
      next[id] = { from, seen: new Date(now).toISOString(), events }
    }
    if (await storage.options.swap(firstSeenOption, stored, next)) return next
  }
}

/** After the changes that wait for a number. A webhook that had deliveries before the site kept this has all of them. */
async function beginningOf(storage: Storage, target: string, { isBack }: { isBack: boolean }): Promise<number> {
  const where = { field: 'target', is: target }
  const { rows } = isBack ? { rows: [] } : await storage.records.query(webhookDeliveries, { where, limit: 1 })
  if (rows.length > 0) return 0
  const order = [{ by: 'id', descending: true }] as const
  const { rows: newest } = await storage.records.query(outboxChanges, { order, limit: 1 })
  return (newest[0]?.id ?? 0) + 1
}
