/** Numbers the events in the order in which readers find them, reads them, and removes old ones. */

import type { Json, Storage, StoredRecord } from '../../../contract/storage.ts'
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { newDelivery } from '../../shared/deliveries.ts'
import { keepNewest, oldRows } from '../../shared/keep-for.ts'
import { outboxChanges, outboxEvents, webhookDeliveries } from './collections.ts'
import type { RecordedEvent, Retention } from './record.ts'

/** The number of the last durable event. */
export const sequenceOption = 'outbox_sequence'

/** An event of a committed change. */
export interface StoredEvent {
  /** 1 for the first event of a site; without gaps. */
  readonly sequence: number
  /** Unique among all sites. */
  readonly id: string
  /** `post.published`. */
  readonly name: string
  /** The record that changed: `post:12`. Events of one subject have the order of its changes. */
  readonly subject: string
  /** The payload, with the members of records that identify them. */
  readonly data: { readonly [name: string]: Json }
  /** When it was written: ISO, in GMT. */
  readonly at: string
}

/** A page of durable events. */
export interface StoredEvents {
  readonly events: readonly StoredEvent[]
  /** The position for the next call. */
  readonly cursor: number
  /** True: events after the cursor that was sent are no longer kept. */
  readonly missed: boolean
}

/**
 * A transaction reads so many changes, and numbers the first of them, of about so many events: then it does not block
 * others for long.
 */
const changesAtOnce = 100
const eventsAtOnce = 200

/** Who has to receive an event; `change` is the id of the row that its transaction wrote. */
export type Subscribers = (event: { readonly name: string; readonly change: number }) => readonly string[]

/** Another process has numbered the same events. */
class LostRace extends Error {}

/**
 * Gives the next numbers to the events that have none, in the order of their transactions, and enters a delivery for each subscriber
 * in the same transaction. Two changes of one record wait for each other in the storage, so the order of ids is that of the changes.
 */
export async function numberEvents(
  { storage, app }: Omit<BackgroundContext, 'signal'>,
  subscribersIn: (transaction: Storage) => Promise<Subscribers>,
) {
  await repeatWithNumbers(storage, (inside) => numberNext(inside, subscribersIn, app.clock()))
}

/** Transactions that take numbers, until one finds nothing; again, when another process took the same. */
async function repeatWithNumbers(storage: Storage, work: (inside: Storage) => Promise<boolean>): Promise<void> {
  for (;;) {
    try {
      if (!(await retryTransaction(storage, work))) return
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
}

async function numberNext(
  storage: Storage,
  subscribersIn: (transaction: Storage) => Promise<Subscribers>,
  now: number,
): Promise<boolean> {
  const { events, last, areMore } = await takeChanges(storage, () => true)
  if (events.length === 0) return areMore
  const subscribers = await subscribersIn(storage)
  const numbered = events.map(({ change, ...event }, index) => ({
    change,
    row: { ...event, sequence: last + index + 1 },
  }))
  const deliveries = numbered.flatMap(({ change, row: { name, sequence, subject } }) =>
    subscribers({ name, change }).map((target) => newDelivery({ target, sequence, subject }, now)),
  )
  await storage.records.insert(
    outboxEvents,
    numbered.map(({ row }) => row),
  )
  await storage.records.insert(webhookDeliveries, deliveries)
  return areMore
}

/**
 * Removes the oldest changes up to the first that is not wanted, and takes numbers for their events. `last`: the number before theirs.
 */
async function takeChanges(storage: Storage, isWanted: (change: StoredRecord) => boolean) {
  const { rows: found } = await storage.records.query(outboxChanges, { order: [{ by: 'id' }], limit: changesAtOnce })
  const changes = firstOf(found, isWanted)
  const events = changes.flatMap(eventsOf)
  if (changes.length === 0) return { events, last: 0, areMore: false }
  const last = await takeNumbers(storage, events.length)
  const removed = await storage.records.remove(outboxChanges, { field: 'id', in: changes.map(({ id }) => id) })
  if (removed < changes.length) throw new LostRace()
  return { events, last, areMore: changes.length < found.length || found.length === changesAtOnce }
}

/** Those before the first that is not wanted, of at most `eventsAtOnce` events if they are several. */
function firstOf(changes: readonly StoredRecord[], isWanted: (change: StoredRecord) => boolean) {
  let [count, end] = [0, 0]
  for (const change of changes) {
    count += recordedIn(change).length
    if (!isWanted(change) || (count > eventsAtOnce && end > 0)) break
    end++
  }
  return changes.slice(0, end)
}

// The cast: `recordEvents` wrote it.
const recordedIn = ({ events }: StoredRecord) => events as RecordedEvent[]

const eventsOf = (change: StoredRecord) =>
  recordedIn(change).map((event) => ({ ...event, created_at: String(change.created_at), change: change.id }))

/** Returns the number before the first one that was taken. */
async function takeNumbers(storage: Storage, count: number): Promise<number> {
  const known = (await storage.options.read([sequenceOption]))[sequenceOption] ?? null
  const last = typeof known === 'number' ? known : 0
  if (!(await storage.options.swap(sequenceOption, known, last + count))) throw new LostRace()
  return last
}

/**
 * Removes old events. Events without a number take numbers with them, so that a reader notices the gap, and a site
 * without readers keeps no row for each.
 */
export async function removeOldEvents(parts: Omit<BackgroundContext, 'signal'>, retention: Retention): Promise<void> {
  const { lastId, before } = await oldRows(parts, outboxChanges, retention)
  const isOld = ({ id, created_at }: StoredRecord) => id <= lastId || String(created_at) < before
  await repeatWithNumbers(parts.storage, async (inside) => {
    const { last, areMore, events } = await takeChanges(inside, isOld)
    // All that have a number are older: readers find no gap between two events.
    if (events.length > 0) await inside.records.remove(outboxEvents, { field: 'sequence', to: last })
    return areMore
  })
  await keepNewest(parts, outboxEvents, retention)
}

const toEvent = ({ sequence, uid, name, subject, data, created_at }: StoredRecord): StoredEvent => ({
  sequence: Number(sequence),
  id: String(uid),
  name: String(name),
  subject: String(subject),
  // The cast: `recordEvents` made an object of it.
  data: data as StoredEvent['data'],
  at: String(created_at),
})

/** The numbered events after the cursor, in order. */
export async function readEvents(storage: Storage, cursor: number, limit: number): Promise<StoredEvents> {
  const { rows } = await storage.records.query(outboxEvents, {
    where: { field: 'sequence', above: cursor },
    order: [{ by: 'sequence' }],
    limit,
  })
  const events = rows.map(toEvent)
  const next = events[0]?.sequence ?? (await nextNumber(storage))
  const missed = next > cursor + 1
  return { events, cursor: events.at(-1)?.sequence ?? (missed ? next - 1 : cursor), missed }
}

async function nextNumber(storage: Storage): Promise<number> {
  const last = (await storage.options.read([sequenceOption]))[sequenceOption]
  return typeof last === 'number' ? last + 1 : 1
}

/** The events with these numbers that are still kept. */
export async function eventsAt(storage: Storage, sequences: readonly number[]): Promise<Map<number, StoredEvent>> {
  const where = { field: 'sequence', in: [...new Set(sequences)] }
  const { rows } = await storage.records.query(outboxEvents, { where })
  return new Map(rows.map(toEvent).map((event) => [event.sequence, event]))
}
