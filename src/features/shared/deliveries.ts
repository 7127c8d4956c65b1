/**
 * Work for other servers that is done after a commit, such as webhooks and mails: in order per record, at least once, again with growing
 * pauses. A delivery is claimed by moving its due time on, so that of several processes one carries it out, and so that another takes it
 * up when the first has ended in the middle.
 */

import type { Collection, Json, RecordValues, Storage, StoredRecord, Where } from '../../contract/storage.ts'
import type { BackgroundContext } from '../../core/declare/scheduled-task.ts'
import { isProgramError } from '../../core/runtime/program-error.ts'
import { retryTransaction } from '../../core/runtime/retry-transaction.ts'
import { isStorageFailure } from '../../core/runtime/unit-of-work.ts'

const deliveryFields = {
  /** The receiver. Deliveries of one target and one subject keep their order. */
  target: 'text',
  subject: 'text',
  sequence: 'integer',
  /** `pending`, `delivered` or `dead`. */
  state: 'text',
  /** Milliseconds since 1970: not before. A process that delivers moves it on, so that no other does meanwhile. */
  due: 'integer',
  attempts: 'integer',
  /** The status of the last response; null: there was none. */
  status: 'integer',
  error: 'text',
  created_at: 'text',
} as const

/** Declares a collection of deliveries, with more fields where a delivery needs them. */
export const deliveryCollection = (
  name: string,
  more: Collection['fields'] = {},
  { unique = [] }: Pick<Collection, 'unique'> = {},
): Collection => ({
  name,
  fields: { ...deliveryFields, ...more },
  indexed: ['created_at'],
  orders: [
    ['state', 'due'],
    ['subject', 'state', 'sequence'],
    ['target', 'sequence'],
  ],
  unique,
})

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
/** Renewed while an attempt runs, so that it is over soon after the end of its process. */
const leaseMs = minute
const renewMs = leaseMs / 3
/** How many records one process sends at the same time. */
const parallel = 16
const maxErrorLength = 300

/** The receiver, the mail server or the picture is the cause of a failure, and the attempt counts. Any other error is one of the service. */
export class TargetFailure extends Error {}

