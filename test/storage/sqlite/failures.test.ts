/** Callers of the storage learn of a full disk and of a lock that is not released. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sqliteFailure } from '../../../src/storage/sql/sqlite/failures.ts'
import { isSqlite, openFile, temporaryFile } from './file.ts'

describe.runIf(isSqlite)('a SQLite file', () => {
  test('that another program has locked can not be opened now', async () => {
    const file = temporaryFile()
    const other = new DatabaseSync(file)
    other.exec('begin exclusive; create table mine (id integer)')
    try {
      await expect(async () => openFile(file).open?.()).rejects.toMatchObject({
        code: 'storage_unavailable',
        written: 'no',
      })
    } finally {
      other.close()
    }
  }, 30_000)

  test('that another program keeps locked refuses all waiting writes after one patience, and reads go on', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    await storage.open?.()
    await storage.options.write({ name: 'before' })
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const refused: unknown[] = []
    for (let waiter = 0; waiter < 4; waiter++) {
      Promise.resolve(storage.options.write({ name: `waiter ${waiter}` })).catch((error) => refused.push(error))
    }
    await vi.advanceTimersByTimeAsync(9000)
    expect(refused).toEqual([])
    expect(await storage.options.read(['name'])).toEqual({ name: 'before' })
    await vi.advanceTimersByTimeAsync(1500)
    expect(refused.map((error) => (error as { code?: unknown }).code)).toEqual(Array(4).fill('storage_unavailable'))
    other.exec('rollback')
    await storage.options.write({ name: 'after' })
    expect(await storage.options.read(['name'])).toEqual({ name: 'after' })
  })

  test.each([
    [10, false, 'no'],
    [10, true, 'perhaps'],
    [13, true, 'no'],
    [5 + 256, true, 'no'],
  ])('result code %i tells what is written (in a commit: %j): %s', (errcode, isCommit, written) => {
    expect(sqliteFailure(Object.assign(new Error('x'), { errcode }), { isCommit })).toMatchObject({ written })
  })

  test('with a mistake in a statement fails as before', () => {
    const error = Object.assign(new Error('no such column'), { errcode: 1 })
    expect(sqliteFailure(error)).toBe(error)
  })
})
