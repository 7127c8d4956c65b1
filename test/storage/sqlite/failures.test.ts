/** What callers of the storage learn of a full disk and of a lock that is not released. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { sqliteFailure } from '../../../src/storage/sql/sqlite/errors.ts'
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
