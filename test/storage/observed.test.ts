/** Observers of a storage get each row that a transaction changes, once. */
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Storage, StorageRetry } from '../../src/contract/storage.ts'
import { observedStorage } from '../../src/core/changes/observed-storage.ts'
import type { ChangeObserver, ChangeSet } from '../../src/core/changes/row-change.ts'
import { retryTransaction } from '../../src/core/runtime/retry-transaction.ts'
import { addPost, addTerm, addUser, assign, postValues, things } from '../../src/testing/content.ts'
import { casesOf } from '../support/generated-cases.ts'
import { openStorage } from '../support/storage.ts'
import { content, type Step, shelf, step, types, write } from './generated-content.ts'
import { applied, snapshotOf, sortedRows } from './snapshot.ts'

async function open(observer: Partial<ChangeObserver> = {}, wrap = (storage: Storage) => storage) {
  const opened = await openStorage()
  onTestFinished(opened.dispose)
  const told: ChangeSet[] = []
  const committed: ChangeSet[] = []
  const inner = wrap(opened.storage)
  const storage = observedStorage(
    inner,
    [
      {
        wants: () => true,
        ...observer,
        beforeCommit: async (changes, transaction) => {
          told.push(changes)
          await observer.beforeCommit?.(changes, transaction)
        },
        afterCommit: (changes) => void committed.push(changes),
      },
    ],
    () => [...types, 'book'],
  )
  const last = () => {
    const changes = told.at(-1)?.changes
    told.length = 0
    return changes
  }
  return { storage, inner, told, committed, last }
}

test('without observers a storage is itself', async () => {
  const { inner } = await open()
  expect(observedStorage(inner, [], () => [])).toBe(inner)
})

test('a write outside of a transaction is one: its row is told before the commit and after', async () => {
  const { storage, last, committed } = await open()
  const id = await addPost(storage, { title: 'One' })
  const row = { id, ...postValues({ title: 'One' }), version: 1 }
  expect(last()).toEqual([{ store: 'posts', id, after: row }])
  expect(committed).toHaveLength(1)
  await storage.posts.update([{ id, changes: { title: 'Two' } }])
  const second = { ...row, title: 'Two', version: 2 }
  expect(last()).toEqual([{ store: 'posts', id, before: row, after: second }])
  await storage.posts.update([{ id, changes: { title: 'Three' }, when: { version: 1 } }])
  expect(last()).toBeUndefined()
  await storage.options.write({ color: 'red' })
  expect(last()).toEqual([{ store: 'options', name: 'color', before: null, after: 'red' }])
  expect([await storage.options.swap('color', 'blue', 1), last()]).toEqual([false, undefined])
  expect(await storage.options.swap('color', 'red', null)).toBe(true)
  expect(last()).toEqual([{ store: 'options', name: 'color', before: 'red', after: null }])
})

test('several writes of one row are one change, and those that end where they began are none', async () => {
  const { storage, last } = await open()
  const id = await addPost(storage, {})
  last()
  await storage.atomic?.(async (inside) => {
    await inside.meta.write('post', [{ id, key: 'mood', value: 'low' }])
    await inside.meta.write('post', [
      { id, key: 'mood', value: 'high' },
      { id, key: 'gone', value: 1 },
    ])
    await inside.meta.write('post', [{ id, key: 'gone', value: null }])
    const [other = 0] = await inside.posts.insert([postValues()])
    await inside.posts.remove([other])
  })
  expect(last()).toEqual([{ store: 'meta', owner: 'post', id, key: 'mood', before: null, after: 'high' }])
  await storage.atomic?.(async (inside) => {
    const updates = [1, 2, 3].map((menuOrder) => ({ id, changes: { menuOrder }, when: { version: menuOrder } }))
    expect(await inside.posts.update(updates)).toEqual([id, id, id])
  })
  expect(last()).toMatchObject([{ id, before: { menuOrder: 0, version: 1 }, after: { menuOrder: 3, version: 4 } }])
})

