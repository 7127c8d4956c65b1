/**
 * Migrates a SQLite database, forward only. Each migration and its version row share a transaction, so a crash leaves no
 * partial migration. The search index is not a migration: it depends on an option.
 */
import type { Connection } from './driver.ts'
import { type Migration, sqliteMigrations } from './schema.ts'
import { hasSearchIndex, setSearchIndex } from './search-index.ts'

/** The result of a migration: the schema version now, and the names of the migrations that ran. */
export interface Migrated {
  readonly version: number
  readonly applied: readonly string[]
}

/** The database has a newer schema than this version of the package. Recognised by `code`. */
export class NewerSchema extends Error {
  readonly code = 'storage_newer'
  constructor(version: number, latest: number) {
    super(
      `The database has schema version ${version}, and this version of the package knows only ${latest}: update the package.`,
    )
  }
}

interface Reader {
  all(sql: string, parameters: readonly []): readonly (readonly unknown[])[]
}

/** Throws a NewerSchema if a newer version of the package has migrated an open database. */
export function assertKnownVersion(reader: Reader, latest: number = sqliteMigrations.length): void {
  const version = Number(reader.all('select max(version) from schema_versions', [])[0]?.[0] ?? 0)
  if (version > latest) throw new NewerSchema(version, latest)
}

export function migrate(connection: Connection, migrations: readonly Migration[] = sqliteMigrations): Migrated {
  const before = versionOf(connection)
  if (before > migrations.length) throw new NewerSchema(before, migrations.length)
  const applied: string[] = []
  for (let version = before + 1; version <= migrations.length; version++) {
    const migration = migrations[version - 1] as Migration
    if (apply(connection, version, migration)) applied.push(migration.name)
  }
  return { version: versionOf(connection), applied }
}

/** Creates or drops the search index to match the option. */
export function syncSearchIndex(connection: Connection, { isWanted }: { readonly isWanted: boolean }): void {
  if (hasSearchIndex(connection) === isWanted) return
  // Checked again under the lock: another process may have done it.
  inTransaction(connection, () => setSearchIndex(connection, { isWanted }))
}

function apply(connection: Connection, version: number, migration: Migration): boolean {
  return inTransaction(connection, () => {
    connection.exec(
      'create table if not exists schema_versions (version integer primary key, name text not null) strict',
    )
    // Checked again under the lock: two processes may open a new file at once.
    if (versionOf(connection) >= version) return false
    connection.exec(migration.sql)
    connection.prepare('insert into schema_versions (version, name) values (?, ?)').run([version, migration.name])
    return true
  })
}

function versionOf(connection: Connection): number {
  if (!hasTable(connection, 'schema_versions')) return 0
  const [row] = connection.prepare('select coalesce(max(version), 0) from schema_versions').all([])
  return Number(row?.[0] ?? 0)
}

function hasTable(connection: Connection, name: string): boolean {
  return connection.prepare("select 1 from sqlite_master where type = 'table' and name = ?").all([name]).length > 0
}

function inTransaction<T>(connection: Connection, work: () => T): T {
  if (connection.transaction !== undefined) return connection.transaction(work)
  connection.exec('begin immediate')
  try {
    const value = work()
    connection.exec('commit')
    return value
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  }
}
