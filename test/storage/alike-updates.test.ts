/** An update that gives many rows the same values takes as many statements, and as many writes of counters, as one of few rows. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { full } from '../../src/profiles/full.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { postValues, termValues } from '../../src/testing/content.ts'
import { newSchema, openPostgres, postgresPool } from '../support/postgres.ts'
import { createTestSite } from '../support/site.ts'

const project = process.env.TEST_STORAGE ?? 'memory'
const isPostgres = project === 'postgres'

async function openCounted() {
  const executed: string[] = []
  const onStatement = (text: string) => void executed.push(text)
  if (!isPostgres) return { storage: sqliteStorage(':memory:', { onStatement }), executed, schema: '' }
  const schema = newSchema()
  const { storage, dispose } = await openPostgres({ onStatement, schema })
  onTestFinished(dispose)
  return { storage, executed, schema }
}

const insertPosts = (storage: Storage, count: number, author: number) =>
  storage.posts.insert(Array.from({ length: count }, (_, at) => postValues({ author, slug: `of-${author}-${at}` })))

describe.runIf(project === 'sqlite' || isPostgres)(`an update of many rows on ${project}`, () => {
  test('with the same values is one statement; a row that is gone has no part in it', async () => {
    const { storage, executed } = await openCounted()
    const ids = await insertPosts(storage, 300, 7)
    const [gone = 0, ...others] = ids
    await storage.posts.remove([gone])
    executed.length = 0
    const updated = await storage.posts.update(ids.map((id) => ({ id, changes: { author: 8, format: 'aside' } })))
    expect(updated).toEqual(others)
    expect(executed.filter((text) => text.startsWith('update'))).toHaveLength(1)
    expect(executed.length).toBeLessThanOrEqual(5)
    const rows = await storage.posts.read(others)
    expect(new Set(rows.map(({ author, format, version }) => `${author} ${format} ${version}`))).toEqual(
      new Set(['8 aside 2']),
    )
  })

  test('moves their counters and the copies beside their terms', async () => {
    const { storage } = await openCounted()
    const terms = await storage.terms.insert(['quays', 'boats'].map((slug) => termValues(slug)))
    const ids = await insertPosts(storage, 40, 7)
    await insertPosts(storage, 5, 8)
    await storage.terms.assign(ids.map((post) => ({ post, taxonomy: 'category', terms })))
    const totalOf = async (filters: object) => {
      const order = { by: 'date', descending: true } as const
      const query = { types: ['post'], order, offset: 0, limit: 1, total: true }
      return (await storage.posts.query({ ...query, ...filters })).total
    }
    const ofTerm = { terms: { terms: [terms[0]], has: 'any' } }
    expect([await totalOf({ authors: [7] }), await totalOf({ authors: [8], ...ofTerm })]).toEqual([40, 0])
    // One of them has the author already, and a status changes beside it.
    await storage.posts.update([{ id: ids[0] ?? 0, changes: { author: 8 } }])
    await storage.posts.update(ids.map((id) => ({ id, changes: { author: 8, status: 'draft' } })))
    const drafts = { statuses: [{ status: 'draft' }] }
    expect(await totalOf({ authors: [7] })).toBe(0)
    expect(await totalOf({ authors: [8] })).toBe(45)
    expect(await totalOf({ authors: [8], ...drafts })).toBe(40)
    expect(await totalOf({ authors: [8], ...ofTerm })).toBe(40)
    expect(await totalOf({ ...ofTerm, ...drafts })).toBe(40)
  })

  test('for the posts of a removed user are as many statements for 400 as for 4', async () => {
    const counts: number[] = []
    for (const count of [4, 400]) {
      const { storage, executed } = await openCounted()
      const site = await createTestSite({ profile: full, storage: () => storage })
      onTestFinished(() => site.dispose())
      const author = site.ids['user.author2'] ?? 0
      await insertPosts(storage, count, author)
      await site.as('ada')('GET', '/cms/v2/users/me')
      executed.length = 0
      const path = `/cms/v2/users/${author}?force=true&reassign=${site.ids['user.editor']}`
      expect((await site.as('ada')('DELETE', path)).status).toBe(200)
      counts.push(executed.filter((text) => /^(?:with changed as \()?update \S*posts set/.test(text)).length)
    }
    expect(counts).toEqual([1, 1])
  })

  if (!isPostgres) return

  test('runs the trigger of counters once', async () => {
    const { storage, schema } = await openCounted()
    await insertPosts(storage, 50, 7)
    const client = await postgresPool().connect()
    try {
      await client.query(`begin; set local search_path = ${schema}`)
      const { rows } = await client.query('explain (analyze, format json) update posts set author = 9 where author = 7')
      const calls = rows[0]['QUERY PLAN'][0].Triggers.map((each: Record<string, unknown>) => [
        each['Trigger Name'],
        each.Calls,
      ])
      expect(Object.fromEntries(calls)).toMatchObject({ posts_changed: 1, posts_moved: 1 })
    } finally {
      client.release(true)
    }
  })
})
