/** Pages at large offsets, of which those of the second half are read from the end, equal those of the memory storage. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostQuery, Storage } from '../../src/contract/storage.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { postValues, termValues } from '../../src/testing/content.ts'
import { openPostgres } from '../support/postgres.ts'

const project = process.env.TEST_STORAGE ?? 'memory'
const count = 3600
const pageSize = 148

/** Few dates and titles, so that most rows differ from their neighbours only by id; long titles with equal prefixes. */
async function fill(storage: Storage): Promise<void> {
  await storage.terms.insert([termValues('a'), termValues('b')])
  const rows = Array.from({ length: count }, (_, at) =>
    postValues({
      status: at % 5 === 0 ? 'draft' : at % 11 === 0 ? 'private' : 'publish',
      author: 1 + (at % 3),
      date: `2024-01-${String(1 + (at % 9)).padStart(2, '0')}T12:00:00`,
      modified: `2024-02-${String(1 + (at % 7)).padStart(2, '0')}T12:00:00`,
      title: at % 4 === 0 ? `${'Long '.repeat(60)}${at % 6}` : ['Ä', 'b', 'C', 'zoë'][at % 4],
      slug: at % 3 === 0 ? '' : `slug-${(at * 7919) % count}`,
      parent: at % 2,
    }),
  )
  const ids = await storage.posts.insert(rows)
  await storage.terms.assign(
    ids.map((post, at) => ({ post, taxonomy: 'category', terms: at % 8 === 0 ? [1, 2] : [1] })),
  )
}

const all: PostQuery = {
  types: ['post'],
  order: { by: 'id', descending: false },
  offset: 0,
  limit: pageSize,
  total: true,
}
const published = [{ status: 'publish' }]
const orders = ['date', 'modified', 'id', 'author', 'parent', 'title', 'slug'] as const

const lists: { readonly [name: string]: Partial<PostQuery> } = {
  ...Object.fromEntries(
    orders.flatMap((by) => [
      [`by ${by}`, { statuses: published, order: { by, descending: false } }],
      [`by ${by}, descending`, { statuses: published, order: { by, descending: true } }],
    ]),
  ),
  'of several statuses': { statuses: [...published, { status: 'draft' }], order: { by: 'date', descending: true } },
  'of any author and of one author': {
    statuses: [...published, { status: 'private', author: 2 }],
    order: { by: 'title', descending: true },
  },
  'of all statuses': { order: { by: 'date', descending: true } },
  'of one author': { statuses: published, authors: [1], order: { by: 'date', descending: true } },
  'of two authors': { statuses: published, authors: [1, 2], order: { by: 'date', descending: false } },
  'of a term': { statuses: published, terms: { terms: [1], has: 'any' }, order: { by: 'date', descending: true } },
  'of a term, several statuses': {
    statuses: [...published, { status: 'draft' }],
    terms: { terms: [1], has: 'any' },
    order: { by: 'date', descending: false },
  },
  'outside of a term': {
    statuses: published,
    terms: { terms: [2], has: 'none' },
    order: { by: 'date', descending: true },
  },
  'between dates': {
    statuses: published,
    dates: [{ field: 'date', after: '2024-01-02T00:00:00' }],
    order: { by: 'date', descending: true },
  },
}

describe.runIf(project !== 'memory')(`pages at large offsets on ${project}`, () => {
  let memory: Storage
  let engine: Storage
  const page = async (storage: Storage, list: Partial<PostQuery>, offset: number) => {
    const { idsPage, total } = await storage.posts.query({ ...all, ...list, offset })
    return { ids: idsPage.map(({ id }) => id), total }
  }
  const expectSame = async (list: Partial<PostQuery>, offset: number) =>
    expect(await page(engine, list, offset), `from ${offset} on`).toEqual(await page(memory, list, offset))

  beforeAll(async () => {
    memory = memoryStorage()
    engine = project === 'postgres' ? (await openPostgres()).storage : sqliteStorage(':memory:')
    for (const storage of [memory, engine]) await fill(storage)
  })
  afterAll(async () => {
    await engine.close?.()
  })

  test.each(Object.entries(lists))('equal those of memory %s', async (_, list) => {
    for (const offset of [801, 300, 301, 299, 640, 5000]) await expectSame(list, offset)
    for (let offset = 0; offset < count; offset += pageSize) await expectSame(list, offset)
    for (const offset of [640, 250, 251, 801]) await expectSame(list, offset)
  })

  test('are current after every write', async () => {
    const list = lists['by date, descending'] as Partial<PostQuery>
    const writes = [
      (storage: Storage) => storage.posts.insert([postValues({ date: '2024-03-01T00:00:00' })]),
      (storage: Storage) => storage.posts.update([{ id: 100, changes: { date: '2024-04-01T00:00:00' } }]),
      (storage: Storage) => storage.posts.remove([102, 103]),
    ]
    for (const write of writes) {
      await expectSame(list, 400)
      for (const storage of [memory, engine]) await write(storage)
      for (const offset of [400, 401, 437]) await expectSame(list, offset)
    }
  })

  test('include the writes of the transaction that reads them', async () => {
    const list = lists['by date, descending'] as Partial<PostQuery>
    await expectSame(list, 400)
    const pages = await Promise.all(
      [memory, engine].map((storage) =>
        storage.atomic!(async (transaction) => {
          await transaction.posts.insert([postValues({ date: '2024-05-01T00:00:00' })])
          return page(transaction, list, 400)
        }),
      ),
    )
    expect(pages[1]).toEqual(pages[0])
    await expectSame(list, 400)
  })
})
