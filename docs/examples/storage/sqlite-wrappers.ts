/** Reads a SQLite file on a thread where reads are long, and closes it while the site is idle. */
import { idleStorage } from 'site-api/storage/idle'
import { readingThreadStorage } from 'site-api/storage/reading-thread'
import { sqliteStorage } from 'site-api/storage/sqlite'

export const storage = idleStorage(readingThreadStorage(sqliteStorage('site.db')), { idleMs: 60_000 })
