/** The PostgreSQL storage, exported as `site-api/storage/postgres`. */

import type { Collection, ReplicaReads, Storage } from '../contract/storage.ts'
import { checkOptionNames } from './option-names.ts'
import type { CheckReport } from './sql/counters.ts'
import { createStatements } from './sql/engine/statements.ts'
import { checkCounters } from './sql/postgres/check.ts'
import { PostgresClient } from './sql/postgres/client.ts'
import {
  defaultTimeouts,
  PostgresConnection,
  type PostgresPool,
  type PostgresTimeouts,
} from './sql/postgres/connection.ts'
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
import type { ReadServer } from './sql/postgres/replica.ts'
import type { Replicas } from './sql/postgres/replicas.ts'
import type { Migrated } from './sql/sqlite/migrate.ts'
import { storesOn } from './sql/storage.ts'
import { recordIndexes } from './sql/stores/records.ts'

export type { PostgresPool, PostgresTimeouts } from './sql/postgres/connection.ts'
export type { CheckReport, Migrated }

/** Options of the `Pool` of `pg`; those not listed here are passed on unchanged. */
export interface PostgresConnectionOptions {
  /** `postgres://user@host/database`. */
  readonly connectionString?: string
  /** The most connections of the pool. Default: 10. */
  readonly max?: number
  readonly [option: string]: unknown
}

/** The options of `postgresStorage`. */
export interface PostgresOptions {
  /** False: only checks the schema version; run `site-api migrate` to migrate. Default: true. */
  readonly migrate?: boolean
  /** The schema of the tables, separate from those of the host. Default: `site_api`. */
  readonly schema?: string
  /**
   * The index for text search; needs `pg_trgm`. Without it, searches read the texts and give the same results. Default:
   * true.
   */
  readonly searchIndex?: boolean
  /**
   * False behind a proxy without support for prepared statements, such as PgBouncer in transaction mode. Default: true.
   */
  readonly prepares?: boolean
  /**
   * Streaming standbys of the same database, as pools, options of pools or connection strings. Requests that only read go to one that
   * has what this process has read and written, and what the client has written elsewhere (`X-CMS-Position`); else to the primary.
   * What other processes wrote is there after a second at the latest. Default: none.
   */
  readonly replicas?: readonly (PostgresPool | PostgresConnectionOptions | string)[]
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
  replicas: true,
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
export function postgresStorage(
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
  options: PostgresOptions = {},
): Storage {
  checkOptionNames('postgresStorage', options, optionNames)
  checkOptionNames('timeouts', options.timeouts, timeoutNames)
  const { migrate: mayMigrate = true, searchIndex = true, prepares = true, replicas = [], onStatement } = options
  const name = nameOf(options)
  const support: SearchSupport = { searchIndex: 'none' }
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const client = new PostgresClient({
    ...name,
    primary: serverOf(poolOrOptions, timeouts.connectMs),
    replicas: replicas.map((replica) => serverOf(replica, timeouts.connectMs)),
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
  const statements = createStatements(postgresDialect(support))
  const storageOn = (server: ReadServer): Storage => ({
    ...storesOn(statements, server.session),
    atomic: (work) => {
      server.leave?.()
      return client.atomic((transaction) => work(storesOn(statements, transaction)))
    },
    readChanges: () => server.readChanges(),
  })
  return {
    ...storageOn(client.primary),
    ...(client.replicas && { replicas: replicaReads(client.replicas, storageOn) }),
    open: () => client.open(),
    close: () => client.close(),
  }
}

function replicaReads(replicas: Replicas, storageOn: (server: ReadServer) => Storage): ReplicaReads {
  const storages = new WeakMap<ReadServer, Storage>()
  return {
    position: () => replicas.position,
    choose: async (position) => {
      const { server, changes } = await replicas.choose(position)
      const storage = storages.get(server) ?? storageOn(server)
      storages.set(server, storage)
      return { storage, changes }
    },
  }
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
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
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
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
  options: PostgresOptions & {
    /** True: wrong counters are corrected. */
    readonly repair?: boolean
  } = {},
): Promise<CheckReport> {
  checkOptionNames('checkPostgres', options, { ...optionNames, repair: true })
  const { prepares = true, repair = false } = options
  return withConnection(poolOrOptions, prepares, (connection) =>
    checkCounters(connection, { ...nameOf(options), repair }),
  )
}

async function withConnection<T>(
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
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

function isPool(poolOrOptions: PostgresPool | PostgresConnectionOptions | string): poolOrOptions is PostgresPool {
  return typeof poolOrOptions === 'object' && typeof (poolOrOptions as { connect?: unknown }).connect === 'function'
}

const serverOf = (poolOrOptions: PostgresPool | PostgresConnectionOptions | string, connectMs: number) => ({
  pool: () => poolFrom(poolOrOptions, connectMs),
  ownsPool: !isPool(poolOrOptions),
})

async function poolFrom(
  poolOrOptions: PostgresPool | PostgresConnectionOptions | string,
  connectMs = defaultTimeouts.connectMs,
): Promise<PostgresPool> {
  const options = typeof poolOrOptions === 'string' ? { connectionString: poolOrOptions } : poolOrOptions
  const pool = isPool(options) ? options : await createPool(options, connectMs)
  // The pool replaces an idle connection that is lost; without a listener its error would end the process.
  if (!poolsWithListener.has(pool)) pool.on('error', () => undefined)
  poolsWithListener.add(pool)
  return pool
}

/** Several storages may share a pool, which needs only one listener. */
const poolsWithListener = new WeakSet<PostgresPool>()

async function createPool(options: PostgresConnectionOptions, connectMs: number): Promise<PostgresPool> {
  const { default: pg } = await import('pg').catch((cause) => {
    throw new Error('the PostgreSQL storage needs the package pg: install it, or hand in a pool', { cause })
  })
  return new pg.Pool({
    // Statements go out without waiting for the answers to those before.
    pipeline: true,
    // A connection that no packet has crossed for a while may be gone: the system asks.
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 10_000 },
    // Without it a handshake that a server does not answer holds its place in the pool for good.
    connectionTimeoutMillis: connectMs,
    ...options,
  })
}
