import { readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { typesWithFreeSlugs } from '../../../src/contract/fields/posts.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { collectionsOf } from '../../../src/host/stored-data.ts'
import { full } from '../../../src/profiles/full.ts'
import { createMedia } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { checkPostgres, migratePostgres, type PostgresPool, postgresStorage } from '../../../src/storage/postgres.ts'
import { indexName, quoteIdentifier, schemaVersion } from '../../../src/storage/sql/postgres/migrate.ts'
import { addPost, addTerm, assign, findPosts, places, things } from '../../../src/testing/content.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'
import { earlierRows, expectFolded, withoutAddition } from '../earlier-folds.ts'

const isPostgres = process.env.TEST_STORAGE === 'postgres'

function schemaOfTest(): string {
  const schema = newSchema()
  onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
  return schema
}

/** A schema that the version of the package before this one has written. */
async function schemaOfVersion21(): Promise<string> {
  const schema = schemaOfTest()
  const stored = readFileSync(new URL('schema-21.sql', import.meta.url), 'utf8')
  await postgresPool().query(stored.replace(/\bstored\b/g, schema))
  return schema
}

/** As a newer version of the package leaves it. */
const makeNewer = (schema: string) =>
  postgresPool().query(`insert into ${schema}.schema_versions values (${schemaVersion + 1}, 'more')`)

async function tablesOf(schema: string): Promise<unknown[]> {
  const { rows } = await postgresPool().query('select tablename from pg_tables where schemaname = $1', [schema])
  return rows.map(({ tablename }) => tablename)
}

describe.runIf(isPostgres)('the schema of PostgreSQL', () => {
  test('is created when a storage opens, separate from the tables of the host', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresPool(), { schema })
    expect(await addPost(storage)).toBe(1)
    expect(await tablesOf(schema)).toContain('posts')
    expect(await tablesOf('public')).toEqual([])
  })

  test('may have a name that needs quoting', async () => {
    const schema = `${schemaOfTest()} "Select".posts`
    onTestFinished(
      async () => void (await postgresPool().query(`drop schema if exists ${quoteIdentifier(schema)} cascade`)),
    )
    const storage = postgresStorage(postgresPool(), { schema })
    expect(await addPost(storage, { content: 'a needle' })).toBe(1)
    await storage.records.insert(things, [{ name: 'a' }])
    expect(await findPosts(storage)).toEqual([1])
  })

  test('is lifted from version 21, with all rows, right counters and the indexes of collections', async () => {
    const schema = await schemaOfVersion21()
    expect(await migratePostgres(postgresPool(), { schema })).toEqual({
      version: schemaVersion,
      applied: ['lift', 'addition 1', 'addition 2', 'addition 3'],
    })
    const told: number[] = []
    const progress = (done: number, total: number) => void told.push(done / total)
    expect(await checkPostgres(postgresPool(), { schema, progress })).toEqual({ repaired: [], problems: [] })
    expect([told[0], told.at(-1)]).toEqual([0, 1])
    const storage = postgresStorage(postgresPool(), { schema })
    const [hello, page, child] = await storage.posts.read([1, 2, 3])
    expect(hello).toMatchObject({ slug: 'hello', title: 'Hello', menuOrder: 0, version: 4, sticky: true })
    expect([page?.slug, child?.slug, child?.parent]).toEqual(['about', 'team', 2])
    const byId = { by: 'id', descending: false } as const
    const all = { order: byId, offset: 0, limit: 99, total: true } as const
    expect(await storage.terms.query({ ...all, ids: [1] })).toMatchObject({ rows: [{ slug: 'news', count: 1 }] })
    expect((await storage.users.query({ ...all, roles: ['administrator'] })).rows.map(({ id }) => id)).toEqual([1])
    const authorsOf = { types: ['page'], statuses: ['publish'] }
    expect((await storage.users.query({ ...all, authorsOf })).total).toBe(1)
    expect(await storage.meta.read('post', [1])).toEqual([{ id: 1, key: 'footnotes', value: '[]' }])
    expect(await storage.options.read(['name', 'lifted'])).toEqual({ name: 'Quay', lifted: { from: 17 } })
    const titles = async (query: object) => {
      const { idsPage, total } = await storage.posts.query({ types: ['post'], ...query, ...all })
      const posts = await storage.posts.read(idsPage.map(({ id }) => id))
      expect(total).toBe(posts.length)
      return posts.map(({ title }) => title)
    }
    expect(await titles({ sticky: true, withPassword: true })).toEqual(['A secret'])
    expect(await titles({ terms: { formats: ['gallery'] } })).toEqual(['In seventeen'])
    expect(await titles({ statuses: [{ status: 'draft' }], authors: [2] })).toEqual(['A draft'])
    expect(await titles({ types: ['attachment'], mimeTypes: ['audio/mpeg'] })).toEqual(['A sound'])
    const { rows } = await storage.terms.query({ ...all, slugs: ['harbour-17', 'pier-17', 'knots-17'] })
    expect(rows.map(({ slug, count }) => [slug, count])).toEqual([
      ['harbour-17', 0],
      ['pier-17', 2],
      ['knots-17', 1],
    ])
    expect((await storage.records.query(things, { where: { field: 'name', is: 'b' } })).rows).toMatchObject([
      { size: 2, extra: { z: 1, a: [1] } },
    ])
    await expect(storage.records.insert(places, [{ owner: 1, place: 'x' }])).rejects.toMatchObject({ field: 'owner' })
    expect(await addPost(storage, { type: 'page', slug: 'team' })).toBeGreaterThan(99)
    await expect(addPost(storage, { type: 'page', slug: 'team' })).rejects.toMatchObject({ field: 'slug' })
    expect((await storage.posts.query({ ...all, types: ['page'] })).total).toBe(3)
    expect(await checkPostgres(postgresPool(), { schema })).toEqual({ repaired: [], problems: [] })
  })

  test('is lifted with the copies of texts that the folds of this version make', async () => {
    const schema = await schemaOfVersion21()
    await postgresPool().query(earlierRows(`${schema}.`).join(';'))
    await expectFolded(postgresStorage(postgresPool(), { schema }))
  })

  test('of the version before the columns for identity gets them, for all rows', async () => {
    const schema = await schemaOfVersion21()
    await migratePostgres(postgresPool(), { schema })
    const changes = [
      `alter table ${schema}.posts drop column title_prefix`,
      ...withoutAddition(`${schema}.`, schemaVersion - 2),
      ...earlierRows(`${schema}.`),
    ]
    await postgresPool().query(changes.join(';'))
    expect((await migratePostgres(postgresPool(), { schema })).applied).toEqual([
      'addition 1',
      'addition 2',
      'addition 3',
    ])
    await expectFolded(postgresStorage(postgresPool(), { schema }))
  })

  test('of the version whose search index had revisions gets one without them', async () => {
    const schema = schemaOfTest()
    await migratePostgres(postgresPool(), { schema })
    const storage = postgresStorage(postgresPool(), { schema })
    const id = await addPost(storage, { content: 'a needle' })
    const revision = await addPost(storage, { type: 'revision', content: 'a needle', parent: id })
    const definition = async () => {
      const { rows } = await postgresPool().query('select pg_get_indexdef($1::regclass) as sql', [
        `${schema}.posts_search`,
      ])
      return String(rows[0]?.sql)
    }
    expect(await definition()).toContain("WHERE (type <> 'revision'")
    await postgresPool().query(
      `drop index ${schema}.posts_search;
      create index posts_search on ${schema}.posts (content_folded);
      delete from ${schema}.schema_versions where version >= ${schemaVersion}`,
    )
    const later = postgresStorage(postgresPool(), { schema })
    const search = { every: ['needle'], none: [], columns: ['content'], exact: false } as const
    expect(await findPosts(later, { search })).toEqual([id])
    expect(await findPosts(later, { search, types: ['post', 'revision'] })).toEqual([id, revision])
    expect(await definition()).toContain("WHERE (type <> 'revision'")
  })

  test('exempts the types with free slugs, and rows without one, from uniqueness', async () => {
    const storage = postgresStorage(postgresPool(), { schema: schemaOfTest() })
    for (const type of [...typesWithFreeSlugs, ...typesWithFreeSlugs]) await addPost(storage, { type, slug: 'a' })
    for (const slug of ['', '', 'a']) await addPost(storage, { slug })
    await addPost(storage, { slug: 'a', parent: 1 })
    await expect(addPost(storage, { slug: 'a' })).rejects.toMatchObject({ field: 'slug' })
  })

  test('is created by migratePostgres, which returns the applied migrations', async () => {
    const schema = schemaOfTest()
    expect(await migratePostgres(postgresUrl(), { schema })).toEqual({
      version: schemaVersion,
      applied: ['tables', 'addition 1', 'addition 2', 'addition 3'],
    })
    expect(await migratePostgres(postgresPool(), { schema })).toEqual({ version: schemaVersion, applied: [] })
  })

  test('of an older version is left as it is', async () => {
    const schema = await schemaOfVersion21()
    await postgresPool().query(`delete from ${schema}.schema_versions where version > 20`)
    await expect(migratePostgres(postgresPool(), { schema })).rejects.toMatchObject({ code: 'storage_older' })
    expect(await tablesOf(schema)).toContain('list_counts')
  })

  test('is as it was after a lift that fails, which runs again', async () => {
    const schema = await schemaOfVersion21()
    await postgresPool().query(`alter table ${schema}.record_lists rename to elsewhere`)
    await expect(migratePostgres(postgresPool(), { schema })).rejects.toThrow('record_lists')
    expect(await tablesOf(schema)).toContain('list_counts')
    await postgresPool().query(`alter table ${schema}.elsewhere rename to record_lists`)
    expect((await migratePostgres(postgresPool(), { schema })).applied).toEqual([
      'lift',
      'addition 1',
      'addition 2',
      'addition 3',
    ])
    expect(await checkPostgres(postgresPool(), { schema })).toEqual({ repaired: [], problems: [] })
  })

  test('is rejected when a newer version of the package created it', async () => {
    const schema = schemaOfTest()
    await migratePostgres(postgresPool(), { schema })
    await makeNewer(schema)
    const message = `The database has schema version ${schemaVersion + 1}, and this version of the package knows only ${schemaVersion}: update the package.`
    for (const mayMigrate of [true, false]) {
      const storage = postgresStorage(postgresPool(), { schema, migrate: mayMigrate })
      await expect(storage.open?.()).rejects.toMatchObject({ code: 'storage_newer', message })
      await expect(storage.options.read()).rejects.toMatchObject({ code: 'storage_newer' })
    }
  })

  test('is written no more by a storage that was open when a newer version migrated it', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresPool(), { schema })
    await addPost(storage)
    await makeNewer(schema)
    await expect(addPost(storage, { slug: 'late' })).rejects.toMatchObject({ code: 'storage_newer' })
    expect(await findPosts(storage)).toEqual([1])
  })

  test('has its counters checked and repaired', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresPool(), { schema })
    await assign(storage, await addPost(storage), [await addTerm(storage, 'tides')])
    expect(await checkPostgres(postgresPool(), { schema, repair: true })).toEqual({ repaired: [], problems: [] })
    await postgresPool().query(`update ${schema}.post_counts set count = 7; delete from ${schema}.term_counts`)
    const repaired = [
      expect.stringMatching(/^the number of posts: post publish \d+ {1,2}is stored as 7 and is 1$/),
      'the number of posts of a term: 1 post publish is stored as 0 and is 1',
    ]
    expect(await checkPostgres(postgresPool(), { schema })).toEqual({ repaired, problems: [] })
    expect(await checkPostgres(postgresPool(), { schema, repair: true })).toEqual({ repaired, problems: [] })
    expect(await checkPostgres(postgresPool(), { schema })).toEqual({ repaired: [], problems: [] })
  })

  test('is created once when many storages open at once', async () => {
    const schema = schemaOfTest()
    const pools = Array.from({ length: 4 }, () => new pg.Pool({ connectionString: postgresUrl(), max: 2 }))
    onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.end()))))
    const ids = await Promise.all(pools.map((pool) => addPost(postgresStorage(pool, { schema }))))
    expect(ids.toSorted()).toEqual([1, 2, 3, 4])
  })

  test('is opened by the next use after a failed connection', async () => {
    const schema = schemaOfTest()
    let isDown = true
    const pool: PostgresPool = {
      connect: (done) => (isDown ? done(new Error('connection refused'), undefined) : postgresPool().connect(done)),
      end: async () => undefined,
      on: () => undefined,
    }
    const storage = postgresStorage(pool, { schema })
    await expect(storage.open?.()).rejects.toThrow('connection refused')
    isDown = false
    expect(await addPost(storage)).toBe(1)
  })

  test('shortens index names to the limit of the server, with the field of a conflict', () => {
    const long = `records_unique:${'collection'.repeat(8)}:owner,place`
    expect(indexName('records_unique:things:owner,place')).toBe('records_unique:things:owner,place')
    expect(indexName(long)).toMatch(/^records_unique:[0-9a-f]{12}:owner$/)
    expect(indexName(long)).not.toBe(indexName(`${long},more`))
  })
})

