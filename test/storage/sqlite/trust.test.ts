/** Files that are not what they were: deleted, replaced, of another program, changed, or migrated by a newer version. */
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { perform } from '../../../src/storage/sql/sqlite/driver.ts'
import { migrate, schemaVersion } from '../../../src/storage/sql/sqlite/migrate.ts'
import { openNode } from '../../../src/storage/sql/sqlite/node-driver.ts'
import { schemaProblems } from '../../../src/storage/sql/sqlite/schema-check.ts'
import { migrateSqlite } from '../../../src/storage/sqlite.ts'
import { addPost, findPosts, postValues } from '../../../src/testing/content.ts'
import { isSqlite, openFile, temporaryFile } from './file.ts'

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

const pragmaOf = (file: string, pragma: string): unknown => {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare(`pragma ${pragma}`).get()
  database.close()
  return Object.values(row ?? {})[0]
}

describe.runIf(isSqlite)('a SQLite file that was', () => {
  const unavailable = {
    code: 'storage_unavailable',
    written: 'no',
    message: expect.stringMatching(/deleted or replaced/),
  }

  test('deleted: no write is acknowledged, and reads fail within a second', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    await addPost(storage)
    rmSync(file)
    await expect(async () => addPost(storage, { slug: 'lost' })).rejects.toMatchObject(unavailable)
    await expect(async () => storage.options.write({ a: 1 })).rejects.toMatchObject(unavailable)
  })

  test('replaced by another: no write is acknowledged, in either file', async () => {
    const [file, backup] = [temporaryFile(), temporaryFile()]
    const storage = openFile(file)
    const other = openFile(backup)
    await addPost(storage)
    await addPost(other, { slug: 'other' })
    await other.close?.()
    renameSync(backup, file)
    await expect(async () => addPost(storage, { slug: 'lost' })).rejects.toMatchObject(unavailable)
    expect(await findPosts(openFile(file))).toEqual([1])
  })

  test('robbed of its write-ahead log: no write is acknowledged', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    await addPost(storage)
    rmSync(`${file}-wal`)
    await expect(async () => addPost(storage, { slug: 'lost' })).rejects.toMatchObject(unavailable)
  })

  test('migrated by a newer version: the process writes no more, and can read', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    await addPost(storage)
    const connection = openNode(file, { busyMs: 1000 })
    connection.exec(
      `insert into schema_versions values (${schemaVersion + 1}, 'more'); create table more (id integer primary key)`,
    )
    connection.close()
    await expect(async () => addPost(storage, { slug: 'late' })).rejects.toMatchObject({ code: 'storage_newer' })
    const work = async () => storage.atomic?.((transaction) => transaction.posts.insert([postValues({ slug: 'late' })]))
    await expect(work).rejects.toMatchObject({ code: 'storage_newer' })
    expect(await findPosts(storage)).toEqual([1])
  })

  test('copied to another place serves there', async () => {
    const [file, copy] = [temporaryFile(), temporaryFile()]
    const storage = openFile(file)
    await addPost(storage)
    await storage.close?.()
    copyFileSync(file, copy)
    expect(await addPost(openFile(copy), { slug: 'second' })).toBe(2)
  })
})

describe.runIf(isSqlite)('whose file it is', () => {
  test('a new file has the application id', () => {
    const file = temporaryFile()
    migrateSqlite(file)
    expect(pragmaOf(file, 'application_id')).toBe(0x73_69_74_65)
  })

  test.each([
    [
      'has tables of its own',
      'create table bookmarks (id integer); create table visits (id integer)',
      /bookmarks, visits/,
    ],
    ['has another application id', 'pragma application_id = 77', /application id 77/],
    ['has tables of the same names', 'create table posts (id); create table schema_versions (version, at)', /posts/],
  ])('the database of a program that %s is refused unchanged', async (_, sql, reason) => {
    const file = temporaryFile()
    change(file, sql)
    const storage = openFile(file)
    await expect(async () => storage.open?.()).rejects.toMatchObject({
      code: 'storage_not_opened',
      reason: expect.stringMatching(reason),
    })
    expect(() => migrateSqlite(file)).toThrow('it is the database of another program')
    expect(pragmaOf(file, 'journal_mode')).toBe('delete')
  })
})

describe.runIf(isSqlite)('the schema of a file', () => {
  test('that the package has made is complete', () => {
    const connection = openNode(':memory:', { busyMs: 0 })
    migrate(connection)
    expect(perform(connection, schemaProblems())).toEqual([])
    connection.close()
  })

  test.each([
    ['drop index posts_unique_slug', 'the index posts_unique_slug is missing'],
    ['drop trigger posts_moved', 'the trigger posts_moved is missing'],
    [
      'drop trigger terms_deleted; create trigger terms_deleted after delete on terms begin select 1; end',
      'the trigger terms_deleted differs',
    ],
    ['alter table users drop column blocked', 'the table users lacks the column blocked'],
    ['drop table term_counts', 'the table term_counts is missing'],
  ])('is verified when it opens: after "%s" it is refused', async (sql, problem) => {
    const file = temporaryFile()
    migrateSqlite(file)
    change(file, sql)
    await expect(async () => openFile(file).open?.()).rejects.toMatchObject({
      code: 'storage_not_opened',
      reason: expect.stringContaining(problem),
    })
  })

  test('may hold tables and indexes of the host', async () => {
    const file = temporaryFile()
    migrateSqlite(file)
    change(
      file,
      'create table mine (id integer); create index mine_by_id on mine (id); create index more on posts (url_of)'.replace(
        'url_of',
        'slug',
      ),
    )
    expect(await addPost(openFile(file))).toBe(1)
  })
})
