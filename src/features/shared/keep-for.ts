/** Limits collections that grow with every call to a number of rows and an age in days. */

import type { Collection, Where } from '../../contract/storage.ts'
import type { Context } from '../../core/declare/context.ts'

interface Bounds {
  readonly count: number
  readonly days: number
}

const dayMs = 24 * 60 * 60 * 1000

type Parts = Pick<Context, 'storage' | 'app'>

/** Removes rows beyond the bounds. The collection must store ISO texts in `created_at`. */
export async function keepNewest(parts: Parts, collection: Collection, bounds: Bounds): Promise<void> {
  const { lastId, before } = await oldRows(parts, collection, bounds)
  const tooOld: Where = { field: 'created_at', below: before }
  const where: Where = lastId === 0 ? tooOld : { some: [tooOld, { field: 'id', to: lastId }] }
  await parts.storage.records.remove(collection, where)
}

/** The rows that `keepNewest` removes: those up to an id, 0: none, and those that were written before a time. */
export async function oldRows({ storage, app }: Parts, collection: Collection, { count, days }: Bounds) {
  const order = [{ by: 'id', descending: true }]
  const { rows } = await storage.records.query(collection, { order, offset: count, limit: 1 })
  return { lastId: rows[0]?.id ?? 0, before: new Date(app.clock() - days * dayMs).toISOString() }
}
