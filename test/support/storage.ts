/** Opens the storage of the current test project. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../src/contract/storage.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { openPostgres } from './postgres.ts'
import { deferred } from './spied-storage.ts'

export interface OpenStorage {
  readonly storage: Storage
  /** Closes it and removes its files. */
  dispose(): Promise<void>
}

/**
 * `memory`, `memory-deferred` (the same, that answers everything with promises), `sqlite` (a temporary file), `sqlite-memory` or
 * `postgres`; empty, open and ready.
 */
export async function openStorage(name = process.env.TEST_STORAGE ?? 'memory'): Promise<OpenStorage> {
  if (name === 'memory') return opened(memoryStorage())
  if (name === 'memory-deferred') return opened(deferred(memoryStorage()))
  if (name === 'sqlite-memory') return opened(sqliteStorage(':memory:'))
  if (name === 'postgres') return openPostgres()
  if (name !== 'sqlite') throw new Error(`unknown storage: ${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  const file = join(folder, 'site.db')
  copyFileSync(await emptyFile(), file)
  return opened(sqliteStorage(file), () => rmSync(folder, { recursive: true, force: true }))
}

let empty: Promise<string> | undefined

/** Creates the tables of a file once per process: to open a copy of it takes a quarter of the time. */
export function emptyFile(): Promise<string> {
  empty ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-empty-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const storage = sqliteStorage(join(folder, 'empty.db'))
    await storage.open?.()
    await storage.close?.()
    return join(folder, 'empty.db')
  })()
  return empty
}

async function opened(storage: Storage, after: () => void = () => undefined): Promise<OpenStorage> {
  await storage.open?.()
  return {
    storage,
    dispose: async () => {
      await storage.close?.()
      after()
    },
  }
}
