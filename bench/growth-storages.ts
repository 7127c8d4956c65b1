/** The storages of the growth part, each fresh, with what has to be done once they are full. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Storage } from '../src/storage/contract.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { postgresStorage } from '../src/storage/postgres.ts'
import { indexStatements } from '../src/storage/sql/sqlite/search-index.ts'
import { sqliteStorage } from '../src/storage/sqlite.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { tell } from './progress.ts'

export interface Opened {
  readonly storage: Storage
  /** What a site comes to by itself after a while: its search index is up to date, its statistics are. Answers what to measure. */
  settle(): Promise<Storage>
  /** On disk, in bytes; 0 for memory. */
  size(): Promise<number>
  dispose(): Promise<void>
}

export const storageNames = ['memory', 'sqlite', 'postgres'] as const
export type StorageName = (typeof storageNames)[number]

export const open: { readonly [name in StorageName]: () => Promise<Opened> } = {
  memory: async () => {
    const storage = memoryStorage()
    return { storage, settle: async () => storage, size: async () => 0, dispose: async () => undefined }
  },

  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-growth-'))
    const file = join(folder, 'site.db')
    const storage = sqliteStorage(file)
    return {
      storage,
      settle: async () => {
        await indexed(file)
        return storage
      },
      size: async () => statSync(file).size,
      dispose: async () => {
        await storage.close?.()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },

  postgres: async () => {
    // As somebody sets it up who has a million posts: by default it keeps 128 MB of its pages in memory.
    const server = await startPostgres({
      settings: ['shared_buffers=4GB', 'max_wal_size=16GB', 'maintenance_work_mem=1GB'],
    })
    const pool = new pg.Pool({ connectionString: server.url, max: 4 })
    // Made at the end, the index for text search takes a fraction of the time, as for any bulk of rows.
    const storage = postgresStorage(pool, { searchIndex: false })
    const indexed = postgresStorage(pool)
    return {
      storage,
      settle: async () => {
        tell('making the search index')
        await indexed.open?.()
        await pool.query('vacuum analyze')
        // What was written goes to the disk now, and not while lists are measured.
        await pool.query('checkpoint')
        return indexed
      },
      size: async () => Number((await pool.query('select pg_database_size(current_database()) as size')).rows[0].size),
      dispose: async () => {
        await pool.end()
        await server.stop()
      },
    }
  },
}

/** What the storage does by itself in small steps, done in large ones. */
async function indexed(file: string): Promise<void> {
  const database = new DatabaseSync(file)
  const pending = database.prepare('select count(*) as count from search_pending')
  const left = () => Number(pending.get()?.count)
  for (let count = left(); count > 0; count = left()) {
    tell(`making the search index: ${count} posts are left`)
    database.exec(['begin immediate', ...indexStatements(10_000), 'commit'].join(';\n'))
  }
  database.close()
}
