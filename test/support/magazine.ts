/** Creates schemas with the tables of the example docs/examples/magazine, and opens storages on them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { installSite } from '../../docs/examples/magazine/install.ts'
import { newSchema, postgresPool, postgresUrl } from './postgres.ts'

const hostTables = readFileSync(join(import.meta.dirname, '../../docs/examples/magazine/host.sql'), 'utf8')

export interface Magazine {
  /** Finds the tables by its `search_path`, as the pool of the host does. */
  readonly pool: pg.Pool
  empty(): Promise<void>
  /** Removes the schema. */
  dispose(): Promise<void>
}

export async function createMagazine(): Promise<Magazine> {
  const schema = newSchema()
  await postgresPool().query(`create schema ${schema}`)
  const pool = new pg.Pool({ connectionString: postgresUrl(), options: `-c search_path=${schema}`, max: 6 })
  await pool.query(hostTables)
  await installSite(pool)
  return {
    pool,
    empty: async () => {
      const tables = ['authors', 'articles', 'site_documents', 'site_values']
      // Faster than `truncate` for few rows.
      await pool.query(tables.map((table) => `delete from ${table}`).join('; '))
    },
    dispose: async () => {
      await pool.end()
      await postgresPool().query(`drop schema ${schema} cascade`)
    },
  }
}
