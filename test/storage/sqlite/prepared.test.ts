import { constants, DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { content, write } from '../generated-content.ts'
import { generatedReads, readAll } from '../generated-reads.ts'
import { isSqlite, openFile, temporaryFile } from './file.ts'

/** Runs a statement with a text for each placeholder; returns how often SQLite has prepared it for the second run. */
function preparationsOfSecondRun(database: DatabaseSync, text: string): number {
  let actions = 0
  database.setAuthorizer(() => {
    actions++
    return constants.SQLITE_OK
  })
  const statement = database.prepare(text)
  const values = Array.from({ length: text.split('?').length - 1 }, () => '1')
  statement.all(...values)
  actions = 0
  statement.all(...values)
  return actions
}

describe.runIf(isSqlite)('the statements of SQLite', () => {
  test('are prepared once, whatever values they run with', async () => {
    const file = temporaryFile()
    const executed = new Set<string>()
    const storage = openFile(file, { onStatement: (text) => void executed.add(text) })
    for (const writes of fc.sample(content, { numRuns: 1, seed: 1 })) await write(storage, writes)
    executed.clear()
    for (const reads of fc.sample(generatedReads, { numRuns: 100, seed: 1 })) await readAll(storage, reads)
    const database = new DatabaseSync(file)
    const again = [...executed].filter(
      (text) => text.startsWith('select') && preparationsOfSecondRun(database, text) > 0,
    )
    database.close()
    expect(executed.size).toBeGreaterThan(50)
    expect(again).toEqual([])
  })
})
