/** Two storages on one database, as two processes have it, and the statements of the first. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { checkPostgres } from '../../src/storage/postgres.ts'
import { checkSqlite, sqliteStorage } from '../../src/storage/sqlite.ts'
import { newSchema, openPostgres, postgresPool } from './postgres.ts'

interface TwoStorages {
  readonly storage: Storage
  /** The same database, as another process has it. */
  readonly other: Storage
  readonly executed: string[]
  /** Makes a counter wrong, and has it repaired. */
  repair(): Promise<unknown>
}

const wrongCounter = "update %post_counts set count = count + 1 where type = 'post'"

export async function openTwo(): Promise<TwoStorages> {
  const executed: string[] = []
  const onStatement = (text: string) => void executed.push(text)
  if (process.env.TEST_STORAGE === 'postgres') {
    const schema = newSchema()
    const [first, second] = [await openPostgres({ onStatement, schema }), await openPostgres({ schema })]
    onTestFinished(async () => {
      await second.storage.close?.()
      await first.dispose()
    })
    return {
      storage: first.storage,
      other: second.storage,
      executed,
      repair: async () => {
        await postgresPool().query(wrongCounter.replace('%', `${schema}.`))
        return checkPostgres(postgresPool(), { schema, repair: true })
      },
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  const file = join(folder, 'site.db')
  const [storage, other] = [sqliteStorage(file, { onStatement }), sqliteStorage(file)]
  onTestFinished(async () => {
    await storage.close?.()
    await other.close?.()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    storage,
    other,
    executed,
    repair: async () => {
      const database = new DatabaseSync(file)
      database.exec(wrongCounter.replace('%', ''))
      database.close()
      return checkSqlite(file, { repair: true })
    },
  }
}
