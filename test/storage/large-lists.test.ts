/** Every list of a site with so many posts that most are read along an index: the same rows and totals as in memory. */
import { describe, expect, test } from 'vitest'
import type { PostQuery, Storage } from '../../src/contract/storage.ts'
import { postListsOf, queriesOf } from '../support/post-lists.ts'
import { postgresPool } from '../support/postgres.ts'
import { openStorage } from '../support/storage.ts'
import { fillListedSite } from './fill-listed-site.ts'

const project = process.env.TEST_STORAGE ?? 'memory'
const name = project === 'sqlite' ? 'sqlite-memory' : project

/** The first page, a later one, a deep one, and one on which the list ends. */
const pagesOf = (query: PostQuery, total: number): readonly PostQuery[] =>
  [0, 7, 230, Math.max(0, total - 3)].map((offset) => ({ ...query, offset, limit: 5, total: true }))

/** PostgreSQL does so within a minute; until then a list of two terms may take half a second. */
async function gatherStatistics(): Promise<void> {
  if (project === 'postgres') await postgresPool().query('analyze')
}

async function readLists(storage: Storage) {
  const site = await fillListedSite(storage)
  await gatherStatistics()
  const lists = postListsOf(site)
  const queries = await queriesOf(storage, lists, site.editor)
  const pages = new Map<string, unknown>()
  for (const list of lists) {
    const query = queries.get(list.name) as PostQuery
    const { total } = await storage.posts.query({ ...query, limit: 1, total: true })
    for (const page of pagesOf(query, total)) {
      const { idsPage, total: count } = await storage.posts.query(page)
      pages.set(`${list.name} from ${page.offset}`, [count, ...idsPage.map(({ id }) => id)])
    }
  }
  return pages
}

// Memory is the reference for the others.
describe.runIf(project !== 'memory')(`a large site in memory and in ${project}`, () => {
  test('has the same lists', { timeout: 240_000 }, async () => {
    const [memory, other] = await Promise.all([openStorage('memory'), openStorage(name)])
    try {
      const expected = await readLists(memory.storage)
      const actual = await readLists(other.storage)
      expect(actual.size).toBeGreaterThan(2000)
      expect(actual).toEqual(expected)
    } finally {
      await Promise.all([memory.dispose(), other.dispose()])
    }
  })
})
