/** Numbers the events in the order in which readers find them, reads them, and removes old ones. */
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { sequenceOption } from '../../../site/settings.ts'
import type { Json, RecordValues, Storage, StoredRecord, Where } from '../../../storage/contract.ts'
import { outboxEvents, webhookDeliveries } from '../../../storage/contract-collections.ts'
import { newDelivery } from '../../shared/deliveries/model.ts'
import { beyond } from '../../shared/retention/model.ts'
import type { Retention } from './record.ts'

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

const numberedAtOnce = 200

/** Who has to receive an event. */
export type Subscribers = (event: { readonly name: string }) => readonly string[]

/** Another process has numbered the same events. */
class LostRace extends Error {}

/**
 * Gives the next numbers to the events that have none, in the order of their ids, and enters a delivery for each subscriber in the
 * same transaction. Two changes of one record wait for each other in the storage, so the order of ids is that of the changes.
 */
export async function numberEvents({ storage, app }: Omit<BackgroundContext, 'signal'>, subscribers: Subscribers) {
  let count: number
  do count = await withNumbers(storage, (inside) => numberNext(inside, subscribers, app.clock()))
  while (count === numberedAtOnce)
}

/** A transaction that takes numbers: again, when another process took the same. */
async function withNumbers<T>(storage: Storage, work: (inside: Storage) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await retryTransaction(storage, work)
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
}

async function numberNext(storage: Storage, subscribers: Subscribers, now: number): Promise<number> {
  const { rows } = await storage.records.query(outboxEvents, {
    where: { field: 'sequence', is: null },
    order: [{ by: 'id' }],
    limit: numberedAtOnce,
  })
  if (rows.length === 0) return 0
  const last = await takeNumbers(storage, rows.length)
  const numbered = await storage.records.update(
    outboxEvents,
    rows.map(({ id }, index) => ({
      id,
      changes: { sequence: last + index + 1 },
      when: { field: 'sequence', is: null },
    })),
  )
  if (numbered.length < rows.length) throw new LostRace()
  await storage.records.insert(
    webhookDeliveries,
    rows.flatMap((row, index) => deliveriesOf(row, last + index + 1, subscribers, now)),
  )
  return rows.length
}

/** Returns the number before the first one that was taken. */
async function takeNumbers(storage: Storage, count: number): Promise<number> {
  const known = (await storage.options.read([sequenceOption]))[sequenceOption] ?? null
  const last = typeof known === 'number' ? known : 0
  if (!(await storage.options.swap(sequenceOption, known, last + count))) throw new LostRace()
  return last
}

/**
 * Removes old events. Those that nobody has numbered yet take numbers with them, so that a reader notices what it has missed, and a
 * site without readers numbers none.
 */
export async function removeOldEvents(parts: Omit<BackgroundContext, 'signal'>, retention: Retention): Promise<void> {
  const where = await beyond(parts, outboxEvents, retention)
  await withNumbers(parts.storage, async (inside) => {
    const unnumbered: Where = { every: [where, { field: 'sequence', is: null }] }
    const count = await inside.records.remove(outboxEvents, unnumbered)
    if (count > 0) await takeNumbers(inside, count)
    await inside.records.remove(outboxEvents, where)
  })
}

const deliveriesOf = (row: StoredRecord, sequence: number, subscribers: Subscribers, now: number): RecordValues[] =>
  subscribers({ name: String(row.name) }).map((target) =>
    newDelivery({ target, sequence, subject: String(row.subject ?? '') }, now),
  )

const toEvent = ({ sequence, uid, name, subject, data, created_at }: StoredRecord): StoredEvent => ({
  sequence: Number(sequence),
  id: String(uid),
  name: String(name),
  subject: String(subject),
  // The cast: `recordEvents` wrote an object.
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
