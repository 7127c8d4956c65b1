/**
 * Brings a database to the schema of this version: forward only, each step in a transaction together with its version row,
 * so that a crash leaves a whole number of steps. The search index is no step: it follows an option.
 */
import type { Connection } from './driver.ts'
import { type Migration, sqliteMigrations } from './schema.ts'
import { hasSearchIndex, makeSearchIndex } from './search-index.ts'

/** The steps that were taken and the version that the schema has now. */
export interface Migrated {
  readonly version: number
  readonly applied: readonly string[]
}

/** A newer version of the package has written this database. Recognised by `code`. */
export class NewerSchema extends Error {
  readonly code = 'storage_newer'
  constructor(found: number, known: number) {
    super(
      `The database has schema version ${found}, and this version of the package knows only ${known}: update the package.`,
    )
  }
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

/** Makes or drops the search index where the option asks for it. */
export function keepSearchIndex(connection: Connection, { isWanted }: { readonly isWanted: boolean }): void {
  if (hasSearchIndex(connection) === isWanted) return
  // Looked at again under the lock, for another process may have been faster.
  inTransaction(connection, () => makeSearchIndex(connection, { isWanted }))
}

function apply(connection: Connection, version: number, migration: Migration): boolean {
  return inTransaction(connection, () => {
    connection.exec(
      'create table if not exists schema_versions (version integer primary key, name text not null) strict',
    )
    // Looked at again under the lock: two processes may open a new file at once.
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
