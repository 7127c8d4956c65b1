/** A page of a list that is said to be the same after rows have joined it, left it or moved is the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Post, PostQuery, Storage } from '../../../src/contract/storage.ts'
import { keepsPage } from '../../../src/core/tags/kept-pages.ts'
import type { MoveWithin } from '../../../src/core/tags/list-reads.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { addPosts } from '../../../src/testing/content.ts'
import { casesOf } from '../../support/generated-cases.ts'

// Few values: rows of one value occur often, and the id orders them.
const columns = fc.record({
  title: fc.constantFrom('fox', 'a fox', 'red fox', 'Zebra', 'élan', 'quay'),
  menuOrder: fc.integer({ min: 0, max: 4 }),
  parent: fc.integer({ min: 0, max: 2 }),
  date: fc.integer({ min: 1, max: 6 }).map((day) => `2024-01-0${day}T10:00:00`),
})
const status = fc.constantFrom('publish', 'draft')
const descending = fc.boolean()
const order: fc.Arbitrary<PostQuery['order']> = fc.oneof(
  fc.record({
    by: fc.constantFrom(...(['title', 'menuOrder', 'date', 'id', 'parent', 'slug'] as const)),
    descending,
  }),
  fc.constant({ by: 'relevance' as const, phrase: 'red fox', words: ['red', 'fox'] }),
)

const change = fc.oneof(
  { weight: 2, arbitrary: fc.record({ at: fc.nat(11), columns }) },
  fc.record({ at: fc.nat(11), columns: fc.record({ status }) }),
  fc.record({ columns }),
  fc.record({ at: fc.nat(11) }),
)

/** Makes one change, of a row, a new row, or of a row that goes. */
async function make(storage: Storage, ids: readonly number[], { at, columns }: { at?: number; columns?: object }) {
  if (at === undefined) return addPosts(storage, [columns ?? {}])
  const id = ids[at % ids.length] as number
  if (columns) await storage.posts.update([{ id, changes: columns }])
  else await storage.posts.remove([id])
  return [id]
}

function kindOf({ total }: PostQuery, moves: readonly MoveWithin[]) {
  const [before, after] = (['before', 'after'] as const).map((when) => moves.filter((move) => move[when]).length)
  if (total) return before === after ? 'ofTotals' : 'ofPages'
  return moves.length > 1 ? 'ofMany' : 'ofOne'
}

test('a page is said to be the same only where it is', async () => {
  const same = { ofOne: 0, ofMany: 0, ofTotals: 0, ofPages: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        rows: fc.array(fc.tuple(columns, status), { minLength: 1, maxLength: 12 }),
        changes: fc.array(change, { minLength: 1, maxLength: 3 }),
        query: fc.record({
          types: fc.constant(['post']),
          statuses: fc.constant([{ status: 'publish' }]),
          order,
          offset: fc.nat(8),
          limit: fc.nat(14),
          total: fc.boolean(),
          pageSize: fc.nat(6),
        }),
      }),
      async ({ rows, changes, query }) => {
        const storage = memoryStorage()
        const ids = await addPosts(
          storage,
          rows.map(([values, ofRow]) => ({ ...values, status: ofRow })),
        )
        const page = async () => {
          const { idsPage, total } = await storage.posts.query(query)
          const shown = query.pageSize > 0 ? Math.ceil(total / query.pageSize) : total
          return [idsPage.map(({ id }) => id), query.total ? shown : undefined]
        }
        const shown = await page()
        const before = await storage.posts.read(ids)
        const changed = new Set<number>()
        for (const one of changes) for (const id of await make(storage, ids, one)) changed.add(id)
        const after = await storage.posts.read([...changed])
        const listed = (list: readonly Post[], id: number) =>
          list.find((row) => row.id === id && row.status === 'publish')
        const moves = [...changed]
          .map((id) => ({ before: listed(before, id), after: listed(after, id) }))
          .filter((move) => move.before || move.after)
        if (!(await keepsPage(query, moves, storage))) return
        expect(await page()).toEqual(shown)
        same[kindOf(query, moves)]++
      },
    ),
    { numRuns: casesOf(5000) },
  )
  expect(Math.min(...Object.values(same))).toBeGreaterThan(20)
})
