/** Empty PostgreSQL storages, one schema each. Schemas are emptied and reused, which is faster than creating them. */
import pg from 'pg'
import { inject } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { type PostgresOptions, postgresStorage } from '../../src/storage/postgres.ts'

let pool: pg.Pool | undefined
let schemaCount = 0
const freeSchemas: string[] = []

/** From the environment in scripts that a test starts. */
export const postgresUrl = (): string => process.env.TEST_POSTGRES_URL ?? inject('postgresUrl')

/** One pool for all test files of this process. */
export function postgresPool(): pg.Pool {
  pool ??= new pg.Pool({ connectionString: postgresUrl(), max: 8, allowExitOnIdle: true, pipeline: true })
  return pool
}

export const newSchema = (): string => `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}_${schemaCount++}`

/** An empty one that another test has left, or a new one. */
export const takeSchema = (): string => freeSchemas.pop() ?? newSchema()

export async function openPostgres(
  options: PostgresOptions = {},
): Promise<{ storage: Storage; dispose(): Promise<void> }> {
  const schema = options.schema ?? takeSchema()
  const storage = postgresStorage(postgresPool(), { ...options, schema })
  await storage.open?.()
  let isDisposed = false
  return {
    storage,
    dispose: async () => {
      await storage.close?.()
      // A schema that was given back twice would be that of two sites at once.
      if (isDisposed) return
      isDisposed = true
      await empty(schema)
      freeSchemas.push(schema)
    },
  }
}

const tables = [
  ...['posts', 'post_counts', 'terms', 'post_terms', 'term_counts'],
  ...['users', 'meta', 'options', 'records'],
]
const numbered = ['posts', 'terms', 'users', 'records']

/**
 * Removes all rows and the indexes of collections, and restarts the ids at 1. Rows are deleted without triggers, in 5 ms: to truncate so
 * many tables with their indexes took 20 and more.
 */
async function empty(schema: string): Promise<void> {
  const pool = postgresPool()
  const { rows } = await pool.query(
    "select quote_ident(schemaname) || '.' || quote_ident(indexname) as name from pg_indexes where schemaname = $1 and indexname ~ '^records_(unique|by):'",
    [schema],
  )
  await pool.query(
    [
      'set local session_replication_role = replica',
      ...tables.map((table) => `delete from ${schema}.${table}`),
      ...numbered.map((table) => `alter sequence ${schema}.${table}_id_seq restart`),
      ...(rows.length > 0 ? [`drop index ${rows.map(({ name }) => name).join()}`] : []),
    ].join(';'),
  )
}
