/** `atomic`: all or nothing, savepoints, and handles after their end. Isolation is tested in isolation.ts. */
import type { MaybePromise, Storage } from '../contract/storage.ts'
import { type ConformanceCase, conflicts, equal, flushMicrotasks, isTrue, runConcurrently, throws } from './case.ts'
import {
  addPost,
  addPosts,
  addTerm,
  addUser,
  assign,
  findPosts,
  findTerms,
  findThings,
  findUsers,
  termsOf,
  things,
} from './content.ts'

/** The cast: these cases run only on storages with `atomic`. */
export const atomicOn =
  (storage: Storage) =>
  <T>(work: (inside: Storage) => MaybePromise<T>): MaybePromise<T> =>
    storage.atomic!(work)

class ExpectedError extends Error {}

/** Writes to every store. */
async function writeEverywhere(storage: Storage, { post, term, record }: Filled): Promise<void> {
  const added = await addPost(storage, { slug: 'added', title: 'needle' })
  await storage.posts.update([{ id: post, changes: { title: 'changed', slug: 'moved' } }])
  await addTerm(storage, 'added')
  await storage.terms.update([{ id: term, changes: { name: 'changed' } }])
  await assign(storage, added, [term])
  await assign(storage, post, [])
  await addUser(storage, 'added')
  await storage.meta.write('post', [{ id: post, key: 'k', value: 'changed' }])
  await storage.options.write({ o: 'changed', added: 1 })
  await storage.options.swap('w', null, 1)
  await storage.records.insert(things, [{ name: 'added' }])
  await storage.records.update(things, [{ id: record, changes: { name: 'changed' } }])
}

/** Everything that `writeEverywhere` can change, in one value. */
async function everything(storage: Storage): Promise<unknown> {
  const search = { every: ['needle'], none: [], columns: ['title' as const], exact: false }
  const byId = { order: { by: 'id', descending: false }, offset: 0, limit: 99 } as const
  const posts = await findPosts(storage)
  return {
    posts: await storage.posts.read(posts),
    bySearch: await findPosts(storage, { search }),
    bySlug: await findPosts(storage, { slugs: ['added', 'moved'] }),
    terms: (await storage.terms.query(byId)).rows,
    assigned: await termsOf(storage, posts),
    users: (await storage.users.query(byId)).rows,
    meta: await storage.meta.read('post', posts),
    options: await storage.options.read(),
    records: (await storage.records.query(things, {})).rows,
  }
}

interface Filled {
  readonly post: number
  readonly term: number
  readonly record: number
}

async function fill(storage: Storage): Promise<Filled> {
  const post = await addPost(storage, { slug: 'a', title: 'a' })
  const term = await addTerm(storage, 'a')
  await assign(storage, post, [term])
  await storage.meta.write('post', [{ id: post, key: 'k', value: 1 }])
  await storage.options.write({ o: 1 })
  const [record] = (await storage.records.insert(things, [{ name: 'a' }])) as [number]
  return { post, term, record }
}

