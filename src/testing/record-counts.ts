/** Totals of records by the values of their fields. */
import type { Collection, Storage, Where } from '../contract/storage.ts'
import { atomicOn } from './atomic.ts'
import { type ConformanceCase, equal } from './case.ts'

const fields = { state: 'text', seen: 'boolean', form: 'text', size: 'integer', note: 'text' } as const
const letters: Collection = { name: 'letters', fields, indexed: ['form'] }
/** The collection as it was declared before it had an index. */
const plain: Collection = { name: 'letters', fields }
const others: Collection = { name: 'parcels', fields }

const oddText = 'é"\\/\u2028\n\t😀'
const trashed: Where = { field: 'state', is: 'trash' }
const unseen: Where = { every: [{ not: trashed }, { not: { field: 'seen', is: true } }] }

/** Reads each total twice: alone, and as the length of the whole list. */
async function totals(storage: Storage, collection: Collection, wheres: readonly Where[]): Promise<number[]> {
  const found: number[] = []
  for (const where of wheres) {
    const { total } = await storage.records.query(collection, { where, limit: 0, total: true })
    const { rows } = await storage.records.query(collection, { where })
    equal(total, rows.length, JSON.stringify(where))
    found.push(total)
  }
  return found
}

const wheres: readonly Where[] = [
  { every: [] },
  trashed,
  { not: trashed },
  unseen,
  { field: 'seen', is: null },
  { field: 'form', in: ['a', 'ß"\\', null] },
  { some: [{ field: 'size', from: 2, below: 10 }, trashed] },
  { field: 'note', holds: 'x' },
  { field: 'note', is: 'x' },
  { field: 'note', is: 'never' },
  { field: 'note', is: null },
  { field: 'note', is: oddText },
  {
    every: [
      { field: 'size', is: 2 },
      { field: 'note', is: 'x' },
    ],
  },
  {
    every: [
      { field: 'form', is: 'a' },
      { field: 'note', is: 'x' },
    ],
  },
]

async function write(storage: Storage): Promise<number[]> {
  const ids = await storage.records.insert(letters, [
    { state: 'new', seen: false, form: 'a', size: 1 },
    { state: 'new', seen: true, form: 'ß"\\', size: 2, note: 'x' },
    { state: 'trash', form: 'a', note: 'x' },
    { seen: null, size: 10, note: oddText },
  ])
  await storage.records.insert(others, [{ state: 'trash' }, { state: 'new' }])
  return ids
}

export const recordCountCases: readonly ConformanceCase[] = [
  {
    name: 'counts records by the values of their fields, through all writes',
    async run(storage) {
      equal(
        await totals(storage, letters, wheres),
        wheres.map(() => 0),
        'of an empty collection',
      )
      const [a = 0, b = 0, c = 0] = await write(storage)
      equal(await totals(storage, letters, wheres), [4, 1, 3, 2, 2, 4, 2, 2, 2, 0, 1, 1, 1, 1], 'after inserts')
      await storage.records.update(letters, [
        { id: a, changes: { seen: true } },
        { id: b, changes: { state: 'trash' } },
        { id: c, changes: { note: 'y' } },
      ])
      equal(await totals(storage, letters, wheres), [4, 2, 2, 1, 2, 4, 2, 1, 1, 0, 1, 1, 1, 0], 'after updates')
      await storage.records.remove(letters, { field: 'form', is: 'a' })
      equal(await totals(storage, letters, wheres), [2, 1, 1, 1, 1, 2, 1, 1, 1, 0, 0, 1, 1, 0], 'after removals')
      equal(await totals(storage, others, [{ every: [] }, trashed]), [2, 1], 'of another collection')
    },
  },
  {
    name: 'counts records that were written before their collection had an index',
    async run(storage) {
      await storage.records.insert(plain, [{ state: 'new' }, { state: 'trash', seen: true }])
      equal(await totals(storage, letters, [{ every: [] }, trashed]), [2, 1], 'before another write')
      await write(storage)
      equal(await totals(storage, letters, [{ every: [] }, trashed]), [6, 2], 'after another write')
    },
  },
  {
    name: 'counts records as they were before a transaction that failed',
    needs: 'atomic',
    async run(storage) {
      const rollback = (work: (transaction: Storage) => Promise<unknown>) =>
        atomicOn(storage)(async (transaction) => {
          await work(transaction)
          throw new Error('rolled back')
        }).catch(() => undefined)
      // The first write of the collection, which may change the schema.
      await rollback(write)
      equal(await totals(storage, letters, [{ every: [] }, trashed]), [0, 0], 'after the first')
      await write(storage)
      await rollback(async (transaction) => {
        await transaction.records.remove(letters, trashed)
        equal(await totals(transaction, letters, [{ every: [] }, trashed]), [3, 0], 'within the second')
      })
      equal(await totals(storage, letters, [{ every: [] }, trashed]), [4, 1], 'after the second')
    },
  },
]
