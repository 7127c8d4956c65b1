/** `api.events` and `api.site.webhooks`. */

import type { StoredRecord, Where } from '../../../contract/storage.ts'
import type { SiteParts } from '../../../core/declare/feature.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { webhookDeliveries } from './collections.ts'
import { readEvents, type StoredEvents } from './read.ts'
import {
  changeWebhooks,
  checkWebhook,
  newSecret,
  storedWebhooks,
  type Webhook,
  type WebhookOptions,
} from './webhooks.ts'

/** The durable events of a site. */
export interface SiteEvents {
  /**
   * The events after the cursor, which is the `sequence` of the last one that was read; 0: from the first one on. At most `limit`,
   * 1 to 1000, by default 100. Every committed change is there once, in the order of changes for each record.
   *
   * ```ts
   * const { events, cursor } = await api.events.since(0)
   * ```
   */
  since(cursor: number, options?: { readonly limit?: number }): Promise<StoredEvents>
}

/** A webhook without its secret. */
export type WebhookView = Omit<Webhook, 'secret'>

/** An event that a webhook received, or still has to receive. */
export interface WebhookDelivery {
  readonly id: number
  readonly webhook: string
  /** The number of the event. */
  readonly sequence: number
  readonly subject: string
  readonly state: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  /** The status of the last response; null: there was none. */
  readonly status: number | null
  readonly error: string | null
  /** When a pending one is tried next: ISO, in GMT. */
  readonly due: string
}

/** Webhooks that are managed while the site runs; those of the option `webhooks` are listed too, and changed in the program. */
export interface SiteWebhooks {
  /** Without a secret, one is made. The result is the only one that contains it. Rejects with a TypeError. */
  create(values: Omit<WebhookOptions, 'secret'> & { readonly secret?: string }): Promise<Webhook>
  /** `isEnabled: true` starts a stopped one again, from the next event on. Rejects if there is none. */
  update(id: string, changes: Partial<Pick<Webhook, 'url' | 'secret' | 'events' | 'isEnabled'>>): Promise<WebhookView>
  /** Returns false if there was none. What it has not received is dropped. */
  remove(id: string): Promise<boolean>
  list(): Promise<WebhookView[]>
  /** The newest first; at most `limit`, by default 100. */
  deliveries(
    id: string,
    options?: { readonly state?: WebhookDelivery['state']; readonly limit?: number },
  ): Promise<WebhookDelivery[]>
  /** Sends deliveries again: one, or all dead ones. Returns how many. */
  replay(id: string, options?: { readonly delivery?: number }): Promise<number>
}

const maxEvents = 1000
const maxWebhooks = 100

interface EventsOptions extends SiteParts {
  /** Gives numbers to the events without one, for the webhooks that there are now. */
  readonly number: () => Promise<void>
}

export function createEvents({ storage, ready, number }: EventsOptions): SiteEvents {
  return {
    async since(cursor, { limit = 100 } = {}) {
      if (!Number.isSafeInteger(cursor) || cursor < 0)
        throw new TypeError(`a cursor is a number of an event, not ${cursor}`)
      if (!Number.isInteger(limit) || limit < 1 || limit > maxEvents) {
        throw new TypeError(`a limit is a number from 1 to ${maxEvents}, not ${limit}`)
      }
      await ready()
      await number()
      return readEvents(storage, cursor, limit)
    },
  }
}

interface WebhooksOptions extends EventsOptions {
  readonly fixed: readonly Webhook[]
  /** Begins to send what became due. */
  readonly wake: () => void
}

const withoutSecret = ({ secret: _secret, ...view }: Webhook): WebhookView => view

export function createWebhooks({ storage, app, ready, fixed, number, wake }: WebhooksOptions): SiteWebhooks {
  const all = async () => [...fixed, ...(await storedWebhooks(app, storage))]
  const known = async (id: string) => {
    await ready()
    const webhook = (await all()).find((one) => one.id === id)
    if (!webhook) throw new TypeError(`there is no webhook ${id}`)
    return webhook
  }
  return {
    async create({ url, secret = newSecret(), events = ['*'] }) {
      checkWebhook({ url, secret, events })
      await ready()
      const createdAt = new Date(app.clock()).toISOString()
      // Events from before belong to the webhooks from before.
      await number()
      const webhook = { id: randomId(), url, secret, events, isEnabled: true, stopped: null, createdAt }
      await changeWebhooks(storage, (webhooks) => {
        if (webhooks.length >= maxWebhooks) throw new TypeError(`a site has at most ${maxWebhooks} webhooks`)
        return [...webhooks, webhook]
      })
      return webhook
    },

    async update(id, changes) {
      const before = await known(id)
      if (fixed.includes(before))
        throw new TypeError(`the webhook ${id} is one of the option webhooks: change it there`)
      const next = { ...before, ...changes, ...(changes.isEnabled ? { stopped: null } : {}) }
      checkWebhook(next)
      await number()
      await changeWebhooks(storage, (webhooks) => webhooks.map((one) => (one.id === id ? next : one)))
      return withoutSecret(next)
    },

    async remove(id) {
      await ready()
      let isRemoved = false
      await changeWebhooks(storage, (webhooks) => {
        isRemoved = webhooks.some((one) => one.id === id)
        return webhooks.filter((one) => one.id !== id)
      })
      if (isRemoved) await storage.records.remove(webhookDeliveries, { field: 'target', is: id })
      return isRemoved
    },

    async list() {
      await ready()
      return (await all()).map(withoutSecret)
    },

    async deliveries(id, { state, limit = 100 } = {}) {
      await known(id)
      const ofOne: Where = { field: 'target', is: id }
      const { rows } = await storage.records.query(webhookDeliveries, {
        where: state === undefined ? ofOne : { every: [ofOne, { field: 'state', is: state }] },
        order: [{ by: 'sequence', descending: true }],
        limit,
      })
      return rows.map(deliveryView)
    },

    async replay(id, { delivery } = {}) {
      await known(id)
      const ofOne: Where = { field: 'target', is: id }
      const which: Where =
        delivery === undefined
          ? // The state first: few deliveries are dead.
            { every: [{ field: 'state', is: 'dead' }, ofOne] }
          : { every: [ofOne, { field: 'id', is: delivery }, { not: { field: 'state', is: 'pending' } }] }
      const { rows } = await storage.records.query(webhookDeliveries, { where: which })
      const again = { state: 'pending', due: app.clock(), attempts: 0 }
      await storage.records.update(
        webhookDeliveries,
        rows.map((row) => ({ id: row.id, changes: again })),
      )
      wake()
      return rows.length
    },
  }
}

const deliveryView = (row: StoredRecord): WebhookDelivery => ({
  id: row.id,
  webhook: String(row.target),
  sequence: Number(row.sequence),
  subject: String(row.subject),
  // The cast: only the service writes it.
  state: row.state as WebhookDelivery['state'],
  attempts: Number(row.attempts),
  status: typeof row.status === 'number' ? row.status : null,
  error: typeof row.error === 'string' ? row.error : null,
  due: new Date(Number(row.due)).toISOString(),
})