describe.runIf(isPostgres)('a role that may not change the schema', () => {
  const grantOf = (schema: string) =>
    `grant select, insert, update, delete on all tables in schema ${schema} to writer_${schema}`

  /** A pool of a role that may only read and write the rows of a schema. */
  async function writerOf(schema: string): Promise<pg.Pool> {
    const role = `writer_${schema}`
    const owner = postgresPool()
    await owner.query(`create role ${role} login password 'secret'`)
    await owner.query(`grant usage on schema ${schema} to ${role}`)
    await owner.query(grantOf(schema))
    const url = new URL(postgresUrl())
    url.username = role
    url.password = 'secret'
    const pool = new pg.Pool({ connectionString: url.href, max: 3 })
    onTestFinished(async () => {
      await pool.end()
      await owner.query(`drop owned by ${role}; drop role ${role}`)
    })
    return pool
  }

  const options = (schema: string) => ({ schema, migrate: false })

  test('works on a migrated schema, with all unique indexes', async () => {
    const schema = schemaOfTest()
    await migratePostgres(postgresPool(), { schema, collections: [places] })
    const storage = postgresStorage(await writerOf(schema), options(schema))
    expect(await addPost(storage, { slug: 'a', content: 'a needle' })).toBe(1)
    await storage.records.insert(places, [{ owner: 1, place: 'a' }])
    await expect(storage.records.insert(places, [{ owner: 1, place: 'a' }])).rejects.toMatchObject({ field: 'owner' })
    await expect(addPost(storage, { slug: 'a' })).rejects.toMatchObject({ field: 'slug' })
    await storage.posts.remove([1])
    expect(await findPosts(storage)).toEqual([])
  })

  test('serves a site whose collections have their indexes', async () => {
    const schema = schemaOfTest()
    await migratePostgres(postgresPool(), { schema, collections: collectionsOf(full) })
    const storage = postgresStorage(await writerOf(schema), options(schema))
    const api = createSiteApi({ storage, profile: full, services: { media: createMedia({ driver: memoryMedia() }) } })
    const { id } = await api.site.users.create({ login: 'ada', email: 'ada@quay.example', roles: ['administrator'] })
    await api.site.passwords.create(id, 'a script')
    expect(await api.site.passwords.list(id)).toHaveLength(1)
    expect(await api.site.media.upload('a.txt', new TextEncoder().encode('a'))).toMatchObject({ post: { slug: 'a' } })
  })

  test('gets storage_older when the schema or an index is missing', async () => {
    const schema = schemaOfTest()
    await postgresPool().query(`create schema ${schema}`)
    const storage = postgresStorage(await writerOf(schema), options(schema))
    await expect(storage.open?.()).rejects.toMatchObject({ code: 'storage_older' })
    await migratePostgres(postgresPool(), { schema })
    await postgresPool().query(grantOf(schema))
    await storage.open?.()
    await expect(storage.records.insert(places, [{}])).rejects.toMatchObject({ code: 'storage_older' })
  })

  test('opens a migrated schema without the option migrate: false', async () => {
    const schema = schemaOfTest()
    await migratePostgres(postgresPool(), { schema, searchIndex: false })
    const storage = postgresStorage(await writerOf(schema), { schema })
    expect(await addPost(storage, { content: 'a needle' })).toBe(1)
    const search = { every: ['needle'], none: [], columns: ['content'], exact: false } as const
    expect(await findPosts(storage, { search })).toEqual([1])
  })
})
