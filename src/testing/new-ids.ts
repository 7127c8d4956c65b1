/** Ids of rows that a transaction inserts one after another: a storage may know them before the database gives them. */
import type { Storage } from '../contract/storage.ts'
import { atomicOn } from './atomic.ts'
import { type ConformanceCase, conflicts, equal } from './case.ts'
import { addPost, addPosts, addThings, places, things } from './content.ts'

const addPlace = async (storage: Storage, place: string) => storage.records.insert(places, [{ owner: 1, place }])

/** Checks that each id is that of the row with this name. */
async function areNamed(storage: Storage, ids: readonly number[], names: readonly string[]): Promise<void> {
  const { rows } = await storage.records.query(things, { where: { field: 'id', in: [...ids] } })
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  equal(
    ids.map((id) => nameOf.get(id)),
    names,
    'the names of the rows with the ids of new records',
  )
}

const cases: readonly Omit<ConformanceCase, 'needs'>[] = [
  {
    name: 'returns the ids of records that a transaction inserts after one that might have conflicted',
    async run(storage) {
      // Indexes are created before.
      await addPlace(storage, 'a')
      await addThings(storage, [{ name: 'before' }])
      const ids = await atomicOn(storage)(async (transaction) => {
        await addPlace(transaction, 'b')
        const added = await addThings(transaction, [{ name: 'one' }, { name: 'two' }])
        await addPlace(transaction, 'c')
        return [...added, ...(await addThings(transaction, [{ name: 'three' }]))]
      })
      await areNamed(storage, ids, ['one', 'two', 'three'])
      equal((await storage.records.query(places, {})).rows.length, 3, 'the number of places')
    },
  },
  {
    name: 'returns the ids of records that a transaction inserts after a conflict',
    async run(storage) {
      await addPlace(storage, 'a')
      await addThings(storage, [{ name: 'before' }])
      const conflictOn = (inside: Storage) => conflicts('owner', () => addPlace(inside, 'a'), 'a taken place')
      const ids = await atomicOn(storage)(async (transaction) => {
        await conflictOn(transaction)
        const first = await addThings(transaction, [{ name: 'one' }])
        await conflicts('owner', () => atomicOn(transaction)((savepoint) => addPlace(savepoint, 'a')), 'in a savepoint')
        const second = await addThings(transaction, [{ name: 'two' }])
        const third = await atomicOn(transaction)(async (savepoint) => {
          await conflictOn(savepoint)
          return addThings(savepoint, [{ name: 'three' }])
        })
        return [...first, ...second, ...third, ...(await addThings(transaction, [{ name: 'four' }]))]
      })
      await areNamed(storage, ids, ['one', 'two', 'three', 'four'])
    },
  },
  {
    name: 'returns the ids of records that a transaction inserts side by side, in savepoints too',
    async run(storage) {
      await addPlace(storage, 'a')
      await addThings(storage, [{ name: 'before' }])
      const insertAll = (withPlace: boolean) =>
        atomicOn(storage)(async (transaction) => {
          const first = await addThings(transaction, [{ name: 'one' }])
          const [second, third, , fourth] = await Promise.all([
            addThings(transaction, [{ name: 'two' }]),
            atomicOn(transaction)((savepoint) => addThings(savepoint, [{ name: 'three' }])),
            withPlace ? addPlace(transaction, 'b') : [],
            addThings(transaction, [{ name: 'four' }]),
          ])
          return [...first, ...second, ...third, ...fourth]
        })
      for (const withPlace of [false, true]) {
        await areNamed(storage, await insertAll(withPlace), ['one', 'two', 'three', 'four'])
      }
    },
  },
  {
    name: 'returns the ids of posts that a transaction inserts after one whose slug might have been taken',
    async run(storage) {
      await addPost(storage, { slug: 'taken' })
      const ids = await atomicOn(storage)(async (transaction) => {
        const first = await addPosts(transaction, [{ slug: 'a', title: 'one' }])
        await conflicts('slug', () => addPost(transaction, { slug: 'taken' }), 'a taken slug')
        // From here on the transaction knows that the slugs are free.
        await transaction.posts.takenSlugs('post', ['b', 'c'])
        const second = await addPosts(transaction, [
          { slug: 'b', title: 'two' },
          { slug: 'c', title: 'three' },
        ])
        return [...first, ...second]
      })
      const rows = await storage.posts.read(ids)
      const titleOf = new Map(rows.map(({ id, title }) => [id, title]))
      equal(
        ids.map((id) => titleOf.get(id)),
        ['one', 'two', 'three'],
        'the titles of the posts with the new ids',
      )
    },
  },
]

export const newIdCases: readonly ConformanceCase[] = cases.map((each) => ({ ...each, needs: 'atomic' }))
