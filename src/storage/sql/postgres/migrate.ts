/**
 * Brings a schema to the state of this version: forward only, each step in a transaction together with its version row, so
 * that a crash leaves a whole number of steps. One process at a time, under the lock that writes take as well.
 */
import { createHash } from 'node:crypto'
import { type Migrated, NewerSchema } from '../sqlite/migrate.ts'
import type { PostgresConnection } from './connection.ts'
import type { SearchSupport } from './dialect.ts'
import { isForbidden } from './errors.ts'
import { type PostgresMigration, postgresMigrations } from './schema.ts'

export interface SchemaName {
  readonly schema: string
  readonly quotedSchema: string
}

/** The schema is older, and this storage was told to leave it alone. Recognised by `code`. */
export class OlderSchema extends Error {
  readonly code = 'storage_older'
}

const OLDEST_SERVER = 140_000

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The two numbers of the advisory lock under which a schema is written. */
export function lockOf(schema: string): string {
  const digest = createHash('sha1').update(`site-api ${schema}`).digest('hex')
  return `${Number.parseInt(digest.slice(0, 8), 16) | 0}, ${Number.parseInt(digest.slice(8, 16), 16) | 0}`
}

export async function migrate(
  connection: PostgresConnection,
  name: SchemaName,
  migrations: readonly PostgresMigration[] = postgresMigrations,
): Promise<Migrated> {
  await refuseServer(connection)
  const before = await versionOf(connection, name)
  if (before > migrations.length) throw new NewerSchema(before, migrations.length)
  const applied: string[] = []
  for (let version = before + 1; version <= migrations.length; version++) {
    const migration = migrations[version - 1] as PostgresMigration
    if (await apply(connection, name, version, migration)) applied.push(migration.name)
  }
  return { version: await versionOf(connection, name), applied }
}

/** For a storage that must not change the schema. */
export async function refuseOtherVersions(connection: PostgresConnection, name: SchemaName): Promise<void> {
  await refuseServer(connection)
  const known = postgresMigrations.length
  const found = await versionOf(connection, name)
  if (found > known) throw new NewerSchema(found, known)
  if (found < known) {
    throw new OlderSchema(
      `The schema ${name.schema} has version ${found}, and this version of the package needs ${known}: run site-api migrate.`,
    )
  }
}

async function refuseServer(connection: PostgresConnection): Promise<void> {
  const [row] = await connection.ask(
    "select current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding')",
  )
  const [number = 0, version, encoding] = row ?? []
  if (Number(number) < OLDEST_SERVER) throw new Error(`PostgreSQL 14 or newer is needed, and this is ${version}`)
  if (encoding !== 'UTF8') throw new Error(`The database must have the encoding UTF8, and this one has ${encoding}`)
}

async function apply(
  connection: PostgresConnection,
  { schema, quotedSchema }: SchemaName,
  version: number,
  migration: PostgresMigration,
): Promise<boolean> {
  return inTransaction(connection, schema, async () => {
    // Looked for first, for a role may own a schema without being allowed to make one.
    const [known] = await connection.ask('select 1 from pg_namespace where nspname = $1', [schema])
    if (known === undefined) await connection.script(`create schema ${quotedSchema}`)
    await connection.script(
      `create table if not exists ${quotedSchema}.schema_versions (version integer primary key, name text not null)`,
    )
    // Looked at again under the lock: two processes may open a new database at once.
    if ((await versionOf(connection, { schema, quotedSchema })) >= version) return false
    await connection.script(migration.sql(quotedSchema))
    const values = [version, migration.name]
    await connection.ask(`insert into ${quotedSchema}.schema_versions (version, name) values ($1, $2)`, values)
    return true
  })
}

async function versionOf(connection: PostgresConnection, { quotedSchema }: SchemaName): Promise<number> {
  if (!(await hasRelation(connection, `${quotedSchema}.schema_versions`))) return 0
  const [row] = await connection.ask(`select coalesce(max(version), 0) from ${quotedSchema}.schema_versions`)
  return Number(row?.[0] ?? 0)
}