test('a removal tells all that it takes along', async () => {
  const { storage, last } = await open()
  const [post, user] = [await addPost(storage, { type: 'book' }), await addUser(storage, 'ann')]
  const above = await addTerm(storage, 'above')
  const term = await addTerm(storage, 'middle', { parent: above })
  const child = await addTerm(storage, 'below', { parent: term })
  await assign(storage, post, [term, child])
  await storage.meta.write('term', [{ id: term, key: 'color', value: 'red' }])
  await storage.meta.write('post', [{ id: post, key: 'color', value: 'blue' }])
  await storage.meta.write('user', [{ id: user, key: 'color', value: 'pink' }])
  last()
  await storage.terms.remove([term])
  expect(last()).toMatchObject([
    { store: 'assignments', post, taxonomy: 'category', before: [term, child], after: [child] },
    { store: 'meta', owner: 'term', id: term, key: 'color', before: 'red', after: null },
    { store: 'terms', id: term, before: { slug: 'middle' } },
    { store: 'terms', id: child, before: { parent: term }, after: { parent: above } },
  ])
  await storage.posts.remove([post, 99])
  expect(last()).toMatchObject([
    { store: 'meta', owner: 'post', id: post, key: 'color', before: 'blue', after: null },
    { store: 'assignments', post, taxonomy: 'category', before: [child], after: [] },
    { store: 'posts', id: post, before: { type: 'book' } },
  ])
  await storage.users.remove([user])
  expect(last()?.map(({ store }) => store)).toEqual(['meta', 'users'])
})

test('a savepoint that is rolled back takes its changes back, and a failed transaction tells nothing', async () => {
  const { storage, told, committed } = await open()
  const fail = () => Promise.reject(new Error('no'))
  await storage.atomic?.(async (inside) => {
    await inside.options.write({ kept: 1 })
    await Promise.resolve(
      inside.atomic?.(async (deeper) => {
        await deeper.options.write({ kept: 2, undone: 2 })
        await fail()
      }),
    ).catch(() => undefined)
    await inside.atomic?.(async (deeper) => deeper.options.write({ added: 3 }))
  })
  expect(told).toEqual([
    {
      changes: [
        { store: 'options', name: 'kept', before: null, after: 1 },
        { store: 'options', name: 'added', before: null, after: 3 },
      ],
      overflow: false,
      written: new Set(['']),
    },
  ])
  const failing = storage.atomic?.(async (inside) => {
    await inside.options.write({ kept: 5 })
    await fail()
  })
  await expect(failing).rejects.toThrow('no')
  expect([told.length, committed.length, await storage.options.read(['kept'])]).toEqual([1, 1, { kept: 1 }])
})

test('a transaction that runs again tells the changes of its last run', async () => {
  const { storage, told } = await open()
  let runs = 0
  await retryTransaction(storage, async (inside) => {
    runs++
    await inside.options.write({ [`run${runs}`]: runs })
    if (runs === 1) throw new StorageRetry(undefined)
  })
  expect(told.map(({ changes }) => changes)).toEqual([[{ store: 'options', name: 'run2', before: null, after: 2 }]])
})

test('an observer may write, which no observer sees, and its error rolls everything back', async () => {
  const { storage, told } = await open({
    beforeCommit: async (changes, transaction) => {
      if (changes.changes.some((change) => change.store === 'options')) throw new Error('refused')
      await transaction.meta.write('post', [{ id: 1, key: 'seen', value: changes.changes.length }])
    },
  })
  await addPost(storage)
  expect(await storage.meta.read('post', [1])).toEqual([{ id: 1, key: 'seen', value: 1 }])
  expect(told).toHaveLength(1)
  await expect(Promise.resolve(storage.options.write({ a: 1 }))).rejects.toThrow('refused')
  expect(await storage.options.read()).toEqual({})
})

test('an observer is told only what it wants, and no more than its limit', async () => {
  const { storage, told } = await open({
    wants: (store, name) => store === 'posts' || (store === 'records' && name === 'things'),
    limit: 3,
  })
  await storage.options.write({ a: 1 })
  await addUser(storage, 'ann')
  expect(told).toEqual([])
  await storage.atomic?.(async (inside) => {
    await inside.options.write({ b: 1, c: 2, d: 3, e: 4 })
    await inside.records.insert(things, [{ name: 'a' }, { name: 'b' }])
    await inside.records.remove(things, { field: 'name', is: 'a' })
  })
  expect(told.splice(0)).toMatchObject([
    { overflow: false, changes: [{ store: 'records', after: { name: 'b', size: null } }] },
  ])
  await storage.posts.insert(['a', 'b', 'c', 'd'].map((title) => postValues({ title })))
  await storage.posts.update([{ id: 1, changes: { title: 'x' } }])
  expect(told).toMatchObject([
    { changes: [], overflow: true },
    { overflow: false, changes: [{ id: 1 }] },
  ])
})

