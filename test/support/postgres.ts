/** Empty PostgreSQL storages, one schema each. Schemas are emptied and used again: that takes less time than making one. */
import pg from 'pg'
import { inject } from 'vitest'
import type { Storage } from '../../src/storage/contract.ts'
import { type PostgresOptions, postgresStorage } from '../../src/storage/postgres.ts'

let shared: pg.Pool | undefined
let made = 0
const free: string[] = []

/** Scripts that a test starts get it from the environment. */
export const postgresUrl = (): string => process.env.TEST_POSTGRES_URL ?? inject('postgresUrl')

/** Connections of this process, for all of its files. */
export function postgresPool(): pg.Pool {
  shared ??= new pg.Pool({ connectionString: postgresUrl(), max: 8, allowExitOnIdle: true })
  return shared
}

export const newSchema = (): string => `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}_${made++}`

export async function openPostgres(
  options: PostgresOptions = {},
): Promise<{ storage: Storage; dispose(): Promise<void> }> {
  const schema = free.pop() ?? newSchema()
  const storage = postgresStorage(postgresPool(), { schema, ...options })
  await storage.open?.()
  return {
    storage,
    dispose: async () => {
      await storage.close?.()
      await empty(schema)
      free.push(schema)
    },
  }
}

/** As new: no rows, ids from 1, no indexes of collections. */
async function empty(schema: string): Promise<void> {
  const pool = postgresPool()
  const { rows } = await pool.query(
    "select quote_ident(schemaname) || '.' || quote_ident(indexname) as name from pg_indexes where schemaname = $1 and indexname ~ '^records_(unique|by):'",
    [schema],
  )
  const tables = ['posts', 'post_counts', 'terms', 'post_terms', 'term_counts', 'users', 'meta', 'options', 'records']
  await pool.query(`truncate ${tables.map((table) => `${schema}.${table}`).join()} restart identity`)
  if (rows.length > 0) await pool.query(`drop index ${rows.map(({ name }) => name).join()}`)
}
