/** Sends what the actions of forms have composed, with retries, and enters the results in the log of the submission. */

import type { Json, Storage, StoredRecord } from '../../../../contract/storage.ts'
import type { Context } from '../../../../core/declare/context.ts'
import type { BackgroundContext } from '../../../../core/declare/scheduled-task.ts'
import { httpSenderOf } from '../../../../services/http-client/index.ts'
import { mailServiceOf } from '../../../../services/mail.ts'
import { type Attempted, atTarget, deliverDue, newDelivery } from '../../../shared/deliveries.ts'
import { keepNewest } from '../../../shared/keep-for.ts'
import { type ActionEntry, formDeliveries, textAt } from '../model.ts'
import { enterLog } from '../write.ts'
import type { FormAction, FormMessage } from './messages.ts'

interface Entered {
  /** Undefined: the form keeps no submissions. */
  readonly submission: number | undefined
  /** Tells this submission from others of a form that keeps none. */
  readonly key: string
}

const kept = { count: 100_000, days: 30 }
const sweepEvery = 512

/** Enters what has to be sent: in the transaction of the submission. */
export async function enterActions(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  actions: readonly FormAction[],
  { submission, key }: Entered,
): Promise<void> {
  if (actions.length === 0) return
  const subject = submission === undefined ? `form:${key}` : `submission:${submission}`
  const rows = actions.map(({ name, label, message }, index) =>
    newDelivery({ target: name, subject, sequence: index + 1 }, app.clock(), {
      submission: submission ?? null,
      message: { ...message, label },
    }),
  )
  const ids = await storage.records.insert(formDeliveries, rows)
  if (ids.some((id) => id % sweepEvery === 0)) await keepNewest({ storage, app }, formDeliveries, kept)
}

type StoredMessage = FormMessage & { readonly label: string }

/** For the background work of the feature: returns when the next is due. */
export const deliverForms = (context: BackgroundContext): Promise<number> =>
  deliverDue(context, {
    collection: formDeliveries,
    name: 'form action',
    // The cast: `enterActions` wrote it.
    attempt: (row) => send(context, row.message as unknown as StoredMessage, row),
    record: (storage, row, attempted) => enterResult(storage, row, attempted, context.app.clock()),
  })

const mailMs = 30_000

async function send({ app }: BackgroundContext, sent: StoredMessage, { id }: StoredRecord): Promise<Attempted> {
  const { label: _label, ...message } = sent
  if (message.kind === 'webhook') return call(app, message)
  const mail = mailServiceOf(app)
  if (!mail) return { result: 'dead', error: 'services.mail is missing' }
  const { kind: _kind, ...parts } = message
  await atTarget(() => withinTime(mail.send({ ...parts, id: `form-${id}` })))
  return { result: 'delivered' }
}

/** The lease of a delivery is longer. */
async function withinTime(sending: void | Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${mailMs / 1000} seconds`)), mailMs)
  })
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}

async function call(app: BackgroundContext['app'], { url, body }: FormMessage & { readonly kind: 'webhook' }) {
  const sender = httpSenderOf(app)
  if (!sender) return { result: 'dead', error: 'services.outbound has no function send' } as const
  const request = { method: 'POST', contentType: 'application/x-www-form-urlencoded', body } as const
  const { status, retryAfter } = await atTarget(() => sender.send(url, request, { overflow: 'cut', maxBytes: 1024 }))
  if (status >= 200 && status < 300) return { result: 'delivered', status } as const
  const error = `the receiver answered ${status}`
  return { result: status === 410 ? 'dead' : 'again', status, error, retryAfter } as const
}

// ---------------------------------------------------------------- the log

async function enterResult(
  storage: Storage,
  row: StoredRecord,
  attempted: Attempted & { readonly attempts: number },
  now: number,
): Promise<void> {
  if (typeof row.submission === 'number')
    await enterLog(storage, row.submission, [entryOf(row, attempted, textAt(now))])
  // The texts of visitors are not kept twice.
  if (attempted.result !== 'delivered') return
  await storage.records.update(formDeliveries, [{ id: row.id, changes: { message: null } }])
}

function entryOf(
  { target, message }: StoredRecord,
  { result, error = '', attempts }: Attempted & { readonly attempts: number },
  now: string,
): ActionEntry {
  // The cast: see `StoredMessage`.
  const { label } = message as { readonly [member: string]: Json }
  const failure = `attempt ${attempts}: ${error}${result === 'again' ? '; it is tried again' : ''}`
  const success = attempts > 1 ? `attempt ${attempts}` : ''
  const isDone = result === 'delivered'
  return {
    ...{ name: String(target), label: String(label), log: isDone ? success : failure },
    status: isDone ? 'success' : 'failed',
    createdAt: now,
    updatedAt: now,
  }
}
