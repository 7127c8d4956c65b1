/** The total of a search, for which texts are read, is kept until a write touches posts of its types, or their terms. */
import { describe, expect, test } from 'vitest'
import type { PostQuery, Storage } from '../../src/contract/storage.ts'
import { addPost, addTerm, postValues, things } from '../../src/testing/content.ts'
import { openTwo } from '../support/two-storages.ts'

const project = process.env.TEST_STORAGE ?? 'memory'

/** No counter has this total. Every title has the empty text. */
const recent: PostQuery = {
  types: ['post'],
  statuses: [{ status: 'publish' }],
  dates: [{ field: 'date', after: '2024-01-02T00:00:00' }],
  search: { every: [''], none: [], columns: ['title'], exact: false },
  order: { by: 'date', descending: true },
  offset: 0,
  limit: 2,
  total: true,
}

/** A site, and what tells whether its total was counted. */
async function openSite() {
  const { storage, other, executed, repair } = await openTwo()
  const [post, draft, page, revision] = [
    await addPost(storage, { title: 'A', slug: 'a', date: '2024-03-01T00:00:00' }),
    await addPost(storage, { status: 'draft', date: '2024-03-02T00:00:00' }),
    await addPost(storage, { type: 'page', slug: 'p', date: '2024-03-03T00:00:00' }),
    await addPost(storage, { type: 'revision', date: '2024-03-04T00:00:00' }),
  ]
  const term = await addTerm(storage, 'a')
  const read = async () => {
    executed.length = 0
    const { total } = await storage.posts.query(recent)
    return { total, executed: [...executed] }
  }
  const cold = await read()
  const warm = await read()
  const count = cold.executed.find((text) => !warm.executed.includes(text) && /count\(/.test(text))
  if (count === undefined) throw new Error('the total of this query is not kept')
  const look = async () => {
    // A commit of another process is seen in the next turn.
    await new Promise(setImmediate)
    const found = await read()
    return { total: found.total, isCounted: found.executed.includes(count) }
  }
  return { storage, other, look, repair, ids: { post, draft, page, revision, term } }
}

type Site = Awaited<ReturnType<typeof openSite>>
type Write = (storage: Storage, ids: Site['ids']) => unknown

const unrelated: { readonly [name: string]: Write } = {
  'of an option': (storage) => storage.options.write({ a: 1 }),
  'of a record': (storage) => storage.records.insert(things, [{ name: 'a' }]),
  'of meta': (storage, { post }) => storage.meta.write('post', [{ id: post, key: 'a', value: 1 }]),
  'of a new page': (storage) => addPost(storage, { type: 'page' }),
  'of a page': (storage, { page }) => storage.posts.update([{ id: page, changes: { title: 'B' } }]),
  'of the terms of a page': (storage, { page, term }) =>
    storage.terms.assign([{ post: page, taxonomy: 'category', terms: [term] }]),
  'that removes a revision': (storage, { revision }) => storage.posts.remove([revision]),
  'of a term': (storage, { term }) => storage.terms.update([{ id: term, changes: { name: 'B' } }]),
}

const related: { readonly [name: string]: readonly [Write, number] } = {
  'of a new post': [(storage) => addPost(storage, { date: '2024-04-01T00:00:00' }), 2],
  'of a title': [(storage, { post }) => storage.posts.update([{ id: post, changes: { title: 'B' } }]), 1],
  'of a date': [
    (storage, { post }) => storage.posts.update([{ id: post, changes: { date: '2023-01-01T00:00:00' } }]),
    0,
  ],
  'of a status': [(storage, { draft }) => storage.posts.update([{ id: draft, changes: { status: 'publish' } }]), 2],
  'of a type': [(storage, { page }) => storage.posts.update([{ id: page, changes: { type: 'post' } }]), 2],
  'of another type': [(storage, { post }) => storage.posts.update([{ id: post, changes: { type: 'page' } }]), 0],
  'of terms': [(storage, { post, term }) => storage.terms.assign([{ post, taxonomy: 'category', terms: [term] }]), 1],
  'that removes a post': [(storage, { post }) => storage.posts.remove([post]), 0],
  'of many posts in a transaction': [
    (storage) =>
      storage.atomic?.(async (transaction) => {
        await transaction.posts.insert([1, 2, 3].map((day) => postValues({ date: `2024-05-0${day}T00:00:00` })))
      }),
    4,
  ],
}

describe.runIf(project === 'sqlite' || project === 'postgres')(`a total that was counted on ${project}`, () => {
  test.each(Object.entries(unrelated))('is kept after a write %s', async (_, write) => {
    const { storage, other, look, ids } = await openSite()
    await write(storage, ids)
    expect(await look()).toEqual({ total: 1, isCounted: false })
    await other.options.write({ b: 2 })
    await write(other, ids)
    expect(await look()).toEqual({ total: 1, isCounted: false })
  })

  test.each(Object.entries(related))('is counted anew after a write %s', async (_, [write, total]) => {
    const { storage, look, ids } = await openSite()
    await write(storage, ids)
    expect(await look()).toEqual({ total, isCounted: true })
    expect(await look()).toEqual({ total, isCounted: false })
  })

  test.each(Object.entries(related))(
    'is counted anew after a write of another process %s',
    async (_, [write, total]) => {
      const { other, look, ids } = await openSite()
      await write(other, ids)
      expect(await look()).toEqual({ total, isCounted: true })
    },
  )

  test('is counted anew after a write of meta that the search reads', async () => {
    const { storage, ids } = await openSite()
    const search = { every: ['needle'], none: [], columns: ['title'], exact: false, meta: ['file'] } as const
    expect(await storage.posts.query({ ...recent, search })).toEqual({ idsPage: [], total: 0 })
    await storage.meta.write('post', [{ id: ids.post, key: 'file', value: 'needle.png' }])
    const { idsPage, total } = await storage.posts.query({ ...recent, search })
    expect([idsPage.map(({ id }) => id), total]).toEqual([[ids.post], 1])
  })

  test('is kept after a transaction that was rolled back, and after the removal of a term that no post has', async () => {
    const { storage, look, ids } = await openSite()
    const work = storage.atomic?.(async (transaction) => {
      await addPost(transaction, { date: '2024-04-01T00:00:00' })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    await storage.terms.remove([ids.term])
    expect(await look()).toEqual({ total: 1, isCounted: false })
  })

  test('is counted anew after counters were repaired', async () => {
    const { look, repair } = await openSite()
    expect(await repair()).toMatchObject({ repaired: { length: 2 } })
    expect(await look()).toEqual({ total: 1, isCounted: true })
  })

  test('is counted anew after the removal of a term that a post has', async () => {
    const { storage, look, ids } = await openSite()
    await storage.terms.assign([{ post: ids.post, taxonomy: 'category', terms: [ids.term] }])
    await look()
    await storage.terms.remove([ids.term])
    expect(await look()).toEqual({ total: 1, isCounted: true })
  })
})
