/** Stores recorded events, limited in number and age. */

import type { Collection, StoredRecord } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { keepNewest } from '../../shared/keep-for.ts'

/** `event` is JSON text, so that a search finds words in it. `ts` is the time stated by the client. */
export const eventCollection: Collection = {
  name: 'builder_events',
  fields: { event: 'text', ts: 'text', created_at: 'text' },
  indexed: ['created_at'],
}

/** An event of a client, which is not a change of the site. */
export interface UsageEvents {
  /** A client of the page builder reported an event: `event` is what it sent. */
  'usage.reported': { readonly id: number; readonly event: { readonly [name: string]: unknown } }
}

const retention = { count: 1000, days: 90 }

export async function storeEvent(
  context: Pick<Context, 'storage' | 'app' | 'emit'>,
  event: { readonly [name: string]: unknown },
): Promise<void> {
  const { details } = event
  const isObject = typeof details === 'object' && details !== null && !Array.isArray(details)
  const now = new Date(context.app.clock()).toISOString()
  const row = {
    event: JSON.stringify({ ...event, details: isObject ? details : {} }),
    ts: timestampOf(event['ts']) ?? now,
    created_at: now,
  }
  const [id = 0] = await context.storage.records.insert(eventCollection, [row])
  context.emit('usage.reported', { id, event })
  await keepNewest(context, eventCollection, retention)
}

/** The timestamp as the client wrote it; undefined for an invalid one. */
function timestampOf(input: unknown): string | undefined {
  return typeof input === 'string' && input.length <= 40 && !Number.isNaN(Date.parse(input)) ? input : undefined
}

interface EventQuery {
  readonly page: number
  readonly perPage: number
  readonly search?: string | undefined
}

export async function readEvents(
  { storage }: Pick<Context, 'storage'>,
  { page, perPage, search = '' }: EventQuery,
): Promise<{ rows: StoredRecord[]; total: number }> {
  return storage.records.query(eventCollection, {
    ...(search === '' ? {} : { where: { field: 'event', holds: search } }),
    order: [{ by: 'id', descending: true }],
    offset: (page - 1) * perPage,
    limit: perPage,
    total: true,
  })
}
