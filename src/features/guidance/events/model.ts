/** The recorded events: bounded by number and age. */
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Collection, StoredRecord } from '../../../storage/contract.ts'
import { keepNewest } from '../../shared/retention/model.ts'

/** `event` is JSON text, so that a search finds words in it. `ts` is the moment that the client states. */
export const eventCollection: Collection = {
  name: 'builder_events',
  fields: { event: 'text', ts: 'text', created_at: 'text' },
  indexed: ['created_at'],
}

const retention = { count: 1000, days: 90 }

export function storeEvent(
  context: Pick<Context, 'storage' | 'app'>,
  event: { readonly [name: string]: unknown },
): MaybePromise<void> {
  const { details } = event
  const isObject = typeof details === 'object' && details !== null && !Array.isArray(details)
  const now = new Date(context.app.clock()).toISOString()
  const row = {
    event: JSON.stringify({ ...event, details: isObject ? details : {} }),
    ts: timestampOf(event['ts']) ?? now,
    created_at: now,
  }
  return andThen(context.storage.records.insert(eventCollection, [row]), () =>
    keepNewest(context, eventCollection, retention),
  )
}

/** A moment as the client wrote it; whatever is none counts as not sent. */
function timestampOf(sent: unknown): string | undefined {
  return typeof sent === 'string' && sent.length <= 40 && !Number.isNaN(Date.parse(sent)) ? sent : undefined
}

export interface EventQuery {
  readonly page: number
  readonly per_page: number
  readonly search?: string | undefined
}

export function readEvents(
  { storage }: Pick<Context, 'storage'>,
  { page, per_page: limit, search = '' }: EventQuery,
): MaybePromise<{ rows: StoredRecord[]; total: number }> {
  return storage.records.query(eventCollection, {
    ...(search === '' ? {} : { where: { field: 'event', holds: search } }),
    order: [{ by: 'id', descending: true }],
    offset: (page - 1) * limit,
    limit,
    total: true,
  })
}
