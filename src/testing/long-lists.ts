/** Lists that are long enough for a storage to use another access path. */
import type { PostQuery, PostValues, Storage } from '../contract/storage.ts'
import { atomicOn } from './atomic.ts'
import { type ConformanceCase, equal, throws } from './case.ts'
import { addPost, countPosts, findPosts, postValues } from './content.ts'

type Listed = PostValues & { readonly id: number }

const types = ['post', 'page', 'revision'] as const
const published: Partial<PostQuery> = { types: ['post', 'page'], statuses: [{ status: 'publish' }] }

/** Rows with unsorted, repeated dates and titles. */
async function fill(storage: Storage): Promise<Listed[]> {
  const rows = Array.from({ length: 1500 }, (_, index) => {
    const day = String(1 + ((index * 37) % 28)).padStart(2, '0')
    return postValues({
      type: types[index % 3],
      status: index % 4 === 0 ? 'draft' : 'publish',
      slug: `s${index}`,
      title: `Title ${(index * 53) % 400}`,
      date: `2024-02-${day}T00:00:00`,
    })
  })
  const ids = await storage.posts.insert(rows)
  return rows.map((values, index) => ({ ...values, id: ids[index] ?? 0 }))
}

/** Compares pages of the lists in both directions with the expected rows. */
async function compare(storage: Storage, rows: readonly Listed[], about: string): Promise<void> {
  const listed = rows.filter((row) => row.type !== 'revision' && row.status === 'publish')
  for (const by of ['date', 'title'] as const) {
    const ascending = listed
      .toSorted((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : a.id - b.id))
      .map((row) => row.id)
    for (const descending of [false, true]) {
      const list = descending ? ascending.toReversed() : ascending
      const query: Partial<PostQuery> = { ...published, order: { by, descending } }
      const label = `${about}, by ${by}${descending ? ', last first' : ''}`
      equal(await findPosts(storage, { ...query, limit: 10 }), list.slice(0, 10), label)
      equal(await findPosts(storage, { ...query, offset: 17, limit: 5 }), list.slice(17, 22), `${label}, a page`)
      equal(await findPosts(storage, { ...query, limit: 2000 }), list, `${label}, all rows`)
    }
  }
  equal(await countPosts(storage, { ...published, limit: 3 }), listed.length, `${about}, counted`)
}

/** Moves, hides and removes some of the rows; returns the remaining rows. */
async function change(storage: Storage, rows: readonly Listed[]): Promise<Listed[]> {
  const moved = rows.slice(0, 40).map((row) => ({ ...row, date: '2024-02-14T12:00:00', title: 'Moved' }))
  const hidden = rows.slice(40, 60).map((row) => ({ ...row, status: 'trash' }))
  await storage.posts.update([
    ...moved.map(({ id, date, title }) => ({ id, changes: { date, title } })),
    ...hidden.map(({ id, status }) => ({ id, changes: { status } })),
  ])
  await storage.posts.remove(rows.slice(60, 70).map((row) => row.id))
  const values = postValues({ date: '2024-02-14T12:00:00', title: 'New' })
  const added = await addPost(storage, values)
  return [...moved, ...hidden, ...rows.slice(70), { ...values, id: added }]
}

export const longListCases: readonly ConformanceCase[] = [
  {
    name: 'lists many posts in order, also after some have changed',
    async run(storage) {
      const rows = await fill(storage)
      await compare(storage, rows, 'at first')
      await compare(storage, await change(storage, rows), 'after changes')
    },
  },
  {
    name: 'lists many posts in order within a transaction, and as before after it has failed',
    needs: 'atomic',
    async run(storage) {
      const rows = await fill(storage)
      await compare(storage, rows, 'at first')
      const failing = () =>
        atomicOn(storage)(async (transaction) => {
          await compare(transaction, await change(transaction, rows), 'inside')
          throw new Error('no')
        })
      const error = await throws(failing, 'the transaction')
      equal((error as Error).message, 'no', 'its error')
      await compare(storage, rows, 'afterwards')
    },
  },
]
