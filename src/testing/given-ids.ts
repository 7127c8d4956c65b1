/** Rows that are inserted with ids, such as those of a backup. */
import type { Storage } from '../contract/storage.ts'
import { type ConformanceCase, conflicts, equal, isTrue, throws } from './case.ts'
import { addPost, findPosts, postValues, termValues, things, userValues } from './content.ts'

const byId = { order: { by: 'id', descending: false }, offset: 0, limit: 9 } as const

/** Inserts rows of each kind with these ids; returns what the storage answers. */
const insertAll = async (storage: Storage, ids: readonly number[]) => [
  await storage.posts.insert(
    ids.map((id) => postValues({ slug: `p${id}` })),
    ids,
  ),
  await storage.terms.insert(
    ids.map((id) => termValues(`t${id}`)),
    ids,
  ),
  await storage.users.insert(
    ids.map((id) => userValues(`u${id}`)),
    ids,
  ),
  await storage.records.insert(
    things,
    ids.map((id) => ({ size: id })),
    ids,
  ),
]

export const givenIdCases: readonly ConformanceCase[] = [
  {
    name: 'gives rows the ids that the caller names, in any order',
    needs: 'keepsIds',
    async run(storage) {
      const ids = [70, 12, 9_000_000]
      for (const given of await insertAll(storage, ids)) equal(given, ids, 'the ids')
      equal(await findPosts(storage), [12, 70, 9_000_000], 'the posts')
      equal((await storage.terms.query({ ...byId, ids })).rows.length, 3, 'the terms')
      equal((await storage.users.query({ ...byId, ids })).rows.length, 3, 'the users')
      const { rows } = await storage.records.query(things, {})
      equal(
        rows.map(({ id, size }) => [id, size]),
        [12, 70, 9_000_000].map((id) => [id, id]),
        'the records',
      )
    },
  },
  {
    name: 'gives higher ids after ids that the caller named',
    needs: 'keepsIds',
    async run(storage) {
      await insertAll(storage, [500, 40])
      isTrue((await addPost(storage)) > 500, 'the post has a higher id')
      const [term = 0] = await storage.terms.insert([termValues('later')])
      const [user = 0] = await storage.users.insert([userValues('later')])
      const [record = 0] = await storage.records.insert(things, [{}])
      isTrue(term > 500 && user > 500 && record > 500, 'the others have higher ids')
    },
  },
  {
    name: 'conflicts with an id that is taken, and writes nothing of the call',
    needs: 'keepsIds',
    async run(storage) {
      await insertAll(storage, [7])
      const again = [
        () => storage.posts.insert([postValues({ slug: 'a' }), postValues({ slug: 'b' })], [8, 7]),
        () => storage.terms.insert([termValues('a'), termValues('b')], [8, 7]),
        () => storage.users.insert([userValues('a'), userValues('b')], [8, 7]),
        () => storage.records.insert(things, [{}, {}], [8, 7]),
      ]
      for (const insert of again) await conflicts('id', insert, 'an id that is taken')
      equal(await findPosts(storage), [7], 'the posts')
    },
  },
  {
    name: 'refuses ids that are none, and a number of them that is not that of the rows',
    needs: 'keepsIds',
    async run(storage) {
      for (const id of [0, -1, 1.5, 2 ** 53, Number.NaN])
        await throws(() => storage.posts.insert([postValues()], [id]), `the id ${id}`)
      await throws(() => storage.posts.insert([postValues(), postValues()], [5]), 'one id for two rows')
      await throws(() => storage.posts.insert([postValues()], [5, 6]), 'two ids for one row')
      equal(await findPosts(storage), [], 'the posts')
    },
  },
]