test('writes of one transaction at the same time are told in their order', async () => {
  const { storage, last } = await open()
  const id = await addPost(storage, {})
  last()
  await storage.atomic?.(async (inside) => {
    await Promise.all([
      inside.posts.update([{ id, changes: { title: 'a' } }]),
      inside.posts.update([{ id, changes: { excerpt: 'b' } }]),
      inside.options.write({ x: 1 }),
      inside.options.write({ x: 2 }),
    ])
  })
  expect(last()).toMatchObject([{ after: { title: 'a', excerpt: 'b', version: 3 } }, { before: null, after: 2 }])
  expect(await storage.posts.read([id])).toMatchObject([{ title: 'a', excerpt: 'b', version: 3 }])
})

/** A host may write its storage as a class, with fields that only its methods see. */
class HostStorage {
  readonly #storage: Storage
  readonly posts
  readonly terms
  readonly users
  readonly meta
  readonly options
  readonly records
  constructor(storage: Storage) {
    this.#storage = storage
    this.posts = storage.posts
    this.terms = storage.terms
    this.users = storage.users
    this.meta = storage.meta
    this.options = new HostOptions(storage)
    this.records = storage.records
  }
  atomic: Storage['atomic'] = (work, how) =>
    this.#storage.atomic?.((inside) => work(new HostStorage(inside)), how) as never
  changes() {
    return this.#storage.changes?.() ?? 0
  }
}

class HostOptions {
  readonly #storage: Storage
  constructor(storage: Storage) {
    this.#storage = storage
  }
  read(names?: readonly string[]) {
    return this.#storage.options.read(names)
  }
  write(values: Parameters<Storage['options']['write']>[0]) {
    return this.#storage.options.write(values)
  }
  swap(...values: Parameters<Storage['options']['swap']>) {
    return this.#storage.options.swap(...values)
  }
}

test('a storage that is a class, and one without transactions, are observed too', async () => {
  const asClass = await open({}, (storage) => new HostStorage(storage))
  await asClass.storage.options.write({ a: 1 })
  expect(asClass.last()).toEqual([{ store: 'options', name: 'a', before: null, after: 1 }])
  expect(await asClass.storage.options.read(['a'])).toEqual({ a: 1 })
  const alone = await open({}, ({ posts, terms, users, meta, options, records }) => ({
    ...{ posts, terms, users, meta, options, records },
  }))
  expect(alone.storage.atomic).toBeUndefined()
  await alone.storage.options.write({ a: 1 })
  expect(alone.last()).toEqual([{ store: 'options', name: 'a', before: null, after: 1 }])
})

test('the other members of a storage are its own', async () => {
  const { storage, inner } = await open()
  for (const name of ['keepsIds', 'isRemote'] as const) expect(storage[name]).toBe(inner[name])
  expect(storage.changes?.()).toEqual(inner.changes?.())
  expect(storage.requests === undefined).toBe(inner.requests === undefined)
})

/** Each step is a savepoint: one that fails takes back what it has done. */
const transaction = fc.array(fc.record({ step, isUndone: fc.boolean(), reads: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
})

test('the changes applied to what was stored before are what is stored after', async () => {
  const test = async (initial: Parameters<typeof write>[1], transactions: readonly TransactionSteps[]) => {
    const { storage, inner, told, last } = await open()
    await write(inner, initial)
    for (const steps of transactions) {
      const before = await snapshotOf(inner, shelf)
      await storage.atomic?.((inside) => runSteps(inside, steps))
      expect(told.length).toBeLessThanOrEqual(1)
      const after = await snapshotOf(inner, shelf)
      expect(sortedRows(applied(before, last() ?? []))).toEqual(sortedRows(after))
    }
  }
  await fc.assert(fc.asyncProperty(content, fc.array(transaction, { minLength: 1, maxLength: 5 }), test), {
    numRuns: casesOf(process.env.TEST_STORAGE === 'memory' ? 200 : 50),
  })
})

type TransactionSteps = readonly { readonly step: Step; readonly isUndone: boolean; readonly reads: boolean }[]

async function runSteps(inside: Storage, steps: TransactionSteps): Promise<void> {
  for (const { step, isUndone, reads } of steps) {
    if (reads) await snapshotOf(inside, shelf)
    const run = async (deeper: Storage) => {
      await step(deeper)
      // A storage over a network may find only with its next answer that a write has failed.
      await deeper.terms.of([1])
      if (isUndone) throw new Error('undone')
    }
    await Promise.resolve(inside.atomic?.(run)).catch(() => undefined)
  }
}
