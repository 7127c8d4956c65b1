/** A list of posts with all that its view reads, for tests that count statements. */
import { expect } from 'vitest'
import type { PostQuery, Storage } from '../../src/contract/storage.ts'

export const list: PostQuery = {
  types: ['post'],
  statuses: [{ status: 'publish' }],
  order: { by: 'date', descending: true },
  offset: 0,
  limit: 10,
}

/** The statements that a list of 10 posts and one of 100 execute. `executed` receives them from the storage. */
export async function countListStatements(storage: Storage, executed: string[]): Promise<number[]> {
  const counts: number[] = []
  for (const limit of [10, 100]) {
    executed.length = 0
    const { idsPage } = await storage.posts.query({ ...list, statuses: undefined, limit, total: true })
    const ids = idsPage.map(({ id }) => id)
    await storage.posts.read(ids)
    await storage.terms.of(ids)
    await storage.meta.read('post', ids)
    await storage.posts.childCounts('revision', ids)
    expect(ids.length > 10).toBe(limit > 10)
    counts.push(executed.length)
  }
  return counts
}
