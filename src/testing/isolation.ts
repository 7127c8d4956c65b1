/** `atomic`: what others see and write while a transaction is open. */
import type { Storage } from '../contract/storage.ts'
import { atomicOn } from './atomic.ts'
import { type ConformanceCase, equal, flushMicrotasks, isTrue, runConcurrently, throws } from './case.ts'
import { addPost, addTerm, findPosts, findThings, postValues, things } from './content.ts'

class ExpectedError extends Error {}

/** Begins a transaction that writes an option and a post and stays open until `end` is called. */
async function begin(storage: Storage): Promise<{ end: (how: 'commit' | 'fail') => Promise<void> }> {
  const ending = Promise.withResolvers<'commit' | 'fail'>()
  const written = Promise.withResolvers<void>()
  const running = Promise.resolve(
    atomicOn(storage)(async (transaction) => {
      await transaction.options.write({ inside: true })
      await addPost(transaction, { slug: 'inside' })
      written.resolve()
      if ((await ending.promise) === 'fail') throw new ExpectedError('no')
    }),
  )
  running.catch(written.reject)
  await written.promise
  return {
    end: async (how) => {
      ending.resolve(how)
      if (how === 'commit') await running
      else await throws(() => running, 'the transaction')
    },
  }
}

/** Reads the rows of the transaction of `begin` that are visible. */
async function look(storage: Storage): Promise<unknown> {
  return [
    await storage.options.read(),
    (await findPosts(storage)).length,
    await storage.posts.takenSlugs('post', ['inside']),
  ]
}

const nothing = [{}, 0, []]
const all = [{ inside: true }, 1, ['inside']]

/** Starts an action; `settled` becomes true when its result is settled. */
function watch<T>(action: () => T | Promise<T>): { readonly result: Promise<T>; settled: boolean } {
  const result = (async () => action())()
  const watch = { result, settled: false }
  const settle = () => {
    watch.settled = true
  }
  result.then(settle, settle)
  return watch
}

const byId = { order: { by: 'id', descending: false }, offset: 0, limit: 100 } as const

