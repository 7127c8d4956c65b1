import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { typesWithFreeSlugs } from '../../../src/contract/fields/posts.ts'
import { openWriter } from '../../../src/storage/sql/sqlite/connection.ts'
import { schemaVersion } from '../../../src/storage/sql/sqlite/migrate.ts'
import { openNode } from '../../../src/storage/sql/sqlite/node-driver.ts'
import { checkSqlite, migrateSqlite } from '../../../src/storage/sqlite.ts'
import { addPost, findPosts } from '../../../src/testing/content.ts'
import { earlierRows, expectFolded, withoutAddition } from '../earlier-folds.ts'
import { exitCode, isSqlite, longTimeout, openFile, startProcess, temporaryFile } from './file.ts'

/** A file that the version of the package before this schema has written. */
function fileOfVersion17(): string {
  const file = temporaryFile()
  change(file, readFileSync(new URL('site-17.sql', import.meta.url), 'utf8'))
  return file
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe.runIf(isSqlite)('the schema of SQLite', () => {
  test('is created when a storage opens', async () => {
    const storage = openFile(temporaryFile())
    expect(await addPost(storage)).toBe(1)
  })

  test('exempts the types with free slugs, and rows without one, from uniqueness', async () => {
    const storage = openFile(temporaryFile())
    for (const type of [...typesWithFreeSlugs, ...typesWithFreeSlugs]) await addPost(storage, { type, slug: 'a' })
    for (const slug of ['', '', 'a']) await addPost(storage, { slug })
    await addPost(storage, { slug: 'a', parent: 1 })
    await expect(async () => addPost(storage, { slug: 'a' })).rejects.toMatchObject({ field: 'slug' })
  })

  test('is created by migrateSqlite, which returns the applied migrations', () => {
    const file = temporaryFile()
    expect(migrateSqlite(file)).toEqual({
      version: schemaVersion,
      applied: ['tables', 'addition 1', 'addition 2', 'addition 3'],
    })
    expect(migrateSqlite(file)).toEqual({ version: schemaVersion, applied: [] })
  })

  test('has no more triggers and indexes of posts than writes can bear', () => {
    const file = temporaryFile()
    migrateSqlite(file)
    openFile(file).open?.()
    expect(namesOf(file, "type = 'trigger'").length).toBeLessThanOrEqual(12)
    expect(namesOf(file, "type = 'trigger' and tbl_name in ('posts', 'post_terms')").length).toBeLessThanOrEqual(8)
    expect(namesOf(file, "type = 'index' and tbl_name = 'posts'").length).toBeLessThanOrEqual(11)
  })

  test('is lifted from version 17, with all rows, right counters and the indexes of collections', async () => {
    const file = fileOfVersion17()
    expect(migrateSqlite(file)).toEqual({
      version: schemaVersion,
      applied: ['lift', 'addition 1', 'addition 2', 'addition 3'],
    })
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
    expect(namesOf(file, "name like 'records_by:things:%'")).not.toEqual([])
    const storage = openFile(file)
    const order = { by: 'id', descending: false } as const
    const all = { order, offset: 0, limit: 99, total: true } as const
    const titles = async (query: object) => {
      const { idsPage, total } = await storage.posts.query({ types: ['post'], ...query, ...all })
      const posts = await storage.posts.read(idsPage.map(({ id }) => id))
      expect(total).toBe(posts.length)
      return posts.map(({ title }) => title)
    }
    expect(await titles({ sticky: true, withPassword: true })).toEqual(['A secret'])
    expect(await titles({ terms: { formats: ['gallery'] } })).toEqual(['In seventeen'])
    expect(await titles({ statuses: [{ status: 'draft' }], authors: [2] })).toContain('A draft')
    expect(await titles({ types: ['attachment'], mimeTypes: ['audio/mpeg'] })).toEqual(['A sound'])
    const search = { every: ['needle'], none: [], columns: ['content'], exact: false } as const
    expect(await titles({ search })).toEqual(['In seventeen'])
    const { rows } = await storage.terms.query({ ...all, slugs: ['harbour-17', 'pier-17', 'knots-17'] })
    expect(rows.map(({ slug, count }) => [slug, count])).toEqual([
      ['harbour-17', 0],
      ['pier-17', 2],
      ['knots-17', 1],
    ])
    const [, pier] = rows
    expect(await titles({ terms: { terms: [pier?.id], has: 'any' }, statuses: [{ status: 'publish' }] })).toEqual([
      'In seventeen',
      'A secret',
    ])
    expect(await storage.options.read(['lifted'])).toEqual({ lifted: { from: 17 } })
    await expect(async () => addPost(storage, { slug: 'in-17' })).rejects.toMatchObject({ field: 'slug' })
    expect(await addPost(storage, { slug: 'new' })).toBeGreaterThan(30)
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
  })

  test('is lifted with the copies of texts that the folds of this version make', async () => {
    const file = fileOfVersion17()
    change(file, earlierRows('').join(';'))
    await expectFolded(openFile(file))
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
  })

  test('of the version before the columns for identity gets them, for all rows', async () => {
    const file = fileOfVersion17()
    migrateSqlite(file)
    change(file, [...withoutAddition('', schemaVersion - 2), ...earlierRows('')].join(';'))
    expect(migrateSqlite(file)).toEqual({ version: schemaVersion, applied: ['addition 1', 'addition 2', 'addition 3'] })
    await expectFolded(openFile(file))
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
  })

  test('of the version whose search index had revisions loses them, with the triggers that marked them', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    await addPost(storage, { content: 'a needle' })
    for (const content of ['a needle', 'a pin']) await addPost(storage, { type: 'revision', content, parent: 1 })
    await storage.close?.()
    change(
      file,
      `drop trigger posts_retexted;
      create trigger posts_retexted after update of title_folded, excerpt_folded, content_folded on posts
        when old.title_folded <> new.title_folded begin
        insert into search_pending values (new.id) on conflict do nothing;
      end;
      insert into posts_search (rowid, title_folded, excerpt_folded, content_folded)
        select id, title_folded, excerpt_folded, content_folded from posts where id > 1;
      insert into search_pending values (3);
      delete from schema_versions where version >= ${schemaVersion}`,
    )
    expect(migrateSqlite(file).applied).toEqual(['addition 3'])
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
    expect([indexedIn(file), pendingIn(file)]).toEqual([[], [1]])
  })

  test('marks no revision for the search index, and a search among revisions reads their texts', async () => {
    const file = temporaryFile()
    const storage = openFile(file)
    const id = await addPost(storage, { content: 'a needle' })
    const first = await addPost(storage, { type: 'revision', content: 'a needle', parent: id })
    const other = await addPost(storage, { type: 'revision', content: 'a pin', parent: id })
    await storage.posts.update([{ id: other, changes: { content: 'another needle' } }])
    expect(pendingIn(file)).toEqual([id])
    const search = { every: ['needle'], none: [], columns: ['content'], exact: false } as const
    expect(await findPosts(storage, { search })).toEqual([id])
    expect(await findPosts(storage, { search, types: ['revision'] })).toEqual([first, other])
    expect(await findPosts(storage, { search, types: ['post', 'revision'] })).toEqual([id, first, other])
    await storage.posts.update([{ id: other, changes: { type: 'post' } }])
    expect(await findPosts(storage, { search })).toEqual([id, other])
    expect(pendingIn(file)).toEqual([id, other])
  })

  test('of an older version is left as it is', async () => {
    const file = fileOfVersion17()
    change(file, 'delete from schema_versions where version > 16')
    await expect(async () => openFile(file).open?.()).rejects.toMatchObject({ code: 'storage_older' })
    expect(namesOf(file, "name = 'list_counts'")).toEqual(['list_counts'])
  })

  test('is as it was after a lift that fails, which runs again', () => {
    const file = fileOfVersion17()
    change(file, 'alter table record_lists rename to elsewhere')
    expect(() => migrateSqlite(file)).toThrow('record_lists')
    expect(namesOf(file, "name in ('list_counts', 'posts_by_format')")).toHaveLength(2)
    change(file, 'alter table elsewhere rename to record_lists')
    expect(migrateSqlite(file).applied).toEqual(['lift', 'addition 1', 'addition 2', 'addition 3'])
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
  })

  test('is rejected when a newer version of the package created it', async () => {
    const file = temporaryFile()
    migrateSqlite(file)
    change(file, `insert into schema_versions values (${schemaVersion + 1}, 'more')`)
    const storage = openFile(file)
    const message = `The database has schema version ${schemaVersion + 1}, and this version of the package knows only ${schemaVersion}: update the package.`
    await expect(async () => storage.open?.()).rejects.toMatchObject({ code: 'storage_newer', message })
    await expect(async () => storage.options.read()).rejects.toMatchObject({ code: 'storage_newer' })
  })

  test('is created once when several processes open a new file', longTimeout, async () => {
    const file = temporaryFile()
    const processes = Array.from({ length: 4 }, () => startProcess('open', file))
    expect(await Promise.all(processes.map(exitCode))).toEqual([0, 0, 0, 0])
    expect(await findPosts(openFile(file))).toEqual([1, 2, 3, 4])
  })

  test('is not called damaged when another process makes the search index while it is compared', () => {
    const file = temporaryFile()
    const options = { open: openNode, durability: 'full', searchIndex: false } as const
    openWriter(file, options).close()
    let isMade = false
    const open: typeof openNode = (path, settings) => {
      const connection = openNode(path, settings)
      const prepare = (sql: string) => {
        if (!isMade && sql.includes("type in ('index', 'trigger')")) {
          isMade = true
          openWriter(file, { ...options, searchIndex: true }).close()
        }
        return connection.prepare(sql)
      }
      return Object.create(connection, { prepare: { value: prepare } })
    }
    openWriter(file, { ...options, open, searchIndex: true }).close()
    expect(isMade).toBe(true)
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
  })

  test('has the search index according to the option', async () => {
    const file = temporaryFile()
    const search = { every: ['needle'], none: [], columns: ['content'], exact: false } as const
    for (const searchIndex of [false, true, false, true]) {
      const storage = openFile(file, { searchIndex })
      await addPost(storage, { content: 'a needle' })
      expect(await findPosts(storage, { search })).toEqual(await findPosts(storage))
      expect(namesOf(file, "name = 'posts_search'").length > 0).toBe(searchIndex)
      expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
      await storage.close?.()
    }
  })
})

const indexedIn = (file: string) => numbersIn(file, 'select rowid from posts_search order by rowid')
const pendingIn = (file: string) => numbersIn(file, 'select post_id from search_pending order by post_id')

function numbersIn(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file)
  const rows = database.prepare(sql).all()
  database.close()
  return rows.flatMap((row) => Object.values(row))
}

function namesOf(file: string, where: string): unknown[] {
  const database = new DatabaseSync(file)
  const rows = database.prepare(`select name from sqlite_master where sql is not null and ${where}`).all()
  database.close()
  return rows.map(({ name }) => name)
}
