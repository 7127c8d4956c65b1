/**
 * Makes the schema of a new SQLite database, or lifts that of the version before. Either shares a transaction with its version row, so
 * a crash leaves nothing partial. The search index is apart: it depends on an option.
 */

import { refolding } from '../engine/refold.ts'
import { each, rowsOf, type Steps } from '../engine/steps.ts'
import { type Addition, firstIndexes } from '../schema/additions.ts'
import { sqliteAdditions, sqliteSchema } from '../schema/sqlite.ts'
import { type Connection, inTransaction, perform } from './driver.ts'
import { applicationId } from './identity.ts'
import { liftStatements } from './lift.ts'
import { schemaProblems } from './schema-check.ts'
import { createSearchIndex, dropSearchIndex, hasSearchIndex, narrowSearchIndex } from './search-index.ts'

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

/** Throws a NewerSchema if a newer version of the package has migrated an open database. */
export function* assertKnownVersion(): Steps<void> {
  const [row] = yield* rowsOf('select max(version) from schema_versions')
  const version = Number(row?.[0] ?? 0)
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
  const isPending = perform(connection, pendingMigrations()).length > 0
  const applied = isPending ? inTransaction(connection, 'write', () => perform(connection, migrating(isMarked))) : []
  return { version: perform(connection, schemaVersionOf()), applied }
}

export function* pendingMigrations(): Steps<readonly Migration[]> {
  return migrationsFrom(yield* schemaVersionOf(), liftedVersion, sqliteAdditions())
}

/** For one transaction that writes: two processes may open a new file at once, so it reads the version again. */
export function* migrating(isMarked: boolean): Steps<readonly string[]> {
  const migrations = yield* pendingMigrations()
  yield* rowsOf('create table if not exists schema_versions (version integer primary key, name text not null) strict')
  for (const { version, name, addition } of migrations) {
    if (addition !== undefined) yield* add(addition)
    else yield* each(name === 'lift' ? yield* liftStatements() : newSchema(isMarked))
    yield { text: 'insert into schema_versions (version, name) values (?, ?)', values: [version, name] }
  }
  // Triggers follow their description, which has no history.
  if (migrations.length > 0) for (const { mend = [] } of yield* schemaProblems()) yield* each(mend)
  return migrations.map(({ name }) => name)
}

function* add({ columns, refolds, narrowsSearch, indexes }: Addition): Steps<void> {
  yield* each(columns)
  if (refolds) yield* refolding({ prefix: '', parameter: () => '?' })
  if (narrowsSearch && (yield* hasSearchIndex())) yield* each(narrowSearchIndex)
  yield* each(indexes)
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
  if (perform(connection, hasSearchIndex()) === isWanted) return
  inTransaction(connection, 'write', () => perform(connection, syncingSearchIndex(isWanted)))
}

/** For one transaction that writes: another process may have done it, so it checks again. */
export function* syncingSearchIndex(isWanted: boolean): Steps<void> {
  if ((yield* hasSearchIndex()) === isWanted) return
  if (isWanted) yield* each(createSearchIndex)
  for (const { mend = [] } of yield* schemaProblems({ hasSearchIndex: isWanted })) yield* each(mend)
  if (!isWanted) yield* each(dropSearchIndex)
}

function* schemaVersionOf(): Steps<number> {
  const named = yield* rowsOf("select 1 from sqlite_master where name = 'schema_versions'")
  if (named.length === 0) return 0
  const [row] = yield* rowsOf('select max(version) from schema_versions')
  return Number(row?.[0] ?? 0)
}
