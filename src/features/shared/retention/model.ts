/** Limits collections that grow with every call to a number of rows and an age in days. */
import type { Context } from '../../../core/declare/context.ts'
import type { Collection, Where } from '../../../storage/contract.ts'

interface Bounds {
  readonly count: number
  readonly days: number
}

const dayMs = 24 * 60 * 60 * 1000

/** Removes rows beyond the bounds. The collection must store ISO texts in `created_at`. */
export async function keepNewest(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  collection: Collection,
  { count, days }: Bounds,
): Promise<void> {
  const oldest = new Date(app.clock() - days * dayMs).toISOString()
  const order = [{ by: 'id', descending: true }]
  const { rows } = await storage.records.query(collection, { order, offset: count, limit: 1 })
  const [first] = rows
  const tooOld: Where = { field: 'created_at', below: oldest }
  const where: Where = first ? { some: [tooOld, { field: 'id', to: first.id }] } : tooOld
  await storage.records.remove(collection, where)
}
