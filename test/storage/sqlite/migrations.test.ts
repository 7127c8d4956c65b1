import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { typesWithFreeSlugs } from '../../../src/contract/storage.ts'
import { createSiteApi, d1 } from '../../../src/index.ts'
import { migrate } from '../../../src/storage/sql/sqlite/migrate.ts'
import { openNode } from '../../../src/storage/sql/sqlite/node-driver.ts'
import { type Migration, sqliteMigrations } from '../../../src/storage/sql/sqlite/schema.ts'
import { migrateSqlite } from '../../../src/storage/sqlite.ts'
import { addPost, findPosts } from '../../../src/testing/content.ts'
import { exitCode, isSqlite, longTimeout, openFile, startProcess, temporaryFile } from './file.ts'

const names = sqliteMigrations.map(({ name }) => name)
const validMigration: Migration = { name: 'more', sql: 'create table more (id integer primary key)' }
const brokenMigration: Migration = { name: 'more', sql: `${validMigration.sql}; create nonsense` }

describe.runIf(isSqlite)('the schema of SQLite', () => {
  test('is created when a storage opens', async () => {
    const storage = openFile(temporaryFile())
    expect(await addPost(storage)).toBe(1)
  })

  test('exempts the types with free slugs from the unique index', () => {
    const schema = sqliteMigrations.map(({ sql }) => sql).join('\n')
    const index = schema.match(/create unique index posts_unique_slug .+/g)?.at(-1)
    expect(index).toContain(typesWithFreeSlugs.map((type) => `type <> '${type}'`).join(' and '))
  })

  test('is created by migrateSqlite, which returns the applied migrations', () => {
    const file = temporaryFile()
    expect(migrateSqlite(file)).toEqual({ version: names.length, applied: names })
    expect(migrateSqlite(file)).toEqual({ version: names.length, applied: [] })
  })

  test('continues from the schema of an earlier version of the package', async () => {
    const file = temporaryFile()
    expect(migrateFile(file, sqliteMigrations.slice(0, 1)).applied).toEqual(names.slice(0, 1))
    const storage = openFile(file)
    expect(await addPost(storage)).toBe(1)
    expect(migrateSqlite(file).applied).toEqual([])
  })

  test('takes over a stored database of schema version 2', async () => {
    const file = temporaryFile()
    const database = new DatabaseSync(file)
    database.exec(readFileSync(new URL('schema-2.sql', import.meta.url), 'utf8'))
    database.close()
    expect(migrateSqlite(file)).toEqual({ version: names.length, applied: names.slice(2) })
    const storage = openFile(file)
    const [hello, page, child] = await storage.posts.read([1, 2, 3])
    expect(hello).toMatchObject({ slug: 'hello', title: 'Hello', menuOrder: 0, version: 4, sticky: true })
    expect([page?.slug, child?.slug, child?.parent]).toEqual(['about', 'team', 2])
    await storage.posts.update([{ id: 3, changes: { menuOrder: 2 } }])
    await addPost(storage, { type: 'page', slug: 'team' })
    await expect(async () => addPost(storage, { type: 'page', slug: 'team' })).rejects.toMatchObject({ field: 'slug' })
    const order = { by: 'menuOrder', descending: true } as const
    const found = await storage.posts.query({ types: ['page'], order, offset: 0, limit: 9, total: true })
    expect([found.heads.map(({ id }) => id), found.total]).toEqual([[3, 5, 2], 3])
    expect(await storage.terms.of([1])).toEqual([{ post: 1, term: 1, taxonomy: 'category' }])
    const { rows } = await storage.terms.query({
      ids: [1],
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 9,
    })
    expect(rows).toMatchObject([{ id: 1, count: 1 }])
    const administrators = {
      roles: ['administrator'],
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 9,
    } as const
    expect((await storage.users.query(administrators)).rows.map(({ id }) => id)).toEqual([1])
  })

  test('keeps events that an earlier version of the package has stored and nobody has read', async () => {
    const file = temporaryFile()
    migrateFile(file, sqliteMigrations.slice(0, names.indexOf('outbox-changes')))
    const database = new DatabaseSync(file)
    const insert = database.prepare("insert into records (collection, body, folded) values ('outbox_events', ?, '{}')")
    for (const [at, sequence] of [1, null, null].entries()) {
      const event = { uid: `u${at}`, name: 'post.created', subject: `post:${at}`, data: { post: { id: at } } }
      insert.run(JSON.stringify({ sequence, ...event, created_at: '2026-01-02T03:04:05.000Z' }))
    }
    database.exec("insert into options (name, value, canonical) values ('outbox_sequence', '1', '1')")
    database.close()
    const api = createSiteApi({ storage: openFile(file), profile: d1, url: 'https://quay.example' })
    const { events } = await api.events.since(0)
    expect(events.map(({ sequence, id, subject, data, at }) => [sequence, id, subject, data, at])).toEqual(
      [0, 1, 2].map((at) => [at + 1, `u${at}`, `post:${at}`, { post: { id: at } }, '2026-01-02T03:04:05.000Z']),
    )
    await api.close()
  })

  test('rolls back a migration that fails, and runs it again', () => {
    const file = temporaryFile()
    expect(() => migrateFile(file, [...sqliteMigrations, brokenMigration])).toThrow('nonsense')
    expect(tablesOf(file)).not.toContain('more')
    expect(migrateFile(file, [...sqliteMigrations, validMigration]).applied).toEqual(['more'])
    expect(tablesOf(file)).toContain('more')
  })

  test('is rejected when a newer version of the package created it', async () => {
    const file = temporaryFile()
    migrateFile(file, [...sqliteMigrations, validMigration])
    const storage = openFile(file)
    const message = `The database has schema version ${names.length + 1}, and this version of the package knows only ${names.length}: update the package.`
    await expect(async () => storage.open?.()).rejects.toMatchObject({ code: 'storage_newer', message })
    await expect(async () => storage.options.read()).rejects.toMatchObject({ code: 'storage_newer' })
  })

  test('is created once when several processes open a new file', longTimeout, async () => {
    const file = temporaryFile()
    const processes = Array.from({ length: 4 }, () => startProcess('open', file))
    expect(await Promise.all(processes.map(exitCode))).toEqual([0, 0, 0, 0])
    expect(await findPosts(openFile(file))).toEqual([1, 2, 3, 4])
  })

  test('has the search index according to the option', async () => {
    const file = temporaryFile()
    const search = { every: ['needle'], none: [], columns: ['content'], exact: false } as const
    for (const searchIndex of [false, true, false, true]) {
      const storage = openFile(file, { searchIndex })
      await addPost(storage, { content: 'a needle' })
      expect(await findPosts(storage, { search })).toEqual(await findPosts(storage))
      expect(tablesOf(file).includes('posts_search')).toBe(searchIndex)
      await storage.close?.()
    }
  })
})

function migrateFile(file: string, migrations: readonly Migration[]) {
  const connection = openNode(file, { busyMs: 1000 })
  try {
    return migrate(connection, migrations)
  } finally {
    connection.close()
  }
}

function tablesOf(file: string): unknown[] {
  const database = new DatabaseSync(file)
  const rows = database.prepare("select name from sqlite_master where type = 'table'").all()
  database.close()
  return rows.map(({ name }) => name)
}
