/** `atomic`: what others do meanwhile and what they see, with work that waits on purpose. */
import type { Storage } from '../storage/contract.ts'
import { atomicOn } from './atomic.ts'
import { type ConformanceCase, equal, isTrue, throws, together, turns } from './case.ts'
import { addPost, findPosts, findThings, postValues, things } from './content.ts'

class Refused extends Error {}

/** A transaction that has written an option and a post, and stays open until it is told how to end. */
async function begin(storage: Storage): Promise<{ end: (how: 'keep' | 'fail') => Promise<void> }> {
  const told = Promise.withResolvers<'keep' | 'fail'>()
  const written = Promise.withResolvers<void>()
  const running = Promise.resolve(
    atomicOn(storage)(async (transaction) => {
      await transaction.options.write({ inside: true })
      await addPost(transaction, { slug: 'inside' })
      written.resolve()
      if ((await told.promise) === 'fail') throw new Refused('no')
    }),
  )
  running.catch(written.reject)
  await written.promise
  return {
    end: async (how) => {
      told.resolve(how)
      if (how === 'keep') await running
      else await throws(() => running, 'the transaction')
    },
  }
}

/** What an outsider sees of the transaction of `begin`. */
async function look(storage: Storage): Promise<unknown> {
  return [
    await storage.options.read(),
    (await findPosts(storage)).length,
    await storage.posts.takenSlugs('post', ['inside']),
  ]
}

const nothing = [{}, 0, []]
const all = [{ inside: true }, 1, ['inside']]

/** Begins something now and tells later what became of it, and whether that was settled already. */
function watch<T>(action: () => T | Promise<T>): { readonly result: Promise<T>; settled: boolean } {
  const result = (async () => action())()
  const watched = { result, settled: false }
  const settle = () => {
    watched.settled = true
  }
  result.then(settle, settle)
  return watched
}