const cases: readonly Omit<ConformanceCase, 'needs'>[] = [
  {
    name: 'returns the result of the work of a transaction',
    async run(storage) {
      equal(await atomicOn(storage)(() => 'now'), 'now', 'a value')
      equal(await atomicOn(storage)(async () => ({ later: true })), { later: true }, 'a promise')
      equal(await atomicOn(storage)(() => undefined), undefined, 'nothing')
    },
  },
  {
    name: 'commits all writes of a transaction, which sees its own writes',
    async run(storage) {
      const filled = await fill(storage)
      const during = await atomicOn(storage)(async (transaction) => {
        await writeEverywhere(transaction, filled)
        return everything(transaction)
      })
      const after = (await everything(storage)) as { posts: unknown[]; bySlug: unknown[]; bySearch: unknown[] }
      equal(after, during, 'what is stored')
      equal([after.posts.length, after.bySlug.length, after.bySearch.length], [2, 2, 1], 'how much')
    },
  },
  {
    name: 'rolls back a transaction whose work rejects, and rejects with the same error',
    async run(storage) {
      const filled = await fill(storage)
      const before = await everything(storage)
      const error = new ExpectedError('no')
      const thrown = await throws(
        () =>
          atomicOn(storage)(async (transaction) => {
            await writeEverywhere(transaction, filled)
            await transaction.posts.remove([filled.post])
            await transaction.terms.remove([filled.term])
            await transaction.records.remove(things, { every: [] })
            throw error
          }),
        'the transaction',
      )
      isTrue(thrown === error, 'the error is that of the work')
      equal(await everything(storage), before, 'what is stored')
    },
  },
  {
    name: 'rolls back a transaction whose work throws synchronously',
    async run(storage) {
      const error = new ExpectedError('no')
      let write: unknown
      const thrown = await throws(
        () =>
          atomicOn(storage)((transaction) => {
            write = transaction.options.write({ o: 1 })
            throw error
          }),
        'the transaction',
      )
      // An asynchronous storage may reject this write, because the transaction has ended.
      await Promise.resolve(write).catch(() => undefined)
      isTrue(thrown === error, 'the error is that of the work')
      equal(await storage.options.read(), {}, 'what is stored')
    },
  },
  {
    name: 'never reuses the id of a stored row after a transaction failed',
    async run(storage) {
      const a = await addPost(storage)
      await throws(
        () =>
          atomicOn(storage)(async (transaction) => {
            await addPosts(transaction, [{}, {}])
            throw new ExpectedError('no')
          }),
        'the transaction',
      )
      const b = await addPost(storage)
      isTrue(b > a, `${b} is above ${a}`)
      equal(await findPosts(storage), [a, b], 'what is stored')
    },
  },
  {
    name: 'continues a transaction after one of its savepoints failed',
    async run(storage) {
      await atomicOn(storage)(async (transaction) => {
        const a = await addPost(transaction, { slug: 'a' })
        const error = new ExpectedError('no')
        const thrown = await throws(
          () =>
            atomicOn(transaction)(async (savepoint) => {
              equal(await findPosts(savepoint), [a], 'what the savepoint sees at first')
              await addPost(savepoint, { slug: 'b' })
              await savepoint.posts.update([{ id: a, changes: { title: 'changed' } }])
              await flushMicrotasks()
              throw error
            }),
          'the savepoint',
        )
        isTrue(thrown === error, 'the error is that of the work')
        equal(await findPosts(transaction), [a], 'what the transaction sees')
        await addPost(transaction, { slug: 'b', title: 'kept' })
      })
      const rows = await storage.posts.read(await findPosts(storage))
      equal(
        rows.map(({ slug, title }) => [slug, title]),
        [
          ['a', ''],
          ['b', 'kept'],
        ],
        'what is stored',
      )
    },
  },
  {
    name: 'commits or rolls back savepoints with their transaction',
    async run(storage) {
      const write = (fails: boolean) =>
        atomicOn(storage)(async (transaction) => {
          await transaction.options.write({ outer: fails })
          await atomicOn(transaction)(async (savepoint) => {
            await savepoint.options.write({ inner: fails })
            await atomicOn(savepoint)((innermost) => innermost.options.write({ innermost: fails }))
          })
          equal(await transaction.options.read(['innermost']), { innermost: fails }, 'what the transaction sees')
          if (fails) throw new ExpectedError('no')
        })
      await write(false)
      await throws(() => write(true), 'the failing transaction')
      equal(await storage.options.read(), { outer: false, inner: false, innermost: false }, 'what is stored')
    },
  },
  {
    name: 'rolls back each failed savepoint to its start',
    async run(storage) {
      await storage.options.write({ n: 0 })
      await atomicOn(storage)(async (transaction) => {
        for (let round = 1; round <= 6; round++) {
          const savepointWork = atomicOn(transaction)(async (savepoint) => {
            const { n } = await savepoint.options.read(['n'])
            await savepoint.options.write({ n: Number(n) + 1, [`round${round}`]: true })
            await savepoint.records.insert(things, [{ size: round }])
            if (round % 2 === 0) throw new ExpectedError('no')
          })
          await Promise.resolve(savepointWork).catch(() => undefined)
        }
      })
      equal(await storage.options.read(), { n: 3, round1: true, round3: true, round5: true }, 'the options')
      equal(
        (await storage.records.query(things, {})).rows.map((row) => row.size),
        [1, 3, 5],
        'the records',
      )
    },
  },
  {
    name: 'continues a transaction after a write in it failed',
    async run(storage) {
      await addPost(storage, { slug: 'taken' })
      await atomicOn(storage)(async (transaction) => {
        await addPost(transaction, { slug: 'a' })
        const rows = [{ slug: 'b' }, { slug: 'taken' }]
        await conflicts('slug', () => addPosts(transaction, rows), 'a taken slug')
        await throws(() => transaction.options.write({ good: 1, bad: 'a\0' }), 'a NUL')
        await addPost(transaction, { slug: 'c' })
      })
      const rows = await storage.posts.read(await findPosts(storage))
      equal(
        rows.map((row) => row.slug),
        ['taken', 'a', 'c'],
        'the posts',
      )
      equal(await storage.options.read(), {}, 'the options')
    },
  },
  {
    name: 'undoes only what failed of transactions that may share a commit',
    async run(storage) {
      const error = new ExpectedError('no')
      const write = (slug: string) => () =>
        storage.atomic!(
          async (transaction) => {
            await addPost(transaction, { slug })
            await transaction.options.write({ [slug]: true })
            await flushMicrotasks()
            if (slug === 'failing') throw error
            return slug
          },
          { groupCommit: true },
        )
      const results = await runConcurrently(['first', 'failing', 'last'].map(write))
      equal(
        results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason === error)),
        ['first', true, 'last'],
        'the results',
      )
      const rows = await storage.posts.read(await findPosts(storage))
      equal(rows.map(({ slug }) => slug).toSorted(), ['first', 'last'], 'the posts')
      equal(await storage.options.read(), { first: true, last: true }, 'the options')
    },
  },
  {
    name: 'throws when a transaction is used after its end',
    async run(storage) {
      const handles: Storage[] = []
      const store = (handle: Storage) => {
        handles.push(handle)
        return handle.options.write({ kept: true })
      }
      await atomicOn(storage)(store)
      const failing = atomicOn(storage)
      await throws(
        () =>
          failing(async (transaction) => {
            await store(transaction)
            throw new ExpectedError('no')
          }),
        'the failing transaction',
      )
      await atomicOn(storage)(async (transaction) => {
        await atomicOn(transaction)(store)
        const ended = handles.at(-1) as Storage
        await throws(() => ended.options.write({ late: true }), 'an ended savepoint of a running transaction')
      })
      for (const [index, ended] of handles.entries()) {
        const about = `handle ${index},`
        await throws(() => ended.options.write({ late: true }), `${about} writing options`)
        await throws(() => ended.options.read(), `${about} reading options`)
        await throws(() => ended.options.swap('late', null, 1), `${about} swapping`)
        await throws(() => addPost(ended), `${about} inserting`)
        await throws(() => findPosts(ended), `${about} a list of posts`)
        await throws(() => ended.posts.read([1]), `${about} reading posts`)
        await throws(() => findTerms(ended), `${about} a list of terms`)
        await throws(() => findUsers(ended), `${about} a list of users`)
        await throws(() => findThings(ended), `${about} a list of records`)
        await throws(() => ended.meta.read('post', [1]), `${about} reading meta`)
        await throws(() => atomicOn(ended)(() => 1), `${about} a savepoint`)
      }
      equal(await storage.options.read(), { kept: true }, 'what is stored')
    },
  },
  {
    name: 'passes a transaction without `changes` to its work',
    async run(storage) {
      await atomicOn(storage)((transaction) => {
        isTrue(transaction.changes === undefined, 'the transaction has no `changes`')
      })
    },
  },
]

export const atomicCases: readonly ConformanceCase[] = cases.map((each) => ({ ...each, needs: 'atomic' }))
