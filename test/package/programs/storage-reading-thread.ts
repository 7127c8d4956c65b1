import type { Storage } from 'site-api'
import { readingThreadStorage } from 'site-api/storage/reading-thread'
import { sqliteStorage } from 'site-api/storage/sqlite'

export const storage: Storage = readingThreadStorage(sqliteStorage('site.db'))
// @ts-expect-error it wraps a storage
readingThreadStorage('site.db')
