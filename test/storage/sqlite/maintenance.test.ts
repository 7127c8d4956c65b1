/** Checks with repair, backups of a file that is served, and restoring one. */
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Collection } from '../../../src/contract/storage.ts'
import { backupSqlite, checkSqlite, restoreSqlite } from '../../../src/storage/sqlite.ts'
import { addPost, addTerm, addUser, assign, findPosts, postValues } from '../../../src/testing/content.ts'
import { isSqlite, longTimeout, openFile, startProcess, temporaryFile } from './file.ts'

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

const letters: Collection = { name: 'letters', fields: { state: 'text' }, indexed: ['state'] }

async function filledFile(): Promise<string> {
  const file = temporaryFile()
  const storage = openFile(file)
  const ids = await storage.posts.insert(Array.from({ length: 5 }, (_, at) => postValues({ slug: `post-${at}` })))
  const term = await addTerm(storage, 'tides')
  for (const id of ids) await assign(storage, id, [term])
  await addUser(storage, 'wren', { roles: ['author'] })
  await storage.records.insert(letters, [{ state: 'new' }, { state: 'new' }])
  await storage.close?.()
  return file
}

describe.runIf(isSqlite)('a check of a SQLite file', () => {
  test('finds nothing wrong in a file that only the storage has written', async () => {
    expect(checkSqlite(await filledFile(), { repair: true })).toEqual({ repaired: [], problems: [] })
  })

  test.each([
    ['update post_counts set count = 9', /the number of posts: post publish \d+ {1,2}is stored as 9 and is 5/],
    ['delete from term_counts', /the number of posts of a term: 1 post publish is stored as 0 and is 5/],
    ['delete from user_roles', /the role of a user: user 1 \w+ is stored as 0 and is 1/],
    ["update post_terms set date = '2001'", /the copy of a post beside its terms: post 1 term 1/],
    ['drop index posts_by_slug', /the index posts_by_slug is missing/],
    ['drop trigger posts_inserted', /the trigger posts_inserted is missing/],
  ])('names and repairs what "%s" has done', async (sql, sentence) => {
    const file = await filledFile()
    change(file, sql)
    const before = readFileSync(file)
    const found = checkSqlite(file)
    expect(found.repaired[0]).toMatch(sentence)
    expect(found.problems).toEqual([])
    expect(readFileSync(file)).toEqual(before)
    expect(checkSqlite(file, { repair: true })).toEqual(found)
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
    expect(await findPosts(openFile(file), { total: true })).toHaveLength(5)
  })

  test('tells how many of its steps are done, and copies how many bytes', async () => {
    const [file, target] = [await filledFile(), temporaryFile()]
    const told: (readonly [number, number])[] = []
    const progress = (done: number, total: number) => void told.push([done, total])
    checkSqlite(file, { progress })
    const total = told[0]?.[1] ?? 0
    expect(told).toEqual([...Array.from({ length: total }, (_, at) => [at, total]), [total, total]])
    await backupSqlite(file, target, { progress })
    expect(told.at(-1)).toEqual([statSync(file).size, statSync(file).size])
  })

  test('names a missing table as what it can not repair', async () => {
    const file = await filledFile()
    change(file, 'drop table meta')
    expect(checkSqlite(file, { repair: true }).problems).toEqual(['the table meta is missing'])
  })
})

describe.runIf(isSqlite)('a backup of a SQLite file', () => {
  test(
    'holds every write that was acknowledged before it began, while another process writes',
    longTimeout,
    async () => {
      const [file, target] = [temporaryFile(), temporaryFile()]
      const writer = startProcess('write', file)
      let output = ''
      await new Promise<void>((resolve) => {
        writer.stdout?.on('data', (chunk) => {
          output += chunk
          if (output.split('\n').length > 50) resolve()
        })
      })
      const acknowledged = output.split('\n').slice(0, -1).map(Number)
      await backupSqlite(file, target)
      writer.kill('SIGKILL')
      expect(checkSqlite(target)).toEqual({ repaired: [], problems: [] })
      const stored = new Set(await findPosts(openFile(target), { limit: 1_000_000 }))
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    },
  )

  test('replaces no file, and leaves nothing behind when it fails', async () => {
    const [file, target] = [await filledFile(), temporaryFile()]
    writeFileSync(target, 'mine')
    await expect(backupSqlite(file, target)).rejects.toThrow(`${target} exists already`)
    expect(readFileSync(target, 'utf8')).toBe('mine')
    const broken = temporaryFile()
    writeFileSync(broken, 'no database'.repeat(1000))
    await expect(backupSqlite(broken, `${target}2`)).rejects.toThrow('not a database')
    expect([`${target}2`, `${target}2.partial`].filter(existsSync)).toEqual([])
  })

  test('is restored over a file that nobody has open, which is kept', async () => {
    const [file, target] = [await filledFile(), temporaryFile()]
    await backupSqlite(file, target)
    const storage = openFile(file)
    await addPost(storage, { slug: 'later' })
    await expect(restoreSqlite(target, file)).rejects.toThrow(`a process has ${file} open: end it first`)
    expect(await findPosts(storage)).toHaveLength(6)
    await storage.close?.()
    const { kept } = await restoreSqlite(target, file)
    expect(kept).toBe(`${file}.before-restore`)
    expect(await findPosts(openFile(file))).toHaveLength(5)
    expect(await findPosts(openFile(kept ?? ''))).toHaveLength(6)
  })

  test('is restored where no file was, without the log of an older one', async () => {
    const [file, target] = [await filledFile(), temporaryFile()]
    writeFileSync(`${target}-wal`, 'of a file that is gone')
    expect(await restoreSqlite(file, target)).toEqual({ kept: undefined })
    expect(await findPosts(openFile(target))).toHaveLength(5)
  })

  test('is not restored when it is damaged, empty or of another program', async () => {
    const [file, target] = [await filledFile(), temporaryFile()]
    const [foreign, empty] = [temporaryFile(), temporaryFile()]
    change(foreign, 'create table mine (id integer)')
    writeFileSync(empty, '')
    truncateSync(file, 8192)
    await expect(restoreSqlite(file, target)).rejects.toThrow(/damaged|malformed/)
    await expect(restoreSqlite(foreign, target)).rejects.toThrow('of another program')
    await expect(restoreSqlite(empty, target)).rejects.toThrow('holds no site')
    await expect(restoreSqlite(`${empty}.none`, target)).rejects.toThrow('there is no file')
    expect(existsSync(target)).toBe(false)
  })
})
