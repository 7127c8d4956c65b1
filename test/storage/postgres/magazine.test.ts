/** The example of a storage on the tables of a host, docs/examples/magazine: the contract, and rows that the host writes. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { fold, identityFold } from '../../../src/contract/text-fold.ts'
import { termValues } from '../../../src/testing/content.ts'
import { conformanceCases } from '../../../src/testing/index.ts'
import type { Magazine } from '../../support/magazine.ts'
import { createTestSite } from '../../support/site.ts'

const isPostgres = process.env.TEST_STORAGE === 'postgres'
// Only the project postgres knows the name by which the example imports the package.
const { magazineStorage, createMagazine } = isPostgres
  ? { ...(await import('../../../docs/examples/magazine/storage.ts')), ...(await import('../../support/magazine.ts')) }
  : { magazineStorage: absent, createMagazine: absent }

/** Notifications may be late on a busy machine. */
const patience = { timeout: 20_000 }

describe.runIf(isPostgres)('a storage on the tables of a magazine', () => {
  let magazine: Magazine
  beforeAll(async () => {
    magazine = await createMagazine()
  })
  afterAll(() => magazine.dispose())
  beforeEach(() => magazine.empty())

  async function withStorage(work: (storage: Storage) => Promise<void>): Promise<void> {
    const storage = magazineStorage(magazine.pool)
    await storage.open?.()
    try {
      await work(storage)
    } finally {
      await storage.close?.()
    }
  }

  /** A write of another program of the magazine. */
  const rowsOf = async (text: string, ...values: unknown[]) => (await magazine.pool.query(text, values)).rows
  const writeArticle = async (headline: string) => {
    const [row] = await rowsOf(
      `insert into articles (state, author_id, path, headline, body, published, updated)
      values ('live', 7, $1, $2, '<p>Cold and clear.</p>', '2024-03-01T06:00:00', '2024-03-01T06:30:00') returning id`,
      headline.toLowerCase().replaceAll(' ', '-'),
      headline,
    )
    return row.id as number
  }

  // The ids of rows are those of the magazine: the storage keeps none that the caller names.
  const cases = conformanceCases.filter(({ needs }) => needs !== 'keepsIds')
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_, each) =>
    withStorage((storage) => each.run(storage)),
  )

  test('is served with a profile: what the API writes is in the tables, and rows of the magazine are listed', async () => {
    const site = await createTestSite({ storage: () => magazineStorage(magazine.pool) })
    try {
      const body = {
        title: 'High water',
        slug: 'high-water',
        content: '<p>At noon.</p>',
        status: 'publish',
        sticky: true,
      }
      const created = await site.as('edith')('POST', '/cms/v2/posts', { body })
      expect(created.status).toBe(201)
      const [article] = await rowsOf(
        'select kind, state, path, headline, body, handle from articles a join authors on authors.id = author_id where a.id = $1',
        created.body.id,
      )
      expect(article).toEqual({
        kind: 'post',
        state: 'live',
        path: 'high-water',
        headline: 'High water',
        body: '<p>At noon.</p>',
        handle: 'edith',
      })

      const own = await writeArticle('Frost on the pier')
      const listed = await site.visitor('GET', '/cms/v2/posts', { query: { search: 'FRÓST' } })
      expect(listed.body).toMatchObject([
        { id: own, slug: 'frost-on-the-pier', date: '2024-03-01T06:00:00', title: { rendered: 'Frost on the pier' } },
      ])
      await rowsOf("update articles set headline = 'Thaw', updated = '2024-03-02T08:00:00' where id = $1", own)
      const path = `/cms/v2/posts/${own}`
      const changed = await site.visitor('GET', path)
      expect(changed.body).toMatchObject({ title: { rendered: 'Thaw' }, modified_gmt: '2024-03-02T08:00:00' })

      const edited = await site.as('edith')('POST', path, { body: { excerpt: 'Short.', meta: {} } })
      expect(edited.status).toBe(200)
      expect(await rowsOf('select headline, standfirst, version from articles where id = $1', own)).toEqual([
        { headline: 'Thaw', standfirst: 'Short.', version: 3 },
      ])
      const removed = await site.as('edith')('DELETE', path, { query: { force: true } })
      expect(removed.status).toBe(200)
      expect(await rowsOf('select id from articles where id = $1', own)).toEqual([])
      expect(site.failures).toEqual([])
    } finally {
      await site.dispose()
    }
  })

  test('counts the version of an article that the magazine changes, whose GMT dates then follow its own', () =>
    withStorage(async (storage) => {
      const id = await writeArticle('Frost')
      await storage.posts.update([
        { id, changes: { dateGmt: '2024-03-01T05:00:00', modifiedGmt: '2024-03-01T05:30:00' } },
      ])
      const read = async () => (await storage.posts.read([id]))[0]
      expect(await read()).toMatchObject({ version: 2, dateGmt: '2024-03-01T05:00:00', author: 7 })
      await rowsOf("update articles set headline = 'Thaw', updated = '2024-03-02T08:00:00' where id = $1", id)
      expect(await read()).toMatchObject({
        version: 3,
        dateGmt: '2024-03-01T06:00:00',
        modified: '2024-03-02T08:00:00',
        modifiedGmt: '2024-03-02T08:00:00',
      })
      expect(await storage.posts.update([{ id, changes: {}, when: { version: 2 } }])).toEqual([])
    }))

  test('removes meta, terms and counts with an article that the magazine deletes', () =>
    withStorage(async (storage) => {
      const id = await writeArticle('Frost')
      const term = termValues('news', { name: 'News' })
      const terms = await storage.terms.insert([term])
      await storage.terms.assign([{ post: id, taxonomy: 'category', terms }])
      await storage.meta.write('post', [{ id, key: 'mood', value: 'cold' }])
      const order = { by: 'id', descending: false } as const
      const counts = async () =>
        (await storage.terms.query({ order, offset: 0, limit: 9 })).rows.map(({ count }) => count)
      expect(await counts()).toEqual([1])
      await rowsOf("update articles set state = 'draft' where id = $1", id)
      expect(await counts()).toEqual([0])
      await rowsOf('delete from articles where id = $1', id)
      expect(await storage.terms.of([id])).toEqual([])
      expect(await storage.meta.read('post', [id])).toEqual([])
    }))

  test('refuses a slug that an article of the magazine has, and the magazine one of the site', () =>
    withStorage(async (storage) => {
      const id = await writeArticle('Frost')
      const [post] = await storage.posts.read([id])
      const { id: _, version: __, ...values } = post as NonNullable<typeof post>
      await expect(storage.posts.insert([values])).rejects.toMatchObject({ code: 'storage_conflict', field: 'slug' })
      await storage.posts.insert([{ ...values, slug: 'thaw' }])
      await expect(writeArticle('Thaw')).rejects.toMatchObject({ code: '23505' })
    }))

  test('finds nothing by ids that no row can have', () =>
    withStorage(async (storage) => {
      await writeArticle('Frost')
      const order = { by: 'id', descending: false } as const
      const ids = [1e30, 1.5, -1]
      const query = { types: ['post'], order, offset: 0, limit: 9, total: true }
      expect(await storage.posts.query({ ...query, ids })).toEqual({ idsPage: [], total: 0 })
      expect(await storage.posts.query({ ...query, notIds: ids, offset: 1e20 })).toEqual({ idsPage: [], total: 1 })
      expect(await storage.posts.read(ids)).toEqual([])
    }))

  test('returns another `changes` token after writes of the magazine and of another process', () =>
    withStorage(async (storage) => {
      const changes = storage.changes as () => number
      let token = changes()
      const differs = async () => {
        await vi.waitFor(() => expect(changes()).not.toBe(token), patience)
        token = changes()
        expect(changes()).toBe(token)
      }
      await writeArticle('Frost')
      await differs()
      await withStorage(async (other) => other.options.write({ name: 'Quay' }))
      await differs()
    }))

  test('returns new `changes` tokens while it can not hear of others', () =>
    withStorage(async (storage) => {
      const changes = storage.changes as () => number
      const token = changes()
      expect(changes()).toBe(token)
      await rowsOf("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen \"site:%'")
      await vi.waitFor(() => expect(changes()).not.toBe(token), patience)
      // It listens again by itself.
      await vi.waitFor(() => expect(changes()).toBe(changes()), patience)
    }))

  test('is unavailable while there is no server', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1 })
    const storage = magazineStorage(pool)
    await expect(storage.options.read()).rejects.toMatchObject({ code: 'storage_unavailable', written: 'no' })
    await expect(storage.options.write({ a: 1 })).rejects.toMatchObject({ code: 'storage_unavailable', written: 'no' })
    await pool.end()
  })

  test('asks for a retry after a deadlock with a transaction of the magazine', () =>
    withStorage(async (storage) => {
      const first = await writeArticle('Frost')
      const second = await writeArticle('Thaw')
      const client = await magazine.pool.connect()
      try {
        await client.query('begin; set local deadlock_timeout = 60000')
        await client.query('update articles set body = $1 where id = $2', ['', second])
        let lockOfMagazine: Promise<unknown> = Promise.resolve()
        const work = storage.atomic?.(async (transaction) => {
          await transaction.posts.update([{ id: first, changes: { title: 'Ice' } }])
          lockOfMagazine = client.query('update articles set body = $1 where id = $2', ['', first])
          await transaction.posts.update([{ id: second, changes: { title: 'Rain' } }])
        })
        await expect(work).rejects.toMatchObject({ code: 'storage_rerun' })
        await lockOfMagazine
        await client.query('commit')
      } finally {
        client.release()
      }
      expect((await storage.posts.read([first, second])).map(({ title }) => title)).toEqual(['Frost', 'Thaw'])
    }))

  test('folds each character that the database knows as the package does', async () => {
    const characters = Array.from({ length: 0x20000 }, (_, code) => code).filter(
      (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
    )
    const rows = await rowsOf(
      'select text, site_fold(text) as folded, site_identity(text) as identity from unnest($1::text[]) text where unicode_assigned(text)',
      characters.map(textOf),
    )
    expect(rows.length).toBeGreaterThan(90_000)
    expect(rows.filter(({ text, folded }) => folded !== fold(text))).toEqual([])
    expect(rows.filter(({ text, identity }) => identity !== identityFold(text))).toEqual([])
  })
})

const textOf = (code: number): string => `a${String.fromCodePoint(code)}`

function absent(): never {
  throw new Error('these tests run in the project postgres')
}
