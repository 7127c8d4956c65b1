import type { Storage } from 'site-api'
import { sqliteStorage } from 'site-api/storage/sqlite'

export const storage: Storage = sqliteStorage('site.db', { durability: 'normal' })
// @ts-expect-error a file has a name
sqliteStorage(1)
