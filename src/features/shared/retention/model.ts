/** Bounds for collections that grow with every call: so many rows, and none older than so many days. */
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Collection, Where } from '../../../storage/contract.ts'

export interface Bounds {
  readonly count: number
  readonly days: number
}

const dayMs = 24 * 60 * 60 * 1000

/** Removes what is beyond the bounds. The collection has its moments as ISO texts in `created_at`. */
export function keepNewest(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  collection: Collection,
  { count, days }: Bounds,
): MaybePromise<void> {
  const oldest = new Date(app.clock() - days * dayMs).toISOString()
  const beyond = { order: [{ by: 'id', descending: true }], offset: count, limit: 1 }
  return andThen(storage.records.query(collection, beyond), ({ rows: [first] }) => {
    const tooOld: Where = { field: 'created_at', below: oldest }
    const where: Where = first ? { some: [tooOld, { field: 'id', to: first.id }] } : tooOld
    return andThen(storage.records.remove(collection, where), () => undefined)
  })
}
