/** Totals and pages of a collection that is searched, and pages of searches for posts, are kept until a write to them. */
import { describe, expect, test } from 'vitest'
import type { Collection, RecordQuery, Storage } from '../../src/contract/storage.ts'
import { addPost } from '../../src/testing/content.ts'
import { openTwo } from '../support/two-storages.ts'

const project = process.env.TEST_STORAGE ?? 'memory'

const remarks: Collection = {
  name: 'remarks',
  fields: { text: 'text', kind: 'text', at: 'integer' },
  orders: [['kind', 'at'], ['at']],
  isSearched: true,
}
const others: Collection = { ...remarks, name: 'others' }

const ofWord: RecordQuery = {
  where: {
    every: [
      { field: 'kind', is: 'open' },
      { field: 'text', holds: 'tide' },
    ],
  },
  order: [
    { by: 'at', descending: true },
    { by: 'id', descending: true },
  ],
  limit: 3,
  total: true,
}
const withoutWord: RecordQuery = { ...ofWord, where: { field: 'kind', is: 'open' } }

const remark = (at: number, text = 'High tide') => ({ text, kind: 'open', at })

async function openSite() {
  const { storage, other, executed } = await openTwo()
  const ids = await storage.records.insert(
    remarks,
    [1, 2, 3, 4].map((at) => remark(at)),
  )
  await storage.records.insert(others, [remark(1)])
  const look = async (query: RecordQuery = ofWord) => {
    // A commit of another process is seen in the next turn.
    await new Promise(setImmediate)
    executed.length = 0
    const { rows, total } = await storage.records.query(remarks, query)
    const read = executed.filter((text) => text.includes("collection = 'remarks'"))
    return {
      found: rows.map(({ at }) => at),
      total,
      isCounted: read.some((text) => text.includes('count(')),
      isSearched: read.some((text) => !text.includes('count(') && text.includes('order by')),
    }
  }
  await look()
  await look(withoutWord)
  return { storage, other, look, ids }
}

type Write = (storage: Storage, ids: readonly number[]) => unknown

const unrelated: { readonly [name: string]: Write } = {
  'of an option': (storage) => storage.options.write({ a: 1 }),
  'of a post': (storage) => addPost(storage, {}),
  'of a record of another collection': (storage) => storage.records.insert(others, [remark(2)]),
  'of nothing': (storage) => storage.records.insert(remarks, []),
}

const related: { readonly [name: string]: readonly [Write, readonly number[], number] } = {
  'of a new record': [(storage) => storage.records.insert(remarks, [remark(9)]), [9, 4, 3], 5],
  'of a new record in a transaction': [
    (storage) => storage.atomic?.((transaction) => transaction.records.insert(remarks, [remark(9)])),
    [9, 4, 3],
    5,
  ],
  'of a text': [
    (storage, ids) => storage.records.update(remarks, [{ id: ids[3] ?? 0, changes: { text: 'Ebb' } }]),
    [3, 2, 1],
    3,
  ],
  'of many records': [
    (storage, ids) =>
      storage.records.update(
        remarks,
        ids.slice(1).map((id) => ({ id, changes: { kind: 'closed' } })),
      ),
    [1],
    1,
  ],
  'that removes one': [
    (storage, ids) => storage.records.remove(remarks, { field: 'id', is: ids[3] ?? 0 }),
    [3, 2, 1],
    3,
  ],
  'in a savepoint, after one that was rolled back': [
    (storage) =>
      storage.atomic?.(async (transaction) => {
        const work = transaction.atomic?.(async (savepoint) => {
          await savepoint.records.insert(remarks, [remark(8)])
          throw new Error('no')
        })
        await expect(work).rejects.toThrow('no')
        await transaction.atomic?.((savepoint) => savepoint.records.insert(remarks, [remark(9)]))
      }),
    [9, 4, 3],
    5,
  ],
}

describe.runIf(project === 'sqlite' || project === 'postgres')(`what was read of a collection on ${project}`, () => {
  test.each(Object.entries(unrelated))('is kept after a write %s', async (_, write) => {
    const { storage, other, look, ids } = await openSite()
    const kept = { found: [4, 3, 2], total: 4, isCounted: false, isSearched: false }
    await write(storage, ids)
    expect(await look()).toEqual(kept)
    expect(await look(withoutWord)).toMatchObject({ ...kept, isSearched: true })
    await write(other, ids)
    expect(await look()).toEqual(kept)
  })

  test.each(Object.entries(related))('is read anew after a write %s', async (_, [write, found, total]) => {
    for (const by of ['storage', 'other'] as const) {
      const site = await openSite()
      await write(site[by], site.ids)
      expect(await site.look()).toMatchObject({ found, total })
      expect(await site.look()).toEqual({ found, total, isCounted: false, isSearched: false })
    }
  })

  test('is kept after a transaction that was rolled back', async () => {
    const { storage, look } = await openSite()
    const work = storage.atomic?.(async (transaction) => {
      await transaction.records.insert(remarks, [remark(9)])
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await look()).toEqual({ found: [4, 3, 2], total: 4, isCounted: false, isSearched: false })
  })

  test('of a search for posts is the page too, by relevance and by date', async () => {
    const { storage, executed } = await openTwo()
    for (const day of [1, 2, 3]) {
      await addPost(storage, { title: `Tide ${day}`, slug: `t${day}`, date: `2024-03-0${day}T00:00:00` })
    }
    const search = { every: ['tide'], none: [], columns: ['title'], exact: false } as const
    for (const order of [
      { by: 'relevance', phrase: '', words: ['tide'] },
      { by: 'date', descending: true },
    ] as const) {
      const query = {
        types: ['post'],
        statuses: [{ status: 'publish' }],
        search,
        order,
        offset: 0,
        limit: 2,
        total: true,
      }
      const read = async () => {
        await new Promise(setImmediate)
        executed.length = 0
        const { idsPage, total } = await storage.posts.query(query)
        return { ids: idsPage.map(({ id }) => id), total, isRead: executed.some((text) => /from .*posts/.test(text)) }
      }
      const { ids, total } = await read()
      await storage.options.write({ a: order.by })
      expect(await read()).toEqual({ ids, total, isRead: false })
      await addPost(storage, { type: 'page', title: 'Tide', slug: order.by })
      expect(await read()).toEqual({ ids, total, isRead: false })
      const added = await addPost(storage, { title: 'Tide', slug: order.by, date: '2024-04-01T00:00:00' })
      expect(await read()).toEqual({ ids: [added, ids[0]], total: total + 1, isRead: true })
    }
  })
})
