/**
 * Makes a PostgreSQL schema, or lifts that of the version before. Either shares a transaction with its version row, so a crash leaves
 * nothing partial. One process at a time, under the advisory lock of writes.
 */
import { createHash } from 'node:crypto'
import type { Row, SqlValue } from '../engine/fragments.ts'
import { refolding } from '../engine/refold.ts'
import { runSteps } from '../engine/steps.ts'
import type { Addition } from '../schema/additions.ts'
import { postgresAdditions, postgresIndexes, postgresTables, postgresTriggers } from '../schema/postgres.ts'
import { isInSearch } from '../schema/tables.ts'
import { type Migrated, migrationsFrom, NewerSchema, OlderSchema } from '../sqlite/migrate.ts'
import type { SearchSupport } from './dialect.ts'
import { isForbidden } from './errors.ts'
import { liftStatements } from './lift.ts'

interface SchemaName {
  readonly schema: string
  readonly quotedSchema: string
}

/** A connection that makes tables. */
export interface SchemaConnection {
  query(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
  /** Runs statements without values. */
  scripts(texts: readonly string[], timeoutMs?: number): Promise<unknown>
  /** Present where statements do not begin and end transactions: runs work in one that has the lock for writes. */
  transaction?<T>(work: () => Promise<T>): Promise<T>
  rollback(text: string): Promise<unknown>
}

/** The version before the first schema, which it can lift; additions follow it. */
const liftedVersion = 21
export const schemaVersion = liftedVersion + 1 + postgresAdditions('').length
const MIN_SERVER_VERSION = 140_000

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The two keys of the advisory lock for writes to a schema. */
export function advisoryLockKeys(schema: string): string {
  const digest = createHash('sha1').update(`site-api ${schema}`).digest('hex')
  return `${Number.parseInt(digest.slice(0, 8), 16) | 0}, ${Number.parseInt(digest.slice(8, 16), 16) | 0}`
}

export async function migrate(connection: SchemaConnection, name: SchemaName): Promise<Migrated> {
  await assertServer(connection)
  const pending = migrationsFrom(await versionOf(connection, name), liftedVersion, postgresAdditions(''))
  const applied = pending.length === 0 ? [] : await apply(connection, name)
  return { version: await versionOf(connection, name), applied }
}

export function assertKnownVersion(version: number): void {
  if (version > schemaVersion) throw new NewerSchema(version, schemaVersion)
}

/** Throws unless the schema has the version of this package, for a storage that must not migrate. */
export async function assertSchemaVersion(connection: SchemaConnection, name: SchemaName): Promise<void> {
  await assertServer(connection)
  const version = await versionOf(connection, name)
  assertKnownVersion(version)
  if (version < schemaVersion) {
    throw new OlderSchema(
      `The schema ${name.schema} has version ${version}, and this version of the package needs ${schemaVersion}: run site-api migrate.`,
    )
  }
}

async function assertServer(connection: SchemaConnection): Promise<void> {
  const [row] = await connection.query(
    "select current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding')",
  )
  const [number = 0, version, encoding] = row ?? []
  if (Number(number) < MIN_SERVER_VERSION) throw new Error(`PostgreSQL 14 or newer is needed, and this is ${version}`)
  if (encoding !== 'UTF8') throw new Error(`The database must have the encoding UTF8, and this one has ${encoding}`)
}

async function apply(connection: SchemaConnection, name: SchemaName): Promise<readonly string[]> {
  const { schema, quotedSchema } = name
  return inTransaction(connection, schema, async () => {
    // Checked first: a role may own a schema without the privilege to create one.
    const [existing] = await connection.query('select 1 from pg_namespace where nspname = $1', [schema])
    if (existing === undefined) await connection.scripts([`create schema ${quotedSchema}`])
    await connection.scripts([
      `create table if not exists ${quotedSchema}.schema_versions (version integer primary key, name text not null)`,
    ])
    // Checked again under the lock: two processes may open a new database at once.
    const pending = migrationsFrom(await versionOf(connection, name), liftedVersion, postgresAdditions(quotedSchema))
    const insertion = `insert into ${quotedSchema}.schema_versions (version, name) values ($1, $2)`
    for (const { version, name: migration, addition } of pending) {
      if (addition !== undefined) await add(connection, quotedSchema, addition)
      else await connection.scripts((migration === 'lift' ? liftStatements : newStatements)(quotedSchema))
      await connection.query(insertion, [version, migration])
    }
    return pending.map((migration) => migration.name)
  })
}

async function add(connection: SchemaConnection, schema: string, addition: Addition): Promise<void> {
  const { columns, refolds, narrowsSearch, indexes } = addition
  if (columns.length > 0) await connection.scripts(columns)
  if (refolds) await refold(connection, schema)
  // It is created again when the storage opens.
  if (narrowsSearch) await connection.scripts([`drop index if exists ${schema}.posts_search`])
  if (indexes.length > 0) await connection.scripts(indexes)
}

async function refold(connection: SchemaConnection, schema: string): Promise<void> {
  const steps = refolding({ prefix: `${schema}.`, parameter: (number) => `$${number}` })
  await runSteps(steps, ({ text, values }) => connection.query(text, values))
}

const newStatements = (schema: string): readonly string[] => [
  ...postgresTables(schema).values(),
  ...postgresIndexes(schema),
  ...postgresTriggers(schema),
  // One row: what the last writing transactions have left, and their number.
  `create table ${schema}.changes (version bigint not null, options bigint not null default 0, position bigint not null default 0);`,
  `insert into ${schema}.changes values (0);`,
]

async function versionOf(connection: SchemaConnection, { quotedSchema }: SchemaName): Promise<number> {
  if (!(await hasRelation(connection, `${quotedSchema}.schema_versions`))) return 0
  const [row] = await connection.query(`select coalesce(max(version), 0) from ${quotedSchema}.schema_versions`)
  return Number(row?.[0] ?? 0)
}

async function hasRelation(connection: SchemaConnection, name: string): Promise<boolean> {
  const [row] = await connection.query('select to_regclass($1) is not null', [name])
  return row?.[0] === 1
}

// ---------------------------------------------------------------- indexes

/** Creates the index for text search if `pg_trgm` is available; without it a search reads the texts. */
export async function createSearchIndex(
  connection: SchemaConnection,
  { schema, quotedSchema }: SchemaName,
): Promise<void> {
  if (await hasRelation(connection, `${quotedSchema}.posts_search`)) return
  const extensionSchema = (await trigramSchema(connection)) ?? (await createTrigramExtension(connection, schema))
  if (extensionSchema === undefined) return
  const columns = ['title_folded', 'excerpt_folded', 'content_folded'].map(
    (column) => `${column} ${extensionSchema}.gin_trgm_ops`,
  )
  await ignoringForbidden(() =>
    inTransaction(connection, schema, () =>
      connection.scripts([
        `create index if not exists posts_search on ${quotedSchema}.posts using gin (${columns.join(', ')}) where ${isInSearch('')}`,
      ]),
    ),
  )
}

/** Which texts the search index supports. */
export async function searchSupport(
  connection: SchemaConnection,
  { quotedSchema }: SchemaName,
): Promise<SearchSupport['searchIndex']> {
  const extensionSchema = await trigramSchema(connection)
  if (extensionSchema === undefined || !(await hasRelation(connection, `${quotedSchema}.posts_search`))) return 'none'
  const [row] = await connection.query(`select cardinality(${extensionSchema}.show_trgm('漢字仮名')) > 0`)
  return row?.[0] === 1 ? 'unicode' : 'ascii'
}

/** The quoted schema of the extension `pg_trgm`. */
async function trigramSchema(connection: SchemaConnection): Promise<string | undefined> {
  const [row] = await connection.query(
    "select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'",
  )
  return row === undefined ? undefined : quoteIdentifier(String(row[0]))
}

async function createTrigramExtension(connection: SchemaConnection, schema: string): Promise<string | undefined> {
  try {
    await inTransaction(connection, schema, () => connection.scripts(['create extension if not exists pg_trgm']))
  } catch {
    // Not installed, not permitted, or just created by another process: the next line checks whether it exists.
  }
  return trigramSchema(connection)
}

/**
 * Creates the indexes of a collection from the statements of `recordIndexes`. With `migrate: false` a missing index is ignored,
 * unless it enforces uniqueness: then throws OlderSchema.
 */
export async function ensureIndexes(
  connection: SchemaConnection,
  statements: readonly string[],
  options: SchemaName & { readonly migrate: boolean; readonly timeoutMs?: number },
): Promise<void> {
  const { quotedSchema } = options
  for (const statement of statements) {
    const [, unique = '', name = '', rest = ''] =
      /^create (unique )?index if not exists "([^"]+)" on records (.+)$/s.exec(statement) ?? []
    const shortName = quoteIdentifier(indexName(name))
    if (await hasRelation(connection, `${quotedSchema}.${shortName}`)) continue
    if (options.migrate) {
      const creation = `create ${unique}index ${shortName} on ${quotedSchema}.records ${rest}`
      await connection.scripts([creation], options.timeoutMs)
    } else if (unique !== '') throw new OlderSchema(`The index ${indexName(name)} is missing: run site-api migrate.`)
  }
}

const MAX_IDENTIFIER_LENGTH = 63

/**
 * Shortens a name that the server would truncate, which could make two names equal. Preserves the first field for
 * conflicts.
 */
export function indexName(name: string): string {
  if (name.length <= MAX_IDENTIFIER_LENGTH) return name
  const [kind = '', , fields = ''] = name.split(':')
  const [first = ''] = fields.split(',')
  return `${kind}:${createHash('sha1').update(name).digest('hex').slice(0, 12)}:${first}`.slice(
    0,
    MAX_IDENTIFIER_LENGTH,
  )
}

async function ignoringForbidden(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}

export async function inTransaction<T>(
  connection: SchemaConnection,
  schema: string,
  work: () => Promise<T>,
): Promise<T> {
  if (connection.transaction !== undefined) return connection.transaction(work)
  await connection.scripts([
    'begin isolation level read committed;',
    `select pg_advisory_xact_lock(${advisoryLockKeys(schema)})`,
  ])
  try {
    const value = await work()
    await connection.scripts(['commit'])
    return value
  } catch (error) {
    await connection.rollback('rollback').catch(() => undefined)
    throw error
  }
}
