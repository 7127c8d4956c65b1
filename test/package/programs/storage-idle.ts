import type { Storage } from 'site-api'
import { idleStorage } from 'site-api/storage/idle'
import { sqliteStorage } from 'site-api/storage/sqlite'

export const storage: Storage = idleStorage(sqliteStorage('site.db'), { idleMs: 60_000 })
// @ts-expect-error the time has a name
idleStorage(sqliteStorage('site.db'), 60_000)
