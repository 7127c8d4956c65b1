/** Reads a SQLite file on a thread where reads are long, and closes it while the site is idle. */
import { idleStorage } from '../../../src/storage/idle.ts'
import { readingThreadStorage } from '../../../src/storage/reading-thread.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'

export const storage = idleStorage(readingThreadStorage(sqliteStorage('site.db')), { idleMs: 60_000 })
