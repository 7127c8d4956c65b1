/** Bounds for collections that grow with every call: so many rows, and none older than so many days. */
import type { Call } from '../../../core/declare/endpoint.ts'
import { chain, type Eventually } from '../../../core/runtime/maybe-promise.ts'
import type { Collection, Where } from '../../../storage/contract.ts'

export interface Bounds {
  readonly count: number
  readonly days: number
}

const dayMs = 24 * 60 * 60 * 1000

/** Removes what is beyond the bounds. The collection has its moments as ISO texts in `created_at`. */
export function keepNewest(
  { storage, site }: Pick<Call, 'storage' | 'site'>,
  collection: Collection,
  { count, days }: Bounds,
): Eventually<void> {
  const oldest = new Date(site.clock() - days * dayMs).toISOString()
  const beyond = { order: [{ by: 'id', descending: true }], offset: count, limit: 1 }
  return chain(storage.records.query(collection, beyond), ({ rows: [first] }) => {
    const tooOld: Where = { field: 'created_at', below: oldest }
    const where: Where = first ? { some: [tooOld, { field: 'id', to: first.id }] } : tooOld
    return chain(storage.records.remove(collection, where), () => undefined)
  })
}
