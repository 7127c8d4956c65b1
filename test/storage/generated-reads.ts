/** Questions to a storage about generated content, and what it answers. */
import fc from 'fast-check'
import type { Storage } from '../../src/storage/contract.ts'
import { shelf } from './generated-content.ts'
import { postQuery, recordQuery, termQuery, userQuery, where } from './generated-queries.ts'

const everything = { order: { by: 'id', descending: false }, offset: 0, limit: 1000, total: true } as const

export const questions = fc.record({
  posts: fc.array(postQuery, { maxLength: 50, size: 'max' }),
  terms: fc.array(termQuery, { maxLength: 20, size: 'max' }),
  users: fc.array(userQuery, { maxLength: 20, size: 'max' }),
  records: fc.array(recordQuery, { maxLength: 40, size: 'max' }),
  roots: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  removed: where,
})
export type Questions = typeof questions extends fc.Arbitrary<infer T> ? T : never

/** To each of them, and what can be read without asking. */
export async function answers(storage: Storage, asked: Questions): Promise<unknown[]> {
  const ids = Array.from({ length: 32 }, (_, index) => 32 - index)
  const found: unknown[] = []
  for (const query of asked.posts) found.push({ query, found: await storage.posts.query(query) })
  for (const query of asked.terms) found.push({ query, found: await storage.terms.query(query) })
  for (const query of asked.users) found.push({ query, found: await storage.users.query(query) })
  for (const query of asked.records) found.push({ query, found: await storage.records.query(shelf, query) })
  return [
    ...found,
    await storage.posts.read(ids),
    byParent(await storage.posts.families('revision', [0, 1, 2, 3, 4])),
    (await storage.posts.takenSlugs('post', ['a', 'b', 'é', 'e\u0301'])).toSorted(),
    await storage.terms.query(everything),
    await storage.terms.of(ids),
    await storage.terms.below(asked.roots),
    await storage.users.query(everything),
    await storage.records.query(shelf, {}),
    await storage.records.remove(shelf, asked.removed),
    await storage.records.query(shelf, {}),
  ]
}

/** The contract promises no order of families. */
function byParent<T extends { readonly parent: number }>(families: readonly T[]): T[] {
  return families.toSorted((a, b) => a.parent - b.parent)
}
