import { readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Collection } from '../../../src/contract/storage.ts'
import { typesWithFreeSlugs } from '../../../src/contract/storage.ts'
import { createSiteApi, d1 } from '../../../src/index.ts'
import { checkPostgres, migratePostgres, type PostgresPool, postgresStorage } from '../../../src/storage/postgres.ts'
import { defaultTimeouts, PostgresConnection } from '../../../src/storage/sql/postgres/connection.ts'
import { indexName, migrate, quoteIdentifier } from '../../../src/storage/sql/postgres/migrate.ts'
import { postgresMigrations } from '../../../src/storage/sql/postgres/schema.ts'
import type { PostgresMigration } from '../../../src/storage/sql/postgres/schema-parts.ts'
import { addPost, addTerm, assign, findPosts, places, things } from '../../../src/testing/content.ts'
import { newSchema, postgresPool, postgresUrl } from '../../support/postgres.ts'

const isPostgres = process.env.TEST_STORAGE === 'postgres'
const names = postgresMigrations.map(({ name }) => name)
const validMigration: PostgresMigration = { name: 'more', sql: (schema) => `create table ${schema}.more (id integer)` }
const brokenMigration: PostgresMigration = {
  name: 'more',
  sql: (schema) => `${validMigration.sql(schema)}; create nonsense`,
}

function schemaOfTest(): string {
  const schema = newSchema()
  onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
  return schema
}

