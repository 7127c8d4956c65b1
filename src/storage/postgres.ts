/** The PostgreSQL storage, exported as `site-api/storage/postgres`. */

import type { Collection, Storage } from '../contract/storage.ts'
import { checkOptionNames } from './option-names.ts'
import type { CheckReport } from './sql/counters.ts'
import { postgresParts } from './sql/parts.ts'
import { checkCounters } from './sql/postgres/check.ts'
import { PostgresClient } from './sql/postgres/client.ts'
import { defaultTimeouts, PostgresConnection, type PostgresTimeouts } from './sql/postgres/connection.ts'
import { postgresDialect, type SearchSupport } from './sql/postgres/dialect.ts'
import {
  assertSchemaVersion,
  createSearchIndex,
  ensureIndexes,
  inTransaction,
  migrate,
  quoteIdentifier,
  searchSupport,
} from './sql/postgres/migrate.ts'
import { isPool, type PostgresServer, poolFrom, serverOf } from './sql/postgres/pools.ts'
import type { Migrated } from './sql/sqlite/migrate.ts'
import { storageOn, storesOn } from './sql/storage.ts'
import { recordIndexes } from './sql/stores/records.ts'

export type { PostgresPool, PostgresTimeouts } from './sql/postgres/connection.ts'
export type { PostgresConnectionOptions, PostgresServer } from './sql/postgres/pools.ts'
export type { CheckReport, Migrated }

/** The options of `postgresStorage`. */
export interface PostgresOptions {
  /** False: only checks the schema version; run `site-api migrate` to migrate. Default: true. */
  readonly migrate?: boolean
  /** The tables have a schema that is separate from those of the host. Default: `site_api`. */
  readonly schema?: string
  /**
   * The index for text search; needs `pg_trgm`. Without it, searches read the texts and give the same results. Default:
   * true.
   */
  readonly searchIndex?: boolean
  /** False: a proxy does not support prepared statements, such as PgBouncer in transaction mode. Default: true. */
  readonly prepares?: boolean
  /** How long the storage waits for a server that is silent, and for the writes of others. */
  readonly timeouts?: PostgresTimeouts
  /** Called with the text of each statement before it runs, except transaction control: for tests and tracing. */
  readonly onStatement?: (sql: string) => void
}

const optionNames = {
  migrate: true,
  schema: true,
  searchIndex: true,
  prepares: true,
  timeouts: true,
  onStatement: true,
} as const

const DEFAULT_SCHEMA = 'site_api'
const timeoutNames = { connectMs: true, queryMs: true, lockMs: true, closeMs: true } as const
/** A migration or a check may read whole tables. */
const MAINTENANCE_MS = 30 * 60_000

/**
 * A storage in a schema of a PostgreSQL database, version 14 or newer, for any number of processes. Accepts a connection
 * string, the options of a pool, or the host's `Pool` of `pg`, which stays open and needs at least two connections. Opens and
 * migrates on first use; rejects with the code `storage_newer` if a newer version of the package has migrated the schema, and
 * with `storage_older` if `migrate` is false and the schema is older. Writing transactions of all processes run one at a time.
 *
 * ```ts
 * const storage = postgresStorage(new pg.Pool({ connectionString: process.env.DATABASE_URL, pipeline: true }))
 * const api = createSiteApi({ storage, profile: d1, url: 'https://example.com' })
 * ```
 */
export function postgresStorage(poolOrOptions: PostgresServer, options: PostgresOptions = {}): Storage {
  checkOptionNames('postgresStorage', options, optionNames)
  checkOptionNames('timeouts', options.timeouts, timeoutNames)
  const { migrate: mayMigrate = true, searchIndex = true, prepares = true, onStatement } = options
  const name = nameOf(options)
  const support: SearchSupport = { searchIndex: 'none' }
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const client = new PostgresClient({
    ...name,
    dialect: postgresDialect(support),
    primary: serverOf(poolOrOptions, timeouts.connectMs),
    migrate: mayMigrate,
    prepares,
    onStatement,
    timeouts,
    prepare: async (connection) => {
      if (mayMigrate) await migrate(connection, name)
      else await assertSchemaVersion(connection, name)
      if (!searchIndex) return
      if (mayMigrate) await createSearchIndex(connection, name)
      support.searchIndex = await searchSupport(connection, name)
    },
  })
  const storage = storageOn(client.sql, client)
  return postgresParts.add(storage, {
    client,
    storageOn: (server) => ({
      ...storage,
      ...storesOn(server.session),
      atomic: (work, atomicOptions) => {
        server.leave?.()
        return client.sql.atomic((transaction) => work(storesOn(transaction)), atomicOptions)
      },
      readChanges: () => server.readChanges(),
    }),
  })
}

/**
 * Migrates a database without opening a storage, as `site-api migrate` does. With `collections` it also creates their
 * indexes, for a storage with `migrate: false`.
 *
 * ```ts
 * import { collectionsOf, d1 } from 'site-api'
 * import { migratePostgres } from 'site-api/storage/postgres'
 *
 * console.log(await migratePostgres('postgres://localhost/site', { collections: collectionsOf(d1) }))
 * ```
 */
export async function migratePostgres(
  poolOrOptions: PostgresServer,
  options: PostgresOptions & {
    /** The collections whose indexes are created: `collectionsOf` of your profile. Default: none. */
    readonly collections?: readonly Collection[]
  } = {},
): Promise<Migrated> {
  checkOptionNames('migratePostgres', options, { ...optionNames, collections: true })
  const { collections = [], searchIndex = true, prepares = true } = options
  const name = nameOf(options)
  return withConnection(poolOrOptions, prepares, async (connection) => {
    const migrated = await migrate(connection, name)
    if (searchIndex) await createSearchIndex(connection, name)
    const dialect = postgresDialect({ searchIndex: 'none' })
    await inTransaction(connection, name.schema, async () => {
      for (const collection of collections) {
        await ensureIndexes(connection, recordIndexes(dialect, collection), { ...name, migrate: true })
      }
    })
    return migrated
  })
}

/**
 * Compares the counters of a database with its rows. With `repair` it makes wrong ones anew, in one transaction.
 *
 * ```ts
 * import { checkPostgres } from 'site-api/storage/postgres'
 *
 * console.log(await checkPostgres('postgres://localhost/site', { repair: true }))
 * ```
 */
export function checkPostgres(
  poolOrOptions: PostgresServer,
  options: PostgresOptions & {
    /** True: wrong counters are corrected. */
    readonly repair?: boolean
    /** Called with how many of the counters are compared. */
    readonly progress?: (done: number, total: number) => void
  } = {},
): Promise<CheckReport> {
  checkOptionNames('checkPostgres', options, { ...optionNames, repair: true, progress: true })
  const { prepares = true, repair = false, progress } = options
  return withConnection(poolOrOptions, prepares, (connection) =>
    checkCounters(connection, { ...nameOf(options), repair, progress }),
  )
}

async function withConnection<T>(
  poolOrOptions: PostgresServer,
  prepares: boolean,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const pool = await poolFrom(poolOrOptions)
  try {
    const connection = await PostgresConnection.from(pool, {
      prepares,
      timeouts: { ...defaultTimeouts, queryMs: MAINTENANCE_MS },
    })
    try {
      return await work(connection)
    } finally {
      connection.release()
    }
  } finally {
    if (!isPool(poolOrOptions)) await pool.end()
  }
}

function nameOf({ schema = DEFAULT_SCHEMA }: PostgresOptions) {
  return { schema, quotedSchema: quoteIdentifier(schema) }
}