const cases: readonly Omit<ConformanceCase, 'needs'>[] = [
  {
    name: 'shows others nothing of a transaction before it ends, and all of it afterwards',
    async run(storage) {
      const transaction = await begin(storage)
      const looking = watch(() => look(storage))
      await turns()
      // A storage may answer now with what was there before, or wait for the end.
      if (looking.settled) equal(await looking.result, nothing, 'seen meanwhile')
      await transaction.end('keep')
      await looking.result
      equal(await look(storage), all, 'seen afterwards')
    },
  },
  {
    name: 'never shows others anything of a transaction that fails',
    async run(storage) {
      const transaction = await begin(storage)
      const looking = watch(() => look(storage))
      await turns()
      await transaction.end('fail')
      equal(await looking.result, nothing, 'seen meanwhile')
      equal(await look(storage), nothing, 'seen afterwards')
    },
  },
  {
    name: 'shows others what was there before a transaction changed and removed it',
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
      const told = Promise.withResolvers<void>()
      const changed = Promise.withResolvers<unknown>()
      const running = Promise.resolve(
        atomicOn(storage)(async (transaction) => {
          await transaction.posts.update([{ id: a, changes: { title: 'changed', date: '2025-01-01T00:00:00' } }])
          await transaction.posts.remove([b])
          await transaction.records.update(things, [{ id: record, changes: { owner: 3 } }])
          changed.resolve(await see(transaction))
          await told.promise
          throw new Refused('no')
        }),
      )
      running.catch(changed.reject)
      equal(await changed.promise, [['changed'], [a], 0], 'seen inside')
      const looking = watch(() => see(storage))
      await turns()
      told.resolve()
      await throws(() => running, 'the transaction')
      equal(await looking.result, before, 'seen meanwhile')
      equal(await see(storage), before, 'seen afterwards')
    },
  },
  {
    name: 'keeps what others write while a transaction runs that fails',
    async run(storage) {
      const transaction = await begin(storage)
      const writes = [
        watch(() => storage.options.write({ outside: 1 })),
        watch(() => addPost(storage, { slug: 'outside' })),
        watch(() => storage.options.swap('lock', null, 'mine')),
        watch(() => storage.records.insert(things, [{ name: 'outside' }])),
      ]
      await turns()
      await transaction.end('fail')
      await Promise.all(writes.map((write) => write.result))
      equal(await storage.options.read(), { outside: 1, lock: 'mine' }, 'the options')
      equal(await storage.posts.takenSlugs('post', ['inside', 'outside']), ['outside'], 'the posts')
      equal((await findThings(storage)).length, 1, 'the records')
    },
  },
  {
    name: 'keeps what others write while a transaction runs that succeeds, apart from it',
    async run(storage) {
      const transaction = await begin(storage)
      const write = watch(() => storage.options.write({ outside: 1 }))
      const conflicting = watch(() => addPost(storage, { slug: 'inside' }).catch(() => 'refused'))
      await turns()
      await transaction.end('keep')
      await write.result
      equal(await conflicting.result, 'refused', 'a slug that the transaction took')
      equal(await storage.options.read(), { inside: true, outside: 1 }, 'the options')
    },
  },
  {
    name: 'lets a savepoint that fails undo nothing of what others wrote meanwhile',
    async run(storage) {
      let outside: Promise<unknown> = Promise.resolve()
      await atomicOn(storage)(async (transaction) => {
        await transaction.options.write({ outer: 1 })
        const saved = atomicOn(transaction)(async (savepoint) => {
          await savepoint.options.write({ inner: 1 })
          outside = watch(() => storage.options.write({ outside: 1 })).result
          await turns()
          throw new Refused('no')
        })
        await throws(() => saved, 'the savepoint')
        await turns()
      })
      await outside
      equal(await storage.options.read(), { outer: 1, outside: 1 }, 'the options')
    },
  },
  {
    name: 'runs transactions one after another, so that none overwrites what another read',
    async run(storage) {
      await storage.options.write({ count: 0 })
      const work = Array.from(
        { length: 25 },
        (_, index) => () =>
          atomicOn(storage)(async (transaction) => {
            const { count } = await transaction.options.read(['count'])
            await turns()
            await transaction.options.write({ count: Number(count) + 1, [`last${index}`]: true })
            await turns()
            if (index % 5 === 0) throw new Refused('no')
          }),
      )
      const results = await together(work)
      equal(results.filter((result) => result.status === 'rejected').length, 5, 'how many failed')
      const options = await storage.options.read()
      equal(options.count, 20, 'the count')
      equal(Object.keys(options).length, 21, 'what the others wrote')
    },
  },
  {
    name: 'keeps order between transactions and single writes that come together',
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
            await turns()
            await transaction.records.insert(things, [{ size: index }])
          })
      })
      const results = await together(actions)
      isTrue(
        results.every((result) => result.status === 'fulfilled'),
        'all of them succeed',
      )
      equal(await storage.options.read(), { sum: 1010 }, 'the sum')
      equal((await findThings(storage)).length, 10, 'the records')
    },
  },
  {
    name: 'is free for others after a transaction has failed',
    async run(storage) {
      for (const at of ['now', 'later'] as const) {
        const failing = () =>
          atomicOn(storage)((transaction) => {
            if (at === 'now') throw new Refused('no')
            return Promise.resolve(transaction.options.write({ [at]: 1 })).then(() => Promise.reject(new Refused('no')))
          })
        const results = await together([failing, () => storage.options.write({ [`beside ${at}`]: 1 }), failing])
        equal(
          results.map((result) => result.status),
          ['rejected', 'fulfilled', 'rejected'],
          `what became of them, failing ${at}`,
        )
        await atomicOn(storage)((transaction) => transaction.options.write({ [`after ${at}`]: 1 }))
      }
      const names = Object.keys(await storage.options.read()).sort()
      equal(names, ['after later', 'after now', 'beside later', 'beside now'], 'the options')
    },
  },
]

export const isolationCases: readonly ConformanceCase[] = cases.map((each) => ({ ...each, needs: 'atomic' }))
