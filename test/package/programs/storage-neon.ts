import type { Storage } from 'site-api'
import { type NeonPool, type NeonQuery, neonStorage } from 'site-api/storage/neon'

declare const pool: NeonPool
declare const http: NeonQuery
export const storage: Storage = neonStorage(pool, { http })
// @ts-expect-error writes need the pool
neonStorage(http)