const cases: readonly Omit<ConformanceCase, 'needs'>[] = [
  {
    name: 'shows others nothing of a transaction before it commits, and all of it afterwards',
    async run(storage) {
      const transaction = await begin(storage)
      const looking = watch(() => look(storage))
      await flushMicrotasks()
      // A storage may return the state before the transaction at once, or wait for its end.
      if (looking.settled) equal(await looking.result, nothing, 'seen during the transaction')
      await transaction.end('commit')
      await looking.result
      equal(await look(storage), all, 'seen afterwards')
    },
  },
  {
    name: 'never shows others the writes of a transaction that fails',
    async run(storage) {
      const transaction = await begin(storage)
      const looking = watch(() => look(storage))
      await flushMicrotasks()
      await transaction.end('fail')
      equal(await looking.result, nothing, 'seen during the transaction')
      equal(await look(storage), nothing, 'seen afterwards')
    },
  },
  {
    name: 'shows others the rows as they were before an open transaction changed and removed them',
    async run(storage) {
      const [a, b] = (await storage.posts.insert([
        postValues({ title: 'a', date: '2024-01-01T00:00:00' }),
        postValues({ title: 'b', date: '2024-01-02T00:00:00' }),
      ])) as [number, number]
      const [record] = (await storage.records.insert(things, [{ owner: 1 }, { owner: 2 }])) as [number]
      const see = async (on: Storage) => [
        (await on.posts.read([a, b])).map((row) => row.title),
        await findPosts(on, { order: { by: 'date', descending: true } }),
        (await findThings(on, { field: 'owner', is: 1 })).length,
      ]
      const before = await see(storage)
      const ending = Promise.withResolvers<void>()
      const changed = Promise.withResolvers<unknown>()
      const running = Promise.resolve(
        atomicOn(storage)(async (transaction) => {
          await transaction.posts.update([{ id: a, changes: { title: 'changed', date: '2025-01-01T00:00:00' } }])
          await transaction.posts.remove([b])
          await transaction.records.update(things, [{ id: record, changes: { owner: 3 } }])
          changed.resolve(await see(transaction))
          await ending.promise
          throw new ExpectedError('no')
        }),
      )
      running.catch(changed.reject)
      equal(await changed.promise, [['changed'], [a], 0], 'seen inside')
      const looking = watch(() => see(storage))
      await flushMicrotasks()
      ending.resolve()
      await throws(() => running, 'the transaction')
      equal(await looking.result, before, 'seen during the transaction')
      equal(await see(storage), before, 'seen afterwards')
    },
  },
  {
    name: 'stores the writes of others while a transaction runs that fails',
    async run(storage) {
      const transaction = await begin(storage)
      const writes = [
        watch(() => storage.options.write({ outside: 1 })),
        watch(() => addPost(storage, { slug: 'outside' })),
        watch(() => storage.options.swap('lock', null, 'mine')),
        watch(() => storage.records.insert(things, [{ name: 'outside' }])),
      ]
      await flushMicrotasks()
      await transaction.end('fail')
      await Promise.all(writes.map((write) => write.result))
      equal(await storage.options.read(), { outside: 1, lock: 'mine' }, 'the options')
      equal(await storage.posts.takenSlugs('post', ['inside', 'outside']), ['outside'], 'the posts')
      equal((await findThings(storage)).length, 1, 'the records')
    },
  },
  {
    name: 'stores the writes of others while a transaction runs that commits',
    async run(storage) {
      const transaction = await begin(storage)
      const write = watch(() => storage.options.write({ outside: 1 }))
      const conflicting = watch(() => addPost(storage, { slug: 'inside' }).catch(() => 'refused'))
      await flushMicrotasks()
      await transaction.end('commit')
      await write.result
      equal(await conflicting.result, 'refused', 'a slug that the transaction took')
      equal(await storage.options.read(), { inside: true, outside: 1 }, 'the options')
    },
  },
  {
    name: 'shows a transaction its own writes in what it has read before',
    async run(storage) {
      const [post, term] = [await addPost(storage, { slug: 'a' }), await addTerm(storage, 'old')]
      const seen = await atomicOn(storage)(async (transaction) => {
        const slugs = ['a', 'b', 'c']
        const look = async () => [
          await transaction.posts.takenSlugs('post', slugs),
          (await transaction.terms.query({ ...byId, ids: [term, term + 1] })).rows.map(({ slug }) => slug),
        ]
        const before = await look()
        await addPost(transaction, { slug: 'b' })
        await addTerm(transaction, 'new')
        const added = await look()
        await transaction.posts.update([{ id: post, changes: { slug: 'c' } }])
        await transaction.terms.update([{ id: term, changes: { slug: 'renamed' } }])
        const changed = await look()
        await transaction.posts.remove([post])
        await transaction.terms.remove([term])
        return [before, added, changed, await look()]
      })
      const expected = [
        [['a'], ['old']],
        [
          ['a', 'b'],
          ['old', 'new'],
        ],
        [
          ['b', 'c'],
          ['renamed', 'new'],
        ],
        [['b'], ['new']],
      ]
      equal(seen, expected, 'seen in turn')
    },
  },
  {
    name: 'does not roll back the writes of others with a failed savepoint',
    async run(storage) {
      let outside: Promise<unknown> = Promise.resolve()
      await atomicOn(storage)(async (transaction) => {
        await transaction.options.write({ outer: 1 })
        const savepointWork = atomicOn(transaction)(async (savepoint) => {
          await savepoint.options.write({ inner: 1 })
          outside = watch(() => storage.options.write({ outside: 1 })).result
          await flushMicrotasks()
          throw new ExpectedError('no')
        })
        await throws(() => savepointWork, 'the savepoint')
        await flushMicrotasks()
      })
      await outside
      equal(await storage.options.read(), { outer: 1, outside: 1 }, 'the options')
    },
  },
  {
    name: 'runs transactions one at a time, so that none overwrites what another has read',
    async run(storage) {
      await storage.options.write({ count: 0 })
      const work = Array.from(
        { length: 25 },
        (_, index) => () =>
          atomicOn(storage)(async (transaction) => {
            const { count } = await transaction.options.read(['count'])
            await flushMicrotasks()
            await transaction.options.write({ count: Number(count) + 1, [`last${index}`]: true })
            await flushMicrotasks()
            if (index % 5 === 0) throw new ExpectedError('no')
          }),
      )
      const results = await runConcurrently(work)
      equal(results.filter((result) => result.status === 'rejected').length, 5, 'how many failed')
      const options = await storage.options.read()
      equal(options.count, 20, 'the count')
      equal(Object.keys(options).length, 21, 'what the others wrote')
    },
  },
  {
    name: 'serializes concurrent transactions and single writes',
    async run(storage) {
      await storage.options.write({ sum: 0 })
      const add = (on: Storage, amount: number) => async () => {
        for (let attempt = 0; attempt < 1000; attempt++) {
          const { sum } = await on.options.read(['sum'])
          if (await on.options.swap('sum', sum ?? null, Number(sum) + amount)) return
        }
        throw new Error('a thousand swaps of a value that was just read have failed')
      }
      const actions = Array.from({ length: 20 }, (_, index) => {
        if (index % 2 === 0) return add(storage, 1)
        return () =>
          atomicOn(storage)(async (transaction) => {
            await add(transaction, 100)()
            await flushMicrotasks()
            await transaction.records.insert(things, [{ size: index }])
          })
      })
      const results = await runConcurrently(actions)
      isTrue(
        results.every((result) => result.status === 'fulfilled'),
        'all of them succeed',
      )
      equal(await storage.options.read(), { sum: 1010 }, 'the sum')
      equal((await findThings(storage)).length, 10, 'the records')
    },
  },
  {
    name: 'accepts writes after a transaction has failed',
    async run(storage) {
      for (const at of ['now', 'later'] as const) {
        const failing = () =>
          atomicOn(storage)((transaction) => {
            if (at === 'now') throw new ExpectedError('no')
            return Promise.resolve(transaction.options.write({ [at]: 1 })).then(() =>
              Promise.reject(new ExpectedError('no')),
            )
          })
        const results = await runConcurrently([failing, () => storage.options.write({ [`beside ${at}`]: 1 }), failing])
        equal(
          results.map((result) => result.status),
          ['rejected', 'fulfilled', 'rejected'],
          `the results, failing ${at}`,
        )
        await atomicOn(storage)((transaction) => transaction.options.write({ [`after ${at}`]: 1 }))
      }
      const names = Object.keys(await storage.options.read()).sort()
      equal(names, ['after later', 'after now', 'beside later', 'beside now'], 'the options')
    },
  },
]

export const isolationCases: readonly ConformanceCase[] = cases.map((each) => ({ ...each, needs: 'atomic' }))
