/** The PostgreSQL storage: what a host imports as `site-api/storage/postgres`. */
import type { Collection, Storage } from './contract.ts'
import { createStatements } from './sql/engine/statements.ts'
import { PostgresClient } from './sql/postgres/client.ts'
import { PostgresConnection, type PostgresPool } from './sql/postgres/connection.ts'
import { postgresDialect, type SearchSupport } from './sql/postgres/dialect.ts'
import {
  ensureIndex,
  inTransaction,
  makeSearchIndex,
  migrate,
  quoted,
  refuseOtherVersions,
  searchIndexOf,
} from './sql/postgres/migrate.ts'
import type { Migrated } from './sql/sqlite/migrate.ts'
import { storesOn } from './sql/storage.ts'
import { recordIndexes } from './sql/stores/records.ts'

export type { PostgresPool } from './sql/postgres/connection.ts'
export type { Migrated }

/** What the `Pool` of `pg` takes, as far as types are needed; all else is handed on as it is. */
export interface PostgresConnectionOptions {
  readonly connectionString?: string
  readonly max?: number
  readonly [option: string]: unknown
}

export interface PostgresOptions {
  /** False: the schema is only looked at, and has to be brought up to date by `site-api migrate`. Default: true. */
  readonly migrate?: boolean
  /** Where the tables are, apart from those of the host. Default: `site_api`. */
  readonly schema?: string
  /** The index for text search, made where `pg_trgm` is there or may be. On by default; the answers are the same without. */
  readonly searchIndex?: boolean
  /** False behind a proxy that gives each transaction another connection and knows no prepared statements. */
  readonly prepares?: boolean
  /** Called with the text of each statement before it runs: for tests and tracing. Transaction control is left out. */
  readonly onStatement?: (sql: string) => void
}

const DEFAULT_SCHEMA = 'site_api'

/**
 * A storage in a schema of a PostgreSQL database, 14 or newer, for any number of processes. Takes a connection string, the
 * options of a pool, or the host's own `Pool` of `pg`, which stays open and needs room for two connections at least. Opens
 * and migrates on first use; a schema that a newer version of the package has written is refused with the code
 * `storage_newer`. Writing transactions of all processes run one after another.
 *
 * ```ts
 * const storage = postgresStorage(new pg.Pool({ connectionString: process.env.DATABASE_URL }))
 * const api = createSiteApi({ storage, profile: d1, url: 'https://example.com' })
 * ```
 */
export function postgresStorage(
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
  options: PostgresOptions = {},
): Storage {
  const { migrate: mayMigrate = true, searchIndex = true, prepares = true, onStatement } = options
  const name = nameOf(options)
  const support: SearchSupport = { searchIndex: 'none' }
  const client = new PostgresClient({
    ...name,
    pool: () => poolFrom(poolOrOptions),
    ownsPool: !isPool(poolOrOptions),
    migrate: mayMigrate,
    prepares,
    onStatement,
    prepare: async (connection) => {
      if (mayMigrate) await migrate(connection, name)
      else await refuseOtherVersions(connection, name)
      if (!searchIndex) return
      if (mayMigrate) await makeSearchIndex(connection, name)
      support.searchIndex = await searchIndexOf(connection, name)
    },
  })
  const statements = createStatements(postgresDialect(support))
  return {
    ...storesOn(statements, client.session()),
    atomic: (work) => client.atomic((inside) => work(storesOn(statements, inside))),
    open: () => client.open(),
    close: () => client.close(),
  }
}

/**
 * Brings a database to the schema of this version without opening a storage: what `site-api migrate` does. With
 * `collections` it also makes what they declare, so that a storage with `migrate: false` finds it.
 */
export async function migratePostgres(
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
  options: PostgresOptions & { readonly collections?: readonly Collection[] } = {},
): Promise<Migrated> {
  const { collections = [], searchIndex = true, prepares = true } = options
  const name = nameOf(options)
  const pool = await poolFrom(poolOrOptions)
  try {
    const connection = await PostgresConnection.from(pool, { prepares })
    try {
      const migrated = await migrate(connection, name)
      if (searchIndex) await makeSearchIndex(connection, name)
      const dialect = postgresDialect({ searchIndex: 'none' })
      await inTransaction(connection, name.schema, async () => {
        for (const collection of collections) {
          for (const text of recordIndexes(dialect, collection)) {
            await ensureIndex(connection, text, { ...name, migrate: true })
          }
        }
      })
      return migrated
    } finally {
      connection.release()
    }
  } finally {
    if (!isPool(poolOrOptions)) await pool.end()
  }
}

function nameOf({ schema = DEFAULT_SCHEMA }: PostgresOptions) {
  return { schema, quotedSchema: quoted(schema) }
}

function isPool(given: PostgresPool | PostgresConnectionOptions | string): given is PostgresPool {
  return typeof given === 'object' && typeof (given as { connect?: unknown }).connect === 'function'
}

async function poolFrom(given: PostgresPool | PostgresConnectionOptions | string): Promise<PostgresPool> {
  const pool = isPool(given) ? given : await newPool(typeof given === 'string' ? { connectionString: given } : given)
  // The pool replaces a connection that is lost while nobody uses it; without a listener the process would end.
  if (!watched.has(pool)) pool.on('error', () => undefined)
  watched.add(pool)
  return pool
}

/** Several storages, a schema each, can share a pool. */
const watched = new WeakSet<PostgresPool>()

async function newPool(options: PostgresConnectionOptions): Promise<PostgresPool> {
  const { default: pg } = await import('pg').catch((cause) => {
    throw new Error('the PostgreSQL storage needs the package pg: install it, or hand in a pool', { cause })
  })
  return new pg.Pool(options)
}
