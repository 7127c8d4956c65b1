import type { Storage } from 'site-api'
import { type PgliteDatabase, pgliteStorage } from 'site-api/storage/pglite'

declare const database: PgliteDatabase
export const storage: Storage = pgliteStorage(database, { schema: 'site' })
// @ts-expect-error it takes a database
pgliteStorage('site-data')
