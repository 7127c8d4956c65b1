/** The SQLite storage: what a host imports as `site-api/storage/sqlite`. */
import type { Storage } from './contract.ts'
import { createStatements } from './sql/engine/statements.ts'
import { SqliteClient } from './sql/sqlite/client.ts'
import { sqliteDialect } from './sql/sqlite/dialect.ts'
import { type Migrated, migrate } from './sql/sqlite/migrate.ts'
import { openSqlite } from './sql/sqlite/open.ts'
import { storesOn } from './sql/storage.ts'

export type { Migrated }

export interface SqliteOptions {
  /**
   * `full` (the default): what was answered is on the disk. `normal`: about six times the commits; after a power loss the
   * last of them may be missing, while the file stays whole and a crash of the process alone loses nothing.
   */
  readonly durability?: 'full' | 'normal'
  /** The index for text search, a fraction of the texts in size. On by default; without it a search reads the texts. */
  readonly searchIndex?: boolean
  /** Called with the text of each statement before it runs: for tests and tracing. Transaction control is left out. */
  readonly onStatement?: (sql: string) => void
}

/**
 * A storage in one SQLite file, or in memory with `:memory:`. Opens and migrates on first use; a file that a newer version
 * of the package has written is refused with the code `storage_newer`. Several processes of one machine can share a file.
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

/** Brings a file to the schema of this version without opening a storage: what `site-api migrate` does. */
export function migrateSqlite(file: string): Migrated {
  const connection = openSqlite(file, { busyMs: 10_000 })
  try {
    return migrate(connection)
  } finally {
    connection.close()
  }
}