/** Awaits a call to the target of a delivery. An error of the storage, of the disk, or that only a program makes stays one of the service. */
export async function atTarget<T>(call: () => Promise<T> | T): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isOurs = isProgramError(error) || isStorageFailure(error)
    if (isOurs || (error as { readonly code?: unknown }).code === 'unsupported') throw error
    throw new TargetFailure(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** How an attempt ended. `again`: after a pause, at the earliest after `retryAfter` seconds. `dead`: another attempt would not help. */
export interface Attempted {
  readonly result: 'delivered' | 'again' | 'dead'
  readonly status?: number
  readonly error?: string
  readonly retryAfter?: string | undefined
}

interface Courier {
  readonly collection: Collection
  /** Names the deliveries in the log: `webhook`, `form action`. */
  readonly name: string
  /**
   * Carries out a delivery. A rejection of `atTarget` is an attempt that failed; any other one is a failure of the service, which is
   * logged and does not count: the delivery stays due.
   */
  readonly attempt: (row: StoredRecord) => Promise<Attempted>
  /** The targets that this process serves; others wait for the processes that do. Default: all. */
  readonly targets?: readonly string[]
  /** Called with the next due deliveries, to read for all at once the rows that they need. */
  readonly prepare?: (rows: readonly StoredRecord[]) => Promise<void>
  /** Writes what follows from the end of an attempt, in its transaction. */
  readonly record?: (
    storage: Storage,
    row: StoredRecord,
    attempted: Attempted & { readonly attempts: number },
  ) => Promise<void>
}

interface NewDelivery {
  readonly target: string
  readonly subject: string
  readonly sequence: number
}

/** The values of a delivery that is due at once. */
export const newDelivery = (values: NewDelivery, now: number, more: RecordValues = {}): RecordValues => ({
  ...{ target: values.target, subject: values.subject, sequence: values.sequence },
  ...{ state: 'pending', due: now, attempts: 0, created_at: new Date(now).toISOString() },
  ...more,
})

interface Claimed {
  readonly row: StoredRecord
  /** The due time that this process has set. */
  due: number
}

type Context = Pick<BackgroundContext, 'storage' | 'app'>

/** Delivers until nothing is due. Returns when the next delivery is due. */
export async function deliverDue(context: BackgroundContext, courier: Courier): Promise<number> {
  while (!context.signal.aborted) {
    const { claimed, found } = await claimDue(context, courier)
    if (found === 0) return nextDue(context, courier)
    await courier.prepare?.(claimed.map(({ row }) => row))
    await Promise.all(claimed.map((one) => deliver(context, courier, one)))
  }
  return Number.POSITIVE_INFINITY
}

async function deliver(context: Context, courier: Courier, claimed: Claimed): Promise<void> {
  const renewal = renewing(context, courier.collection, claimed)
  const attempted = await courier.attempt(claimed.row).catch((error: unknown) => failed(error))
  await renewal.end()
  if ('ownError' in attempted) await putOff(context, courier, claimed, attempted.ownError)
  else await finish(context, courier, claimed, attempted)
}

/** Moves the end of the lease on while an attempt runs. */
function renewing({ storage, app }: Context, collection: Collection, claimed: Claimed) {
  let renewed: Promise<unknown> = Promise.resolve()
  const renew = async () => {
    const due = app.clock() + leaseMs
    if (await move(storage, collection, { ...claimed.row, due: claimed.due }, due)) claimed.due = due
  }
  const timer = setInterval(() => {
    // A failure now: the next one may succeed before the lease ends.
    renewed = renewed.then(renew).catch(() => undefined)
  }, renewMs)
  return {
    end: async () => {
      clearInterval(timer)
      await renewed
    },
  }
}

const failed = (error: unknown): Attempted | { readonly ownError: unknown } =>
  error instanceof TargetFailure ? { result: 'again', error: error.message } : { ownError: error }

// ---------------------------------------------------------------- claiming

/** The earliest delivery of each subject and target, as far as it is due; `found` are all that were due. */
async function claimDue(
  { storage, app }: Context,
  { collection, targets }: Courier,
): Promise<{ readonly claimed: readonly Claimed[]; readonly found: number }> {
  const now = app.clock()
  const { rows } = await storage.records.query(collection, {
    where: { every: [pending, { field: 'due', to: now }, ...among(targets)] },
    order: [{ by: 'due' }],
    limit: parallel,
  })
  const first = new Map(rows.map((row) => [`${row.target} ${row.subject}`, row]))
  const claimed: Claimed[] = []
  for (const one of first.values()) {
    const row = await firstWaiting(storage, collection, one)
    if (row && Number(row.due) <= now && (await move(storage, collection, row, now + leaseMs))) {
      claimed.push({ row, due: now + leaseMs })
    } else await postpone(storage, collection, rows, { one, first: row })
  }
  return { claimed, found: rows.length }
}

const pending: Where = { field: 'state', is: 'pending' }
const among = (targets: Courier['targets']): Where[] => (targets ? [{ field: 'target', in: [...targets] }] : [])
const unchanged = ({ due }: StoredRecord): Where => ({ every: [pending, { field: 'due', is: due as number }] })

const move = async ({ records }: Storage, collection: Collection, row: StoredRecord, due: number): Promise<boolean> =>
  (await records.update(collection, [{ id: row.id, changes: { due }, when: unchanged(row) }])).length > 0

/** Deliveries behind one that is not due wait as long as that one, so that they do not fill the window of those that are due. */
async function postpone(
  storage: Storage,
  collection: Collection,
  rows: readonly StoredRecord[],
  { one, first }: { readonly one: StoredRecord; readonly first: StoredRecord | undefined },
): Promise<void> {
  const until = Number(first?.due ?? one.due) + 1
  for (const row of rows) {
    const isBehind = row.target === one.target && row.subject === one.subject && row.id !== first?.id
    if (isBehind) await move(storage, collection, row, until)
  }
}

async function nextDue({ storage }: Context, { collection, targets }: Courier): Promise<number> {
  const where: Where = { every: [pending, ...among(targets)] }
  const { rows } = await storage.records.query(collection, { where, order: [{ by: 'due' }], limit: 1 })
  return rows[0] ? Number(rows[0].due) : Number.POSITIVE_INFINITY
}

async function firstWaiting(
  { records }: Storage,
  collection: Collection,
  { target, subject }: StoredRecord,
): Promise<StoredRecord | undefined> {
  const { rows } = await records.query(collection, {
    // The first field chooses among the orders of the collection, and the subject has the fewest rows.
    where: {
      every: [{ field: 'subject', is: subject as string }, pending, { field: 'target', is: target as string }],
    },
    order: [{ by: 'sequence' }],
    limit: 1,
  })
  return rows[0]
}

// ---------------------------------------------------------------- results

/** A late result of a process that had stopped for longer than the lease changes nothing. */
async function finish(
  { storage, app }: Context,
  { collection, record }: Courier,
  { row, due }: Readonly<Claimed>,
  attempted: Attempted,
): Promise<void> {
  const when = unchanged({ ...row, due })
  const attempts = Number(row.attempts) + 1
  const changes = changesOf(row, attempted, app.clock())
  await retryTransaction(storage, async (inside) => {
    const updated = await inside.records.update(collection, [{ id: row.id, changes, when }])
    const result = changes['state'] === 'dead' ? 'dead' : attempted.result
    if (updated.length > 0) await record?.(inside, row, { ...attempted, result, attempts })
  })
  if (changes['state'] !== undefined) await release(storage, collection, row)
}

const longestPutOff = hour

/** After a failure of the service: logs it, and tries again after the time that the delivery has waited so far, at most an hour. */
async function putOff(
  { storage, app }: Context,
  { collection, name }: Courier,
  { row, due }: Readonly<Claimed>,
  error: unknown,
): Promise<void> {
  const message = `a delivery to the ${name} ${row.target} failed in the service, not at its receiver; it stays due`
  app.log.error(message, { id: `${collection.name} ${row.id}`, error })
  const now = app.clock()
  const waited = now - Date.parse(String(row.created_at))
  const next = now + Math.min(Math.max(waited, 5 * second), longestPutOff)
  const text = `in the service: ${error instanceof Error ? error.message : String(error)}`.slice(0, maxErrorLength)
  const changes = { due: next, status: null, error: text }
  await storage.records.update(collection, [{ id: row.id, changes, when: unchanged({ ...row, due }) }])
}

function changesOf(row: StoredRecord, attempted: Attempted, now: number): RecordValues {
  const { result, status = null, error = null, retryAfter } = attempted
  const pause = pauses[Number(row.attempts)]
  const text: Json = error === null ? null : error.slice(0, maxErrorLength)
  const base = { attempts: Number(row.attempts) + 1, status, error: text }
  if (result === 'delivered') return { ...base, state: 'delivered' }
  if (result === 'dead' || pause === undefined) return { ...base, state: 'dead' }
  // A tenth more or less, so that what failed together does not come back together.
  const varied = pause * (0.9 + Math.random() / 5)
  const asked = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * second : 0
  return { ...base, due: Math.round(now + Math.max(varied, asked)) }
}

/** The next delivery of the record may have been postponed until the end of the lease. */
async function release(storage: Storage, collection: Collection, done: StoredRecord): Promise<void> {
  const row = await firstWaiting(storage, collection, done)
  if (row && Number(row.due) > Number(done.due)) await move(storage, collection, row, Number(done.due))
}
