/** The storages of the growth part, newly created, with the work to do after they are filled. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Storage } from '../src/contract/storage.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { postgresStorage } from '../src/storage/postgres.ts'
import { indexStatements } from '../src/storage/sql/sqlite/search-index.ts'
import { sqliteStorage } from '../src/storage/sqlite.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { showProgress } from './progress.ts'

export interface Opened {
  readonly storage: Storage
  /**
   * Completes the search index and the statistics, as a running site does over time. Returns the storage to measure.
   */
  settle(): Promise<Storage>
  /** Bytes on disk; 0 for memory. */
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
        await buildIndex(file)
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
    // Settings for a million posts: the default page cache is 128 MB.
    const server = await startPostgres({
      settings: ['shared_buffers=4GB', 'max_wal_size=16GB', 'maintenance_work_mem=1GB'],
    })
    const pool = new pg.Pool({ connectionString: server.url, max: 4 })
    // Creating the search index after a bulk insert takes a fraction of the time.
    const storage = postgresStorage(pool, { searchIndex: false })
    const indexedStorage = postgresStorage(pool)
    return {
      storage,
      settle: async () => {
        showProgress('building the search index')
        await indexedStorage.open?.()
        await pool.query('vacuum analyze')
        // Writes dirty pages now and not during the measurements.
        await pool.query('checkpoint')
        return indexedStorage
      },
      size: async () => Number((await pool.query('select pg_database_size(current_database()) as size')).rows[0].size),
      dispose: async () => {
        await pool.end()
        await server.stop()
      },
    }
  },
}

/** Indexes all pending posts in large batches; the storage itself uses small ones. */
async function buildIndex(file: string): Promise<void> {
  const database = new DatabaseSync(file)
  const pending = database.prepare('select count(*) as count from search_pending')
  const remaining = () => Number(pending.get()?.count)
  for (let count = remaining(); count > 0; count = remaining()) {
    showProgress(`building the search index: ${count} posts are left`)
    database.exec(['begin immediate', ...indexStatements(10_000), 'commit'].join(';\n'))
  }
  database.close()
}
