/** SQLite files that are closed while they are idle, exported as `site-api/storage/idle`. */
import type { Storage } from '../contract/storage.ts'
import { checkOptionNames } from './option-names.ts'
import { sqliteClients } from './sql/parts.ts'

/** The options of `idleStorage`. */
export interface IdleOptions {
  /** Closes the file when the storage was not used for one to two times so many milliseconds. */
  readonly idleMs: number
}

/**
 * A SQLite storage that closes its file while it is idle; the next use opens it again, which takes some milliseconds. For processes
 * that serve many sites. Takes a storage of `sqliteStorage`.
 *
 * ```ts
 * import { idleStorage } from 'site-api/storage/idle'
 * import { sqliteStorage } from 'site-api/storage/sqlite'
 *
 * const storage = idleStorage(sqliteStorage('site.db'), { idleMs: 60_000 })
 * ```
 */
export function idleStorage(storage: Storage, options: IdleOptions): Storage {
  checkOptionNames('idleStorage', options, { idleMs: true })
  const client = sqliteClients.of(storage, 'idleStorage')
  const timer = setInterval(() => client.closeUnlessUsed(), options.idleMs)
  timer.unref()
  const close = () => {
    clearInterval(timer)
    return storage.close?.()
  }
  return sqliteClients.add({ ...storage, close }, client)
}
