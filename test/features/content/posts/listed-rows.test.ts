/** A list reads the rows that it has not read with their version yet. */
import { expect, onTestFinished, test } from 'vitest'
import { createTestSite } from '../../../support/site.ts'
import { recorded } from '../../../support/spied-storage.ts'

test('a list reads no row twice, and after a write the changed one alone', async () => {
  const { calls, wrap } = recorded()
  const site = await createTestSite({ storage: wrap })
  onTestFinished(site.dispose)
  const editor = site.as('edith')
  const listedIds = ['post.hello', 'post.tide', 'post.ferry'].map((key) => site.ids[key] as number)
  const idsRead = async (query: Record<string, string>) => {
    calls.length = 0
    const { status, body } = await editor('GET', '/cms/v2/posts', { query: { include: listedIds.join(), ...query } })
    expect(status).toBe(200)
    const listed = body as { id: number; title: { rendered: string } }[]
    const read = calls.filter(({ name }) => name === 'posts.read').flatMap(({ args }) => args[0] as number[])
    // The kit and due tasks are read too.
    return { ids: read.filter((id) => listedIds.includes(id)), titles: listed.map(({ title }) => title.rendered) }
  }
  const first = await idsRead({})
  expect(first.ids).toHaveLength(3)
  expect((await idsRead({ order: 'asc' })).ids).toEqual([])
  // The role reads the same rows in another context.
  expect((await idsRead({ context: 'edit' })).ids).toEqual([])
  const changed = first.ids[0] as number
  await editor('POST', `/cms/v2/posts/${changed}`, { body: { title: 'Low water' } })
  const after = await idsRead({ order: 'asc' })
  expect(after.ids).toEqual([changed])
  expect(after.titles).toContain('Low water')
})
