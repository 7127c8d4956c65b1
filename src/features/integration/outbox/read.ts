/** Numbers the events in the order in which readers find them, reads them, and removes old ones. */
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { sequenceOption } from '../../../site/settings.ts'
import type { Json, RecordValues, Storage, StoredRecord } from '../../../storage/contract.ts'
import { outboxChanges, outboxEvents, webhookDeliveries } from '../../../storage/contract-collections.ts'
import { newDelivery } from '../../shared/deliveries/model.ts'
import { keepNewest, oldRows } from '../../shared/retention/model.ts'
import type { RecordedEvent, Retention } from './record.ts'

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
  /** For the next call. */
  readonly cursor: number
  /** True: events after the cursor that was sent are no longer kept. */
  readonly missed: boolean
}

/** Transactions, of one to a hundred events each. */
const numberedAtOnce = 100

/** Who has to receive an event. */
export type Subscribers = (event: { readonly name: string }) => readonly string[]

/** Another process has numbered the same events. */
class LostRace extends Error {}

/**
 * Gives the next numbers to the events that have none, in the order of their transactions, and enters a delivery for each subscriber
 * in the same transaction. Two changes of one record wait for each other in the storage, so the order of ids is that of the changes.
 */
export async function numberEvents({ storage, app }: Omit<BackgroundContext, 'signal'>, subscribers: Subscribers) {
  await repeatWithNumbers(storage, (inside) => numberNext(inside, subscribers, app.clock()))
}

/** Transactions that take numbers, until one finds less than it may take; again, when another process took the same. */
async function repeatWithNumbers(storage: Storage, work: (inside: Storage) => Promise<number>): Promise<void> {
  for (;;) {
    try {
      if ((await retryTransaction(storage, work)) < numberedAtOnce) return
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
}

async function numberNext(storage: Storage, subscribers: Subscribers, now: number): Promise<number> {
  const { changes, events, last } = await takeChanges(storage, () => true)
  const rows = events.map((event, index) => ({ ...event, sequence: last + index + 1 }))
  await storage.records.insert(outboxEvents, rows)
  await storage.records.insert(
    webhookDeliveries,
    rows.flatMap((row) => deliveriesOf(row, subscribers, now)),
  )
  return changes
}

/**
 * Removes the oldest transactions up to the first that is not wanted, and takes numbers for their events. `last`: the number before
 * theirs.
 */
async function takeChanges(storage: Storage, isWanted: (row: StoredRecord) => boolean) {
  const { rows: oldest } = await storage.records.query(outboxChanges, { order: [{ by: 'id' }], limit: numberedAtOnce })
  const end = oldest.findIndex((row) => !isWanted(row))
  const rows = end < 0 ? oldest : oldest.slice(0, end)
  const events = rows.flatMap(eventsOf)
  if (rows.length === 0) return { changes: 0, events, last: 0 }
  const last = await takeNumbers(storage, events.length)
  const removed = await storage.records.remove(outboxChanges, { field: 'id', in: rows.map(({ id }) => id) })
  if (removed < rows.length) throw new LostRace()
  return { changes: rows.length, events, last }
}

const eventsOf = ({ events, created_at = null }: StoredRecord) =>
  // The cast: `recordEvents` wrote it.
  (events as RecordedEvent[]).map((event) => ({ ...event, created_at }))

/** Returns the number before the first one that was taken. */
async function takeNumbers(storage: Storage, count: number): Promise<number> {
  const known = (await storage.options.read([sequenceOption]))[sequenceOption] ?? null
  const last = typeof known === 'number' ? known : 0
  if (!(await storage.options.swap(sequenceOption, known, last + count))) throw new LostRace()
  return last
}

/**
 * Removes old events. Those that nobody has numbered yet take numbers with them, so that a reader notices what it has missed, and a
 * site without readers keeps no row for each.
 */
export async function removeOldEvents(parts: Omit<BackgroundContext, 'signal'>, retention: Retention): Promise<void> {
  const { lastId, before } = await oldRows(parts, outboxChanges, retention)
  const isOld = ({ id, created_at }: StoredRecord) => id <= lastId || String(created_at) < before
  await repeatWithNumbers(parts.storage, async (inside) => {
    const { changes, last } = await takeChanges(inside, isOld)
    // All that have a number are older: readers find no gap between two events.
    if (changes > 0) await inside.records.remove(outboxEvents, { field: 'sequence', to: last })
    return changes
  })
  await keepNewest(parts, outboxEvents, retention)
}

type NumberedEvent = RecordedEvent & { readonly sequence: number }

const deliveriesOf = ({ name, sequence, subject }: NumberedEvent, subscribers: Subscribers, now: number) =>
  subscribers({ name }).map((target): RecordValues => newDelivery({ target, sequence, subject }, now))

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
