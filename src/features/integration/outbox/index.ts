/** Durable events: an outbox in the storage, a reader for programs, and webhooks that send them to others. */

import type { Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { PendingEvent } from '../../../core/declare/events.ts'
import type { SiteParts } from '../../../core/declare/feature.ts'
import { feature } from '../../../core/declare/feature.ts'
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { asUnitsOfWork } from '../../../core/runtime/unit-of-work.ts'
import { keepNewest } from '../../shared/keep-for.ts'
import { webhookDeliveries } from './collections.ts'
import { sendDue } from './deliver.ts'
import { FirstSeenWebhooks, type Subscriber, webhooksElsewhere } from './first-seen.ts'
import { createEvents, createWebhooks, type SiteEvents, type SiteWebhooks } from './management.ts'
import { numberEvents, removeOldEvents, type Subscribers } from './read.ts'
import { EventRecorder, type Retention } from './record.ts'
import {
  changeWebhooks,
  checkWebhook,
  hasKnownWebhooks,
  storedWebhooks,
  takes,
  type Webhook,
  type WebhookOptions,
  webhooksOf,
} from './webhooks.ts'

export type { SiteEvents, SiteWebhooks, WebhookDelivery, WebhookView } from './management.ts'
export type { StoredEvent, StoredEvents } from './read.ts'
export type { Retention } from './record.ts'
export type { Webhook, WebhookOptions } from './webhooks.ts'

interface OutboxOptions {
  readonly webhooks?: readonly WebhookOptions[]
  readonly retention?: Partial<Retention>
}

/** The members that `createSiteApi` adds to an api. */
export interface OutboxMembers {
  readonly events: SiteEvents
  readonly webhooks: SiteWebhooks
}

const defaultRetention: Retention = { count: 100_000, days: 30 }
/** Other processes may have ended between a commit and the sending of its event. */
const lookAgainMs = 15_000

/** The feature that writes and sends the events, and the function that makes its members of the api. */
export function createOutbox({ webhooks: options = [], retention: given }: OutboxOptions) {
  for (const webhook of options) checkWebhook(webhook)
  const fixed = webhooksOf(options)
  const retention = { ...defaultRetention, ...given }
  const allOf = async (app: AppContext, storage: Storage) => [...fixed, ...(await storedWebhooks(app, storage))]
  const enabledOf = async (app: AppContext, storage: Storage) => (await allOf(app, storage)).filter(isEnabled)
  const firstSeen = new FirstSeenWebhooks(fixed)
  const subscribersOf = async (parts: Pick<BackgroundContext, 'storage' | 'app'>, webhooks: readonly Webhook[]) => {
    const beginsAt = await firstSeen.beginnings(parts)
    const own = webhooks.map(({ id, events }) => ({ id, events, from: beginsAt(id) }))
    return async (inside: Storage) =>
      subscribersAmong([...own, ...(await webhooksElsewhere(inside, fixed, parts.app.clock()))])
  }
  const recorder = new EventRecorder(retention)
  let isSweepDue = false

  async function run(context: BackgroundContext): Promise<number> {
    const { storage, app } = context
    // Without a call of the storage on sites that have none. One of another process is known with the next request.
    if (fixed.length === 0 && !isSweepDue && !hasKnownWebhooks(app)) return Number.POSITIVE_INFINITY
    const all = await allOf(app, storage)
    const webhooks = all.filter(isEnabled)
    if (webhooks.length > 0) await numberEvents(context, await subscribersOf(context, webhooks))
    if (isSweepDue) {
      isSweepDue = false
      await removeOldEvents(context, retention)
      await keepNewest(context, webhookDeliveries, retention)
    }
    if (webhooks.length === 0) return Number.POSITIVE_INFINITY
    const next = await sendDue(context, all, (gone) => stop(context, gone))
    return Math.min(next, app.clock() + lookAgainMs)
  }

  /** Writes the events of a transaction, at its end. */
  async function record(events: readonly PendingEvent[], context: Pick<HookContext, 'storage' | 'app'>): Promise<void> {
    await firstSeen.beforeChange(context)
    if (await recorder.record(events, context)) isSweepDue = true
  }

  const outboxFeature = feature('outbox', 'site-api/v1', [], {
    hooks: { '*': record },
    background: { name: 'webhooks', run },
  })
  const members = (parts: SiteParts, wake: () => void): OutboxMembers => {
    const number = async () =>
      numberEvents(parts, await subscribersOf(parts, await enabledOf(parts.app, parts.storage)))
    const webhooks = asUnitsOfWork(parts.storage, (storage) =>
      createWebhooks({ ...parts, storage, fixed, number, wake }),
    )
    return { events: createEvents({ ...parts, number }), webhooks }
  }
  return { feature: outboxFeature, members, record }
}

const isEnabled = (webhook: Webhook): boolean => webhook.isEnabled

const subscribersAmong =
  (all: readonly Subscriber[]): Subscribers =>
  ({ name, change }) =>
    all.filter((one) => takes(one, name) && change >= one.from).map(({ id }) => id)

/** A receiver that answers 410 wants no more. Those of the option stay: their next delivery is dead again. */
async function stop({ storage }: BackgroundContext, { id }: Webhook): Promise<void> {
  const stopped = 'the receiver answered 410'
  await changeWebhooks(storage, (webhooks) =>
    webhooks.map((one) => (one.id === id ? { ...one, isEnabled: false, stopped } : one)),
  )
}
