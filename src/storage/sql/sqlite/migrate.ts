/**
 * Makes the schema of a new SQLite database, or lifts that of the version before. Either shares a transaction with its version row, so
 * a crash leaves nothing partial. The search index is apart: it depends on an option.
 */

import { refolding } from '../engine/refold.ts'
import { type Addition, firstIndexes } from '../schema/additions.ts'
import { sqliteAdditions, sqliteSchema } from '../schema/sqlite.ts'
import { type Connection, inTransaction } from './driver.ts'
import { applicationId } from './identity.ts'
import { liftStatements } from './lift.ts'
import { schemaProblems } from './schema-check.ts'
import { createSearchIndex, dropSearchIndex, hasSearchIndex } from './search-index.ts'

/** The result of a migration: the schema version now, and the names of the migrations that ran. */
export interface Migrated {
  readonly version: number
  readonly applied: readonly string[]
}

/** The version before the first schema, which it can lift; additions follow it. */
const liftedVersion = 17
export const schemaVersion = liftedVersion + 1 + sqliteAdditions().length

/** The database has a newer schema than this version of the package. Recognised by `code`. */
export class NewerSchema extends Error {
  readonly code = 'storage_newer'
  constructor(version: number, latest: number) {
    super(
      `The database has schema version ${version}, and this version of the package knows only ${latest}: update the package.`,
    )
  }
}

/** The schema is older than what this version of the package can lift, or must not be changed. Recognised by `code`. */
export class OlderSchema extends Error {
  readonly code = 'storage_older'
}

interface Reader {
  all(sql: string, parameters: readonly []): readonly (readonly unknown[])[]
}

/** Throws a NewerSchema if a newer version of the package has migrated an open database. */
export function assertKnownVersion(reader: Reader): void {
  const version = Number(reader.all('select max(version) from schema_versions', [])[0]?.[0] ?? 0)
  if (version > schemaVersion) throw new NewerSchema(version, schemaVersion)
}

interface Migration {
  readonly version: number
  readonly name: string
  /** Absent for the first schema, whose tables are made or lifted. */
  readonly addition?: Addition
}

/** Lists the steps from a version of the schema to the latest one. */
export function migrationsFrom(version: number, lifted: number, additions: readonly Addition[]): readonly Migration[] {
  const first = lifted + 1
  const latest = first + additions.length
  if (version > latest) throw new NewerSchema(version, latest)
  const all = additions.map((addition, at) => ({ version: first + at + 1, name: `addition ${at + 1}`, addition }))
  const later = all.filter((migration) => migration.version > version)
  if (version >= first) return later
  if (version === 0) return [{ version: first, name: 'tables' }, ...later]
  if (version === lifted) return [{ version: first, name: 'lift' }, ...later]
  throw new OlderSchema(
    `The database has schema version ${version}, of a version of the package that was never published: this one takes over only version ${lifted}.`,
  )
}

/** `isMarked`: the file gets the application id; a Durable Object refuses to set it. */
export function migrate(connection: Connection, { isMarked = true } = {}): Migrated {
  const pending = () => migrationsFrom(versionOf(connection), liftedVersion, sqliteAdditions())
  // Read again under the lock: two processes may open a new file at once.
  const applied =
    pending().length === 0 ? [] : inTransaction(connection, 'write', () => apply(connection, pending(), isMarked))
  return { version: versionOf(connection), applied }
}

function apply(connection: Connection, migrations: readonly Migration[], isMarked: boolean): readonly string[] {
  connection.exec('create table if not exists schema_versions (version integer primary key, name text not null) strict')
  for (const { version, name, addition } of migrations) {
    if (addition !== undefined) add(connection, addition)
    else run(connection, name === 'lift' ? liftStatements(connection) : newSchema(isMarked))
    connection.prepare('insert into schema_versions (version, name) values (?, ?)').run([version, name])
  }
  return migrations.map(({ name }) => name)
}

function run(connection: Connection, statements: readonly string[]): void {
  for (const sql of statements) connection.exec(sql)
}

function add(connection: Connection, { columns, refolds, indexes }: Addition): void {
  run(connection, columns)
  if (refolds) refold(connection)
  run(connection, indexes)
}

function refold(connection: Connection): void {
  const steps = refolding({ prefix: '', parameter: () => '?' })
  for (let step = steps.next(); !step.done; ) {
    const { sql, values } = step.value
    step = steps.next(connection.prepare(sql).all(values))
  }
}

function newSchema(isMarked: boolean): readonly string[] {
  const { tables, indexes, triggers } = sqliteSchema({ hasSearchIndex: false })
  const names = firstIndexes('sqlite')
  const first = [...indexes].flatMap(([name, sql]) => (names.has(name) ? [sql] : []))
  const mark = isMarked ? [`pragma application_id = ${applicationId}`] : []
  return [...tables.values(), ...first, ...triggers.values(), ...mark]
}

/** Creates or drops the search index to match the option, with the triggers that mark what it has to index. */
export function syncSearchIndex(connection: Connection, { isWanted }: { readonly isWanted: boolean }): void {
  if (hasSearchIndex(connection) === isWanted) return
  inTransaction(connection, 'write', () => {
    // Checked again under the lock: another process may have done it.
    if (hasSearchIndex(connection) === isWanted) return
    if (isWanted) connection.exec(createSearchIndex)
    for (const { mend = [] } of schemaProblems(connection, { hasSearchIndex: isWanted })) run(connection, mend)
    if (!isWanted) connection.exec(dropSearchIndex)
  })
}

function versionOf(connection: Connection): number {
  const all = (sql: string) => connection.prepare(sql).all([])
  if (all("select 1 from sqlite_master where name = 'schema_versions'").length === 0) return 0
  return Number(all('select max(version) from schema_versions')[0]?.[0] ?? 0)
}
