/** Limits collections that grow with every call to a number of rows and an age in days. */
import type { Context } from '../../../core/declare/context.ts'
import type { Collection, Where } from '../../../storage/contract.ts'

interface Bounds {
  readonly count: number
  readonly days: number
}

const dayMs = 24 * 60 * 60 * 1000

type Parts = Pick<Context, 'storage' | 'app'>

/** Removes rows beyond the bounds. The collection must store ISO texts in `created_at`. */
export async function keepNewest(parts: Parts, collection: Collection, bounds: Bounds): Promise<void> {
  await parts.storage.records.remove(collection, await beyond(parts, collection, bounds))
}

/** The condition of the rows that `keepNewest` removes. */
export async function beyond({ storage, app }: Parts, collection: Collection, { count, days }: Bounds): Promise<Where> {
  const oldest = new Date(app.clock() - days * dayMs).toISOString()
  const order = [{ by: 'id', descending: true }]
  const { rows } = await storage.records.query(collection, { order, offset: count, limit: 1 })
  const [first] = rows
  const tooOld: Where = { field: 'created_at', below: oldest }
  return first ? { some: [tooOld, { field: 'id', to: first.id }] } : tooOld
}
