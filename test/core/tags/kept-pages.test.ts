/** A page of a list that is said to be the same after one row has moved is the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Post, PostQuery } from '../../../src/contract/storage.ts'
import { keepsPage } from '../../../src/core/tags/kept-pages.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { addPosts } from '../../../src/testing/content.ts'
import { casesOf } from '../../support/generated-cases.ts'

// Few values: rows of one value occur often.
const columns = fc.record({
  title: fc.constantFrom('fox', 'a fox', 'red fox', 'Zebra', 'élan', 'quay'),
  menuOrder: fc.integer({ min: 0, max: 4 }),
  date: fc.integer({ min: 1, max: 6 }).map((day) => `2024-01-0${day}T10:00:00`),
})
const descending = fc.boolean()
const order: fc.Arbitrary<PostQuery['order']> = fc.oneof(
  fc.record({ by: fc.constantFrom('title' as const, 'menuOrder' as const, 'date' as const), descending }),
  fc.constant({ by: 'relevance' as const, phrase: 'red fox', words: ['red', 'fox'] }),
)

test('a page is said to be the same only where it is', async () => {
  let same = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(columns, { minLength: 1, maxLength: 12 }),
      columns,
      fc.nat(11),
      order,
      fc.nat(5),
      fc.integer({ min: 1, max: 14 }),
      async (rows, changes, at, by, offset, limit) => {
        const storage = memoryStorage()
        const ids = await addPosts(storage, rows)
        const [before] = await storage.posts.read([ids[at % ids.length] as number])
        const query: PostQuery = { types: ['post'], order: by, offset, limit }
        const page = async () => (await storage.posts.query(query)).idsPage.map(({ id }) => id)
        const shown = await page()
        await storage.posts.update([{ id: (before as Post).id, changes }])
        const [after] = await storage.posts.read([(before as Post).id])
        if (!(await keepsPage(query, { before: before as Post, after: after as Post }, storage))) return
        same++
        expect(await page()).toEqual(shown)
      },
    ),
    { numRuns: casesOf(5000) },
  )
  expect(same).toBeGreaterThan(50)
})
