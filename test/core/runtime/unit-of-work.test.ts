/** The failure of a unit of work says whether any of its commits may be stored. */
import { expect, test } from 'vitest'
import { type Storage, StorageUnavailable } from '../../../src/contract/storage.ts'
import { asUnitsOfWork, inUnitOfWork, outsideUnit } from '../../../src/core/runtime/unit-of-work.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { postValues } from '../../../src/testing/content.ts'

const away = (written: 'no' | 'perhaps' = 'no') => new StorageUnavailable('the server is away', { written })
const lost = () => {
  throw away('perhaps')
}
const fail = () => {
  throw away()
}

/** The outcome that the unit tells. */
async function toldBy(work: (storage: Storage) => unknown, storage: Storage = memoryStorage()): Promise<unknown> {
  try {
    await inUnitOfWork(storage, async (inside) => {
      await work(inside)
      fail()
    })
  } catch (error) {
    return (error as StorageUnavailable).written
  }
}

const notes = { name: 'notes', fields: { text: 'text' }, unique: [['text']] } as const

test.each<[string, (storage: Storage) => unknown]>([
  ['a read', ({ posts }) => posts.read([1])],
  ['an update that meets no row', ({ posts }) => posts.update([{ id: 99, changes: { title: 'x' } }])],
  ['a swap that finds another value', ({ options }) => options.swap('a', 'other', 'x')],
  ['a removal that meets no record', ({ records }) => records.remove(notes, { field: 'id', is: 7 })],
  ['a transaction that is rolled back', ({ atomic }) => Promise.resolve(atomic?.(fail)).catch(() => undefined)],
  ['a row that was noted outside of the unit', (inside) => outsideUnit(inside).records.insert(notes, [{ text: 'a' }])],
])('after %s nothing is written', async (_, work) => {
  expect(await toldBy(work)).toBe('no')
})

test.each<[string, (storage: Storage) => unknown]>([
  ['a new post', ({ posts }) => posts.insert([postValues({})])],
  ['a written option', ({ options }) => options.write({ a: 1 })],
  ['a swap', ({ options }) => options.swap('a', null, 1)],
  ['a new record', ({ records }) => records.insert(notes, [{ text: 'a' }])],
  ['a transaction', ({ atomic }) => atomic?.(({ posts }) => posts.insert([postValues({})]))],
  ['a transaction without an answer', ({ atomic }) => Promise.resolve(atomic?.(lost)).catch(() => undefined)],
  ['a write that still runs', ({ atomic }) => void atomic?.(async ({ options }) => options.write({ a: 1 }))],
])('after %s the outcome is unknown', async (_, work) => {
  expect(await toldBy(work)).toBe('perhaps')
})

test('the error of a storage that does not say what was written proves nothing', async () => {
  const silent = (): never => {
    throw Object.assign(new Error('away'), { code: 'storage_unavailable' })
  }
  const storage: Storage = { ...memoryStorage(), atomic: silent }
  expect(await toldBy(({ atomic }) => Promise.resolve(atomic?.(fail)).catch(() => undefined), storage)).toBe('perhaps')
})

test('other errors pass unchanged', async () => {
  const error = new Error('a defect')
  const work = async ({ options }: Storage) => {
    await options.write({ a: 1 })
    throw error
  }
  await expect(inUnitOfWork(memoryStorage(), work)).rejects.toBe(error)
})

test('a storage whose stores are classes with private members works in a unit', async () => {
  class Options {
    #values: { [name: string]: string | number } = { a: 1 }
    async read() {
      return this.#values
    }
    async write(values: object) {
      Object.assign(this.#values, values)
    }
  }
  class Host {
    readonly #options = new Options()
    get options() {
      return this.#options
    }
  }
  const host = new Host() as unknown as Storage
  await inUnitOfWork(host, ({ options }) => options.write({ b: 2 }))
  expect(await inUnitOfWork(host, ({ options }) => options.read())).toEqual({ a: 1, b: 2 })
})

test('each call of a function is a unit of its own', async () => {
  const storage = memoryStorage()
  const { write, read } = asUnitsOfWork(storage, ({ options }) => ({
    write: async (values: { a: number }) => options.write(values),
    read: async () => {
      await options.read()
      return fail()
    },
  }))
  await write({ a: 1 })
  await expect(read()).rejects.toMatchObject({ written: 'no' })
})