async function hasRelation(connection: PostgresConnection, name: string): Promise<boolean> {
  const [row] = await connection.ask('select to_regclass($1) is not null', [name])
  return row?.[0] === 1
}

// ---------------------------------------------------------------- indexes

/** Makes the index for text search where the server offers it; without it a search reads the texts. */
export async function makeSearchIndex(
  connection: PostgresConnection,
  { schema, quotedSchema }: SchemaName,
): Promise<void> {
  if (await hasRelation(connection, `${quotedSchema}.posts_search`)) return
  const home = (await trigramHome(connection)) ?? (await makeTrigrams(connection, schema))
  if (home === undefined) return
  const columns = ['title_folded', 'excerpt_folded', 'content_folded'].map((column) => `${column} ${home}.gin_trgm_ops`)
  await orForbidden(() =>
    inTransaction(connection, schema, () =>
      connection.script(
        `create index if not exists posts_search on ${quotedSchema}.posts using gin (${columns.join(', ')})`,
      ),
    ),
  )
}

/** Whether there is an index for text search, and which texts it can look up. */
export async function searchIndexOf(
  connection: PostgresConnection,
  { quotedSchema }: SchemaName,
): Promise<SearchSupport['searchIndex']> {
  const home = await trigramHome(connection)
  if (home === undefined || !(await hasRelation(connection, `${quotedSchema}.posts_search`))) return 'none'
  const [row] = await connection.ask(`select cardinality(${home}.show_trgm('漢字仮名')) > 0`)
  return row?.[0] === 1 ? 'unicode' : 'ascii'
}

/** The schema of the extension, quoted. */
async function trigramHome(connection: PostgresConnection): Promise<string | undefined> {
  const [row] = await connection.ask(
    "select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'",
  )
  return row === undefined ? undefined : quoted(String(row[0]))
}

async function makeTrigrams(connection: PostgresConnection, schema: string): Promise<string | undefined> {
  try {
    await inTransaction(connection, schema, () => connection.script('create extension if not exists pg_trgm'))
  } catch {
    // Not installed, not allowed, or made by somebody else in this moment: what counts is whether it is there.
  }
  return trigramHome(connection)
}

/**
 * Makes an index over the records of a collection, from the statement that would make it on SQLite. A role that may not
 * do that works without, unless uniqueness depends on it.
 */
export async function ensureIndex(
  connection: PostgresConnection,
  statement: string,
  { quotedSchema, migrate: mayMake }: SchemaName & { readonly migrate: boolean },
): Promise<void> {
  const [, unique, name = '', rest = ''] =
    /^create (unique )?index if not exists "([^"]+)" on records (.+)$/s.exec(statement) ?? []
  const short = indexName(name)
  if (await hasRelation(connection, `${quotedSchema}.${quoted(short)}`)) return
  if (mayMake)
    await connection.script(`create ${unique ?? ''}index ${quoted(short)} on ${quotedSchema}.records ${rest}`)
  else if (unique !== undefined) throw new OlderSchema(`The index ${short} is missing: run site-api migrate.`)
}

const LONGEST_NAME = 63

/** The server cuts longer names, and two of them could become the same. The first field stays: a conflict is named after it. */
export function indexName(name: string): string {
  if (name.length <= LONGEST_NAME) return name
  const [kind = '', , fields = ''] = name.split(':')
  const [first = ''] = fields.split(',')
  return `${kind}:${createHash('sha1').update(name).digest('hex').slice(0, 12)}:${first}`.slice(0, LONGEST_NAME)
}

async function orForbidden(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}

export async function inTransaction<T>(
  connection: PostgresConnection,
  schema: string,
  work: () => Promise<T>,
): Promise<T> {
  await connection.script(
    `begin isolation level read committed read write; select pg_advisory_xact_lock(${lockOf(schema)})`,
  )
  try {
    const value = await work()
    await connection.script('commit')
    return value
  } catch (error) {
    await connection.undo('rollback').catch(() => undefined)
    throw error
  }
}
