/** Temporary database files for tests, and processes that use them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { type SqliteOptions, sqliteStorage } from '../../../src/storage/sqlite.ts'

export const isSqlite = process.env.TEST_STORAGE === 'sqlite'

/** For tests that start processes, which takes seconds on a busy machine. */
export const longTimeout = { timeout: 60_000 }

export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'site.db')
}

export function openFile(
  file: string,
  options?: SqliteOptions,
  wrap: (storage: Storage) => Storage = (storage) => storage,
): Storage {
  const storage = wrap(sqliteStorage(file, options))
  onTestFinished(async () => {
    await storage.close?.()
  })
  return storage
}

/** Starts process.ts with a file. */
export function startProcess(job: 'open' | 'write' | 'leave' | 'search' | 'count', file: string): ChildProcess {
  const script = fileURLToPath(new URL('process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', script, job, file], {
    stdio: [job === 'count' ? 'pipe' : 'ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

export async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const [code] = await once(child, 'exit')
  return code
}

/** The steps of the planner for a statement. */
export function planOf(file: string, statement = ''): string[] {
  const database = new DatabaseSync(file)
  const prepared = database.prepare(`explain query plan ${statement}`)
  const values = Array.from({ length: statement.split('?').length - 1 }, () => null)
  const steps = prepared.all(...values).map(({ detail }) => String(detail))
  database.close()
  return steps
}
