/** The SQLite storage, exported as `site-api/storage/sqlite`. */
import type { Storage } from '../contract/storage.ts'
import { checkOptionNames } from './option-names.ts'
import type { CheckReport } from './sql/counters.ts'
import { sqliteClients } from './sql/parts.ts'
import { SqliteClient } from './sql/sqlite/client.ts'
import { sqliteDialect } from './sql/sqlite/dialect.ts'
import { assertOurs } from './sql/sqlite/identity.ts'
import { backupFile, checkFile, restoreFile } from './sql/sqlite/maintenance.ts'
import { type Migrated, migrate } from './sql/sqlite/migrate.ts'
import { openSqlite } from './sql/sqlite/open.ts'
import { storageOn } from './sql/storage.ts'

export type { CheckReport, Migrated }

/** The options of `sqliteStorage`. */
export interface SqliteOptions {
  /**
   * `full`: a write is on the disk before its call returns. `normal`: about six times as many commits per second; a power loss may
   * lose the last commits but never corrupts the file, and a crash of the process loses nothing. Default: `full`.
   */
  readonly durability?: 'full' | 'normal'
  /** The index for text search, smaller than the texts. Without it, searches read the texts. Default: true. */
  readonly searchIndex?: boolean
  /** Called with the text of each statement before it runs, except transaction control: for tests and tracing. */
  readonly onStatement?: (sql: string) => void
}

const optionNames = { durability: true, searchIndex: true, onStatement: true } as const

/**
 * A storage in one SQLite file, or in memory with `:memory:`. Opens and migrates on first use; throws with the code
 * `storage_newer` if a newer version of the package has migrated the file. Several processes of one machine can share a file.
 *
 * ```ts
 * const api = createSiteApi({ storage: sqliteStorage('site.db'), profile: d1, url: 'https://example.com' })
 * ```
 */
export function sqliteStorage(file: string, options: SqliteOptions = {}): Storage {
  checkOptionNames('sqliteStorage', options, optionNames)
  const { durability = 'full', searchIndex = true, onStatement } = options
  const dialect = sqliteDialect({ hasSearchIndex: searchIndex })
  const client = new SqliteClient(file, { open: openSqlite, dialect, durability, searchIndex, onStatement })
  return sqliteClients.add(storageOn(client.sql, client), client)
}

/**
 * Migrates a file without opening a storage, as `site-api migrate` does.
 *
 * ```ts
 * import { migrateSqlite } from 'site-api/storage/sqlite'
 *
 * console.log(migrateSqlite('site.db'))
 * ```
 */
export function migrateSqlite(file: string): Migrated {
  const connection = openSqlite(file, { busyMs: 10_000 })
  try {
    assertOurs(connection)
    return migrate(connection)
  } finally {
    connection.close()
  }
}

/** The options of `checkSqlite`. */
export interface CheckOptions {
  /** True: wrong counters, missing indexes and missing triggers are made anew. */
  readonly repair?: boolean
  /** Called with how many steps are done: the pages, the schema, and each counter. */
  readonly progress?: (done: number, total: number) => void
}

/** The options of `backupSqlite` and `restoreSqlite`. */
export interface CopyOptions {
  /** Called a few times each second with how many bytes are copied. */
  readonly progress?: (done: number, total: number) => void
}

/**
 * Checks a file: its pages, its schema, its references, and the counters against the rows. With `repair` it makes wrong counters,
 * missing indexes and missing triggers anew, in one transaction.
 *
 * ```ts
 * import { checkSqlite } from 'site-api/storage/sqlite'
 *
 * console.log(checkSqlite('site.db', { repair: true }).problems)
 * ```
 */
export function checkSqlite(file: string, { repair = false, progress }: CheckOptions = {}): CheckReport {
  return checkFile(file, { repair, progress })
}

/**
 * Copies a file while it is served, as it was at one moment. Copying it by other means loses the content of its
 * write-ahead log. The target must not exist. Needs Node.
 *
 * ```ts
 * import { backupSqlite } from 'site-api/storage/sqlite'
 *
 * await backupSqlite('site.db', 'backups/monday.db')
 * ```
 */
export function backupSqlite(file: string, target: string, options: CopyOptions = {}): Promise<void> {
  return backupFile(file, target, options.progress)
}

/**
 * Puts a backup in the place of a file that no process has open. What was there is kept; the result has its new name.
 *
 * ```ts
 * import { restoreSqlite } from 'site-api/storage/sqlite'
 *
 * const { kept } = await restoreSqlite('backups/monday.db', 'site.db')
 * console.log(kept)
 * ```
 */
export function restoreSqlite(
  backup: string,
  file: string,
  options: CopyOptions = {},
): Promise<{ readonly kept: string | undefined }> {
  return restoreFile(backup, file, options.progress)
}
