/**
 * Sends events to webhooks: signed, in order per record, at least once. A delivery is claimed by moving its due time on, so that of
 * several processes one sends it, and so that another takes it up when the first has ended in the middle.
 */
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { httpSenderOf } from '../../../services/http-client/index.ts'
import type { RecordValues, StoredRecord, Where } from '../../../storage/contract.ts'
import { webhookDeliveries } from '../../../storage/contract-collections.ts'
import { eventsAt, type StoredEvent } from './read.ts'
import type { Webhook } from './webhooks.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** After each failed attempt; with the last one the delivery is dead. Together two and a half days. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  20 * hour,
  20 * hour,
]
/** Longer than any attempt: the HTTP client has a time limit below it. */
const leaseMs = minute
/** How many records one process sends at the same time. */
const parallel = 16
const maxErrorLength = 300

interface Claimed {
  readonly row: StoredRecord
  /** The due time that this process has set. */
  readonly due: number
}

type Outcome = { readonly changes: RecordValues; readonly isGone?: boolean }

/**
 * Sends what is due until nothing is. Returns when the next delivery is due. `stop` is called for a webhook whose receiver says that
 * it is gone.
 */
export async function sendDue(
  context: BackgroundContext,
  webhooks: ReadonlyMap<string, Webhook>,
  stop: (webhook: Webhook) => Promise<void>,
): Promise<number> {
  while (!context.signal.aborted) {
    const { claimed, found } = await claimDue(context)
    if (found === 0) return nextDue(context)
    const events = await eventsAt(
      context.storage,
      claimed.map(({ row }) => Number(row.sequence)),
    )
    await Promise.all(
      claimed.map(async (one) => {
        const webhook = webhooks.get(String(one.row.webhook))
        const outcome = await send(context, one.row, events.get(Number(one.row.sequence)), webhook)
        await finish(context, one, outcome)
        if (outcome.isGone && webhook) await stop(webhook)
      }),
    )
  }
  return Number.POSITIVE_INFINITY
}

/** The earliest delivery of each record and webhook, as far as it is due; `found` are all that were due. */
async function claimDue({
  storage,
  app,
}: BackgroundContext): Promise<{ readonly claimed: readonly Claimed[]; readonly found: number }> {
  const now = app.clock()
  const { rows } = await storage.records.query(webhookDeliveries, {
    where: { every: [pending, { field: 'due', to: now }] },
    order: [{ by: 'due' }],
    limit: parallel,
  })
  const first = new Map(rows.map((row) => [`${row.webhook} ${row.subject}`, row]))
  const claimed: Claimed[] = []
  for (const one of first.values()) {
    const row = await firstWaiting(storage, one)
    if (row && Number(row.due) <= now && (await move(storage, row, now + leaseMs))) {
      claimed.push({ row, due: now + leaseMs })
    } else await postpone(storage, rows, one, row)
  }
  return { claimed, found: rows.length }
}

const pending: Where = { field: 'state', is: 'pending' }
const unchanged = ({ due }: StoredRecord): Where => ({ every: [pending, { field: 'due', is: due as number }] })

const move = async ({ records }: BackgroundContext['storage'], row: StoredRecord, due: number): Promise<boolean> =>
  (await records.update(webhookDeliveries, [{ id: row.id, changes: { due }, when: unchanged(row) }])).length > 0

/** Deliveries behind one that is not due wait as long as that one, so that they do not fill the window of those that are due. */
async function postpone(
  storage: BackgroundContext['storage'],
  rows: readonly StoredRecord[],
  { webhook, subject, due }: StoredRecord,
  first: StoredRecord | undefined,
): Promise<void> {
  const until = Number(first?.due ?? due) + 1
  for (const row of rows) {
    if (row.webhook === webhook && row.subject === subject && row.id !== first?.id) await move(storage, row, until)
  }
}

