/** Generated queries over generated content, and their results. */
import fc from 'fast-check'
import type { Storage } from '../../src/contract/storage.ts'
import { shelf } from './generated-content.ts'
import { postQuery, recordQuery, termQuery, userQuery, where } from './generated-queries.ts'

const everything = { order: { by: 'id', descending: false }, offset: 0, limit: 1000, total: true } as const

export const generatedReads = fc.record({
  posts: fc.array(postQuery, { maxLength: 50, size: 'max' }),
  terms: fc.array(termQuery, { maxLength: 20, size: 'max' }),
  users: fc.array(userQuery, { maxLength: 20, size: 'max' }),
  records: fc.array(recordQuery, { maxLength: 40, size: 'max' }),
  roots: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  removed: where,
})
export type Reads = typeof generatedReads extends fc.Arbitrary<infer T> ? T : never

/** Returns the results of the queries, then of reads of all rows, and of a removal. */
export async function readAll(storage: Storage, reads: Reads): Promise<unknown[]> {
  return [
    ...(await readOnly(storage, reads)),
    await storage.records.remove(shelf, reads.removed),
    await storage.records.query(shelf, {}),
  ]
}

/** Returns the results of the queries, then of reads of all rows. */
export async function readOnly(storage: Storage, reads: Reads): Promise<unknown[]> {
  const ids = Array.from({ length: 32 }, (_, index) => 32 - index)
  const results: unknown[] = []
  for (const query of reads.posts) results.push({ query, result: await storage.posts.query(query) })
  for (const query of reads.terms) results.push({ query, result: await storage.terms.query(query) })
  for (const query of reads.users) results.push({ query, result: await storage.users.query(query) })
  for (const query of reads.records) results.push({ query, result: await storage.records.query(shelf, query) })
  return [
    ...results,
    await storage.posts.read(ids),
    byParent(await storage.posts.childCounts('revision', [0, 1, 2, 3, 4])),
    (await storage.posts.takenSlugs('post', ['a', 'b', 'é', 'e\u0301'])).toSorted(),
    await storage.terms.query(everything),
    await storage.terms.of(ids),
    await storage.terms.below(reads.roots),
    await storage.users.query(everything),
    await storage.records.query(shelf, {}),
  ]
}

/** The contract does not define the order of child counts. */
function byParent<T extends { readonly parent: number }>(childCounts: readonly T[]): T[] {
  return childCounts.toSorted((a, b) => a.parent - b.parent)
}