async function migrateSchema(schema: string, migrations: readonly PostgresMigration[]) {
  const connection = await PostgresConnection.from(postgresPool(), { prepares: false, timeouts: defaultTimeouts })
  try {
    return await migrate(connection, { schema, quotedSchema: quoteIdentifier(schema) }, migrations)
  } finally {
    connection.release()
  }
}

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

  test('takes over a stored database of schema version 3', async () => {
    const schema = schemaOfTest()
    const stored = readFileSync(new URL('schema-3.sql', import.meta.url), 'utf8')
    await postgresPool().query(stored.replace(/\bstored\b/g, schema))
    expect(await migratePostgres(postgresPool(), { schema })).toEqual({
      version: names.length,
      applied: names.slice(3),
    })
    expect(await checkPostgres(postgresPool(), { schema })).toEqual({ repaired: [], problems: [] })
    const storage = postgresStorage(postgresPool(), { schema })
    const [hello, page, child] = await storage.posts.read([1, 2, 3])
    expect(hello).toMatchObject({ slug: 'hello', title: 'Hello', menuOrder: 0, version: 4, sticky: true })
    expect([page?.slug, child?.slug, child?.parent]).toEqual(['about', 'team', 2])
    const byId = { by: 'id', descending: false } as const
    const all = { order: byId, offset: 0, limit: 9, total: true } as const
    expect(await storage.terms.query({ ...all, ids: [1] })).toMatchObject({ rows: [{ slug: 'news', count: 1 }] })
    expect((await storage.users.query({ ...all, roles: ['administrator'] })).rows.map(({ id }) => id)).toEqual([1])
    const authorsOf = { types: ['page'], statuses: ['publish'] }
    expect((await storage.users.query({ ...all, authorsOf })).total).toBe(1)
    expect(await storage.meta.read('post', [1])).toEqual([{ id: 1, key: 'footnotes', value: '[]' }])
    expect(await storage.options.read(['name'])).toEqual({ name: 'Quay' })
    expect(await addPost(storage, { type: 'page', slug: 'team' })).toBe(100)
    await expect(addPost(storage, { type: 'page', slug: 'team' })).rejects.toMatchObject({ field: 'slug' })
    expect((await storage.posts.query({ ...all, types: ['page'] })).total).toBe(3)
  })

  test('exempts the types with free slugs from the unique index', () => {
    const schema = postgresMigrations.map(({ sql }) => sql('s')).join('\n')
    const index = schema.match(/create unique index posts_unique_slug .+/g)?.at(-1)
    expect(index).toContain(typesWithFreeSlugs.map((type) => `type <> '${type}'`).join(' and '))
  })

  test('is created by migratePostgres, which returns the applied migrations', async () => {
    const schema = schemaOfTest()
    expect(await migratePostgres(postgresUrl(), { schema })).toEqual({ version: names.length, applied: names })
    expect(await migratePostgres(postgresPool(), { schema })).toEqual({ version: names.length, applied: [] })
  })

  test('continues from the schema of an earlier version of the package', async () => {
    const schema = schemaOfTest()
    expect((await migrateSchema(schema, postgresMigrations.slice(0, 1))).applied).toEqual(names.slice(0, 1))
    expect(await addPost(postgresStorage(postgresPool(), { schema }))).toBe(1)
    expect((await migratePostgres(postgresPool(), { schema })).applied).toEqual([])
  })

  test('keeps records and the indexes of their collections when their column gets another type', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresPool(), { schema })
    await storage.records.insert(places, [{ owner: 1, place: 'x', code: 'p' }])
    await storage.records.insert(things, [{ name: 'b', size: 2, extra: { a: [1] } }])
    await storage.close?.()
    // As it was before the migration.
    await postgresPool().query(
      `alter table ${schema}.records alter column body type jsonb using body::jsonb;
      drop index ${schema}.terms_by_description, ${schema}.terms_in_trees, ${schema}.posts_by_mime,
        ${schema}.posts_by_format, ${schema}.posts_in_author_order, ${schema}.posts_by_format_date,
        ${schema}.posts_by_format_modified, ${schema}.posts_by_format_title, ${schema}.posts_by_format_slug,
        ${schema}.posts_by_format_author;
      drop table ${schema}.list_counts, ${schema}.record_lists, ${schema}.post_changes;
      alter table ${schema}.changes drop column options, drop column position;
      drop function ${schema}.terms_listed, ${schema}.terms_moved, ${schema}.users_listed, ${schema}.records_listed,
        ${schema}.records_relisted, ${schema}.posts_media_moved,
        ${schema}.add_used_terms, ${schema}.recount_used_terms, ${schema}.terms_use_changed, ${schema}.terms_use_moved,
        ${schema}.terms_use_inserted, ${schema}.terms_use_deleted, ${schema}.terms_trees_listed,
        ${schema}.posts_replaced cascade;
      alter table ${schema}.terms drop column used_in_tree;
      delete from ${schema}.schema_versions 
        where name in (
          'records-in-order', 'list-counts', 'terms-in-trees', 'media-counts', 'option-changes', 'terms-in-use', 'post-formats', 'author-order',
          'post-changes', 'positions', 'outbox-changes', 'fewer-triggers', 'ordered-formats', 'delivery-orders')`,
    )
    const reopened = postgresStorage(postgresPool(), { schema })
    const before = { owner: 1, place: 'x' }
    await expect(reopened.records.insert(places, [before])).rejects.toMatchObject({ field: 'owner' })
    expect((await reopened.records.query(things, { where: { field: 'name', is: 'b' } })).rows).toMatchObject([
      { size: 2, extra: { a: [1] } },
    ])
    const [column] = (
      await postgresPool().query(
        "select data_type from information_schema.columns where table_schema = $1 and table_name = 'records' and column_name = 'body'",
        [schema],
      )
    ).rows
    expect(column).toEqual({ data_type: 'json' })
  })

  test('keeps events that an earlier version of the package has stored and nobody has read', async () => {
    const schema = schemaOfTest()
    await migrateSchema(schema, postgresMigrations.slice(0, names.indexOf('outbox-changes')))
    for (const [at, sequence] of [1, null, null].entries()) {
      const event = { uid: `u${at}`, name: 'post.created', subject: `post:${at}`, data: { post: { id: at } } }
      await postgresPool().query(
        `insert into ${schema}.records (collection, body, folded) values ('outbox_events', $1, '{}')`,
        [JSON.stringify({ sequence, ...event, created_at: '2026-01-02T03:04:05.000Z' })],
      )
    }
    await postgresPool().query(
      `insert into ${schema}.options (name, value, canonical) values ('outbox_sequence', '1', '1')`,
    )
    const storage = postgresStorage(postgresPool(), { schema })
    const api = createSiteApi({ storage, profile: d1, url: 'https://quay.example' })
    const { events } = await api.events.since(0)
    expect(events.map(({ sequence, id, subject, data, at }) => [sequence, id, subject, data, at])).toEqual(
      [0, 1, 2].map((at) => [at + 1, `u${at}`, `post:${at}`, { post: { id: at } }, '2026-01-02T03:04:05.000Z']),
    )
    await api.close()
  })

  test('rolls back a migration that fails, and runs it again', async () => {
    const schema = schemaOfTest()
    await expect(migrateSchema(schema, [...postgresMigrations, brokenMigration])).rejects.toThrow('nonsense')
    expect(await tablesOf(schema)).not.toContain('more')
    expect((await migrateSchema(schema, [...postgresMigrations, validMigration])).applied).toEqual(['more'])
    expect(await tablesOf(schema)).toContain('more')
  })

  test('is rejected when a newer version of the package created it', async () => {
    const schema = schemaOfTest()
    await migrateSchema(schema, [...postgresMigrations, validMigration])
    const message = `The database has schema version ${names.length + 1}, and this version of the package knows only ${names.length}: update the package.`
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
    await migrateSchema(schema, [...postgresMigrations, validMigration])
    await expect(addPost(storage, { slug: 'late' })).rejects.toMatchObject({ code: 'storage_newer' })
    expect(await findPosts(storage)).toEqual([1])
  })

  test('has its counters checked and repaired', async () => {
    const schema = schemaOfTest()
    const storage = postgresStorage(postgresPool(), { schema })
    await assign(storage, await addPost(storage), [await addTerm(storage, 'tides')])
    const letters: Collection = { name: 'letters', fields: { state: 'text' }, counted: [['state']] }
    await storage.records.insert(letters, [{ state: 'new' }, { state: 'new' }])
    expect(await checkPostgres(postgresPool(), { schema, repair: true })).toEqual({ repaired: [], problems: [] })
    await postgresPool().query(`update ${schema}.post_counts set count = 7; delete from ${schema}.term_counts;
      update ${schema}.list_counts set count = 7 where list like 'letters: %'`)
    const repaired = [
      'the number of posts: post publish is stored as 7 and is 1',
      'the number of posts of a term: 1 post publish is stored as 0 and is 1',
      'the number of records of a list: letters: state { "state" : "new" } is stored as 7 and is 2',
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
  /** A pool of a role that may only read and write the rows of a schema. */
  async function writerOf(schema: string): Promise<pg.Pool> {
    const role = `writer_${schema}`
    const owner = postgresPool()
    await owner.query(`create role ${role} login password 'secret'`)
    await owner.query(`grant usage on schema ${schema} to ${role}`)
    await owner.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
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

  const options = (schema: string) => ({ schema, migrate: false, collections: [places] })

  test('works on a migrated schema, with all unique indexes', async () => {
    const schema = schemaOfTest()
    await migratePostgres(postgresPool(), options(schema))
    const storage = postgresStorage(await writerOf(schema), options(schema))
    expect(await addPost(storage, { slug: 'a', content: 'a needle' })).toBe(1)
    await storage.records.insert(places, [{ owner: 1, place: 'a' }])
    await expect(storage.records.insert(places, [{ owner: 1, place: 'a' }])).rejects.toMatchObject({ field: 'owner' })
    await expect(addPost(storage, { slug: 'a' })).rejects.toMatchObject({ field: 'slug' })
    await storage.posts.remove([1])
    expect(await findPosts(storage)).toEqual([])
  })

  test('gets storage_older when the schema or an index is missing', async () => {
    const schema = schemaOfTest()
    await migrateSchema(schema, postgresMigrations.slice(0, 1))
    const storage = postgresStorage(await writerOf(schema), options(schema))
    await expect(storage.open?.()).rejects.toMatchObject({ code: 'storage_older' })
    await migratePostgres(postgresPool(), { schema })
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