async function nextDue({ storage }: BackgroundContext): Promise<number> {
  const { rows } = await storage.records.query(webhookDeliveries, {
    where: pending,
    order: [{ by: 'due' }],
    limit: 1,
  })
  return rows[0] ? Number(rows[0].due) : Number.POSITIVE_INFINITY
}

async function send(
  { app }: BackgroundContext,
  row: StoredRecord,
  event: StoredEvent | undefined,
  webhook: Webhook | undefined,
): Promise<Outcome> {
  if (!webhook?.isEnabled) return dead(row, 'the webhook was removed or stopped')
  if (!event) return dead(row, 'the event is no longer kept')
  const sender = httpSenderOf(app)
  if (!sender) return dead(row, 'services.outbound has no function send')
  try {
    const { status, retryAfter } = await sender.send(webhook.url, await signed(webhook, event, app.clock()), {
      overflow: 'cut',
      maxBytes: 1024,
    })
    if (status >= 200 && status < 300) return { changes: { state: 'delivered', ...attempt(row), status, error: null } }
    if (status === 410) return { ...dead(row, 'the receiver answered 410', status), isGone: true }
    return later(row, `the receiver answered ${status}`, app.clock(), { status, retryAfter })
  } catch (error) {
    return later(row, error instanceof Error ? error.message : String(error), app.clock())
  }
}

const attempt = ({ attempts }: StoredRecord) => ({ attempts: Number(attempts) + 1 })

const dead = (row: StoredRecord, error: string, status: number | null = null): Outcome => ({
  changes: { state: 'dead', ...attempt(row), status, error: error.slice(0, maxErrorLength) },
})

function later(
  row: StoredRecord,
  error: string,
  now: number,
  { status = null, retryAfter }: { readonly status?: number | null; readonly retryAfter?: string | undefined } = {},
): Outcome {
  const pause = pauses[Number(row.attempts)]
  if (pause === undefined) return dead(row, error, status)
  // A tenth more or less, so that what failed together does not come back together.
  const varied = pause * (0.9 + Math.random() / 5)
  const asked = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * second : 0
  const due = Math.round(now + Math.max(varied, asked))
  return { changes: { due, ...attempt(row), status, error: error.slice(0, maxErrorLength) } }
}

/** A late result of a process that had stopped for longer than the lease changes nothing. */
async function finish({ storage }: BackgroundContext, { row, due }: Claimed, { changes }: Outcome): Promise<void> {
  const when = unchanged({ ...row, due })
  await storage.records.update(webhookDeliveries, [{ id: row.id, changes, when }])
  if (changes.state !== undefined) await release(storage, row)
}

/** The next delivery of the record may have been postponed until the end of the lease. */
async function release(storage: BackgroundContext['storage'], done: StoredRecord): Promise<void> {
  const row = await firstWaiting(storage, done)
  if (row && Number(row.due) > Number(done.due)) await move(storage, row, Number(done.due))
}

async function firstWaiting(
  storage: BackgroundContext['storage'],
  { webhook, subject }: StoredRecord,
): Promise<StoredRecord | undefined> {
  const { rows } = await storage.records.query(webhookDeliveries, {
    where: {
      every: [{ field: 'webhook', is: webhook as string }, { field: 'subject', is: subject as string }, pending],
    },
    order: [{ by: 'sequence' }],
    limit: 1,
  })
  return rows[0]
}

/** Standard Webhooks: id, time and body are signed with the secret; the id is the same for each attempt. */
async function signed({ secret }: Webhook, { id, name, data, at, sequence, subject }: StoredEvent, now: number) {
  const { Webhook: Signer } = await import('standardwebhooks')
  const body = JSON.stringify({ type: name, timestamp: at, sequence, subject, data })
  const time = new Date(now)
  return {
    ...({ method: 'POST', contentType: 'application/json', body } as const),
    headers: {
      'webhook-id': `evt_${id}`,
      'webhook-timestamp': String(Math.floor(now / second)),
      'webhook-signature': new Signer(secret).sign(`evt_${id}`, time, body),
    },
  }
}
