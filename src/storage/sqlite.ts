/** The SQLite storage, exported as `site-api/storage/sqlite`. */
import type { Storage } from './contract.ts'
import { createStatements } from './sql/engine/statements.ts'
import { SqliteClient } from './sql/sqlite/client.ts'
import { sqliteDialect } from './sql/sqlite/dialect.ts'
import { type Migrated, migrate } from './sql/sqlite/migrate.ts'
import { openSqlite } from './sql/sqlite/open.ts'
import { storesOn } from './sql/storage.ts'

export type { Migrated }

/** The options of `sqliteStorage`. */
export interface SqliteOptions {
  /**
   * `full` (the default): a write is on the disk before its call returns. `normal`: about six times as many commits per
   * second; a power loss may lose the last commits but never corrupts the file, and a crash of the process loses nothing.
   */
  readonly durability?: 'full' | 'normal'
  /** The index for text search, smaller than the texts. Without it, searches read the texts. Default: true. */
  readonly searchIndex?: boolean
  /** Called with the text of each statement before it runs, except transaction control: for tests and tracing. */
  readonly onStatement?: (sql: string) => void
}

/**
 * A storage in one SQLite file, or in memory with `:memory:`. Opens and migrates on first use; throws with the code
 * `storage_newer` if a newer version of the package has migrated the file. Several processes of one machine can share a file.
 *
 * ```ts
 * const api = createSiteApi({ storage: sqliteStorage('site.db'), profile: d1, url: 'https://example.com' })
 * ```
 */
export function sqliteStorage(file: string, options: SqliteOptions = {}): Storage {
  const { durability = 'full', searchIndex = true, onStatement } = options
  const client = new SqliteClient(file, { open: openSqlite, durability, searchIndex, onStatement })
  const statements = createStatements(sqliteDialect({ hasSearchIndex: searchIndex }))
  return {
    ...storesOn(statements, client.session()),
    open: () => client.open(),
    changes: () => client.changes(),
    close: () => client.close(),
  }
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
    return migrate(connection)
  } finally {
    connection.close()
  }
}
