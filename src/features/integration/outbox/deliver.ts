/** Sends events to webhooks: signed, in order per record, at least once. */

import type { StoredRecord } from '../../../contract/storage.ts'
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { httpSenderOf } from '../../../services/http-client/index.ts'
import { type Attempted, atTarget, deliverDue } from '../../shared/deliveries.ts'
import { webhookDeliveries } from './collections.ts'
import { eventsAt, type StoredEvent } from './read.ts'
import type { Webhook } from './webhooks.ts'

/**
 * Sends due events until none is due. Returns when the next delivery is due. `stop` is called for a webhook whose
 * receiver says that it is gone.
 */
export function sendDue(
  context: BackgroundContext,
  all: readonly Webhook[],
  stop: (webhook: Webhook) => Promise<void>,
): Promise<number> {
  const webhooks = new Map(all.map((one) => [one.id, one]))
  let events: ReadonlyMap<number, StoredEvent> = new Map()
  return deliverDue(context, {
    collection: webhookDeliveries,
    name: 'webhook',
    // The options of another process may have more: while a new version starts, for one.
    targets: [...webhooks.keys()],
    prepare: async (rows) => {
      events = await eventsAt(
        context.storage,
        rows.map(({ sequence }) => Number(sequence)),
      )
    },
    attempt: async (row: StoredRecord) => {
      const webhook = webhooks.get(String(row.target))
      const attempted = await send(context, events.get(Number(row.sequence)), webhook)
      if (attempted.status === 410 && webhook) await stop(webhook)
      return attempted
    },
  })
}

const dead = (error: string): Attempted => ({ result: 'dead', error })

async function send(
  { app }: BackgroundContext,
  event: StoredEvent | undefined,
  webhook: Webhook | undefined,
): Promise<Attempted> {
  if (!webhook?.isEnabled) return dead('the webhook was removed or stopped')
  if (!event) return dead('the event is no longer kept')
  const sender = httpSenderOf(app)
  if (!sender) return dead('services.outbound has no function send')
  const request = await signed(webhook, event, app.clock())
  const { status, retryAfter } = await atTarget(() =>
    sender.send(webhook.url, request, { overflow: 'cut', maxBytes: 1024 }),
  )
  if (status >= 200 && status < 300) return { result: 'delivered', status }
  const error = `the receiver answered ${status}`
  return status === 410 ? { ...dead(error), status } : { result: 'again', status, error, retryAfter }
}

/** Standard Webhooks: id, time and body are signed with the secret; the id is the same for each attempt. */
async function signed({ secret }: Webhook, { id, name, data, at, sequence, subject }: StoredEvent, now: number) {
  const { signature } = await import('./signature.ts')
  const body = JSON.stringify({ type: name, timestamp: at, sequence, subject, data })
  const time = new Date(now)
  return {
    ...({ method: 'POST', contentType: 'application/json', body } as const),
    headers: {
      'webhook-id': `evt_${id}`,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': signature(secret, `evt_${id}`, time, body),
    },
  }
}
