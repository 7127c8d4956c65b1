/** Runs long reads of a SQLite file on a thread, exported as `site-api/storage/reading-thread`. */
import type { Storage } from '../contract/storage.ts'
import { sqliteClients } from './sql/parts.ts'
import { LongReader } from './sql/sqlite/reading/long-reader.ts'
import { storesOn } from './sql/storage.ts'

/**
 * A SQLite storage whose long reads run on a thread with a connection for them, in a file of 4 MB or more: searches, and lists that
 * have taken more than a millisecond. They hold up no other request then. Takes a storage of `sqliteStorage`.
 *
 * ```ts
 * import { readingThreadStorage } from 'site-api/storage/reading-thread'
 * import { sqliteStorage } from 'site-api/storage/sqlite'
 *
 * const storage = readingThreadStorage(sqliteStorage('site.db'))
 * ```
 */
export function readingThreadStorage(storage: Storage): Storage {
  const client = sqliteClients.of(storage, 'readingThreadStorage')
  client.readAside((file) => new LongReader(file))
  return sqliteClients.add({ ...storage, ...storesOn(client.sql.session()) }, client)
}
