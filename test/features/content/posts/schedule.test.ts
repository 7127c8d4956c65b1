import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let arthur: Requester
let published: number[]
beforeEach(async () => {
  site = await createTestSite()
  arthur = site.as('arthur')
  published = []
  site.api.on('post.published', ({ post }) => void published.push(post.id))
})
afterEach(() => site.dispose())

const hourMs = 3_600_000

async function scheduled(title: string, inHours: number): Promise<number> {
  const date = new Date(site.clock.now + inHours * hourMs).toISOString()
  const { status, body } = await arthur('POST', '/cms/v2/posts', { body: { title, status: 'publish', date } })
  expect([status, body.status]).toEqual([201, 'future'])
  return body.id
}

const visible = async () =>
  (await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=100' })).body.map(({ id }: { id: number }) => id)

test('publishes a scheduled post on the first request after its time', async () => {
  const [soon, later] = [await scheduled('Soon', 1), await scheduled('Later', 3)]
  expect(await visible()).not.toContain(soon)
  site.clock.now += hourMs
  expect((await site.visitor('GET', `/cms/v2/posts/${soon}`)).body.status).toBe('publish')
  expect(await visible()).toContain(soon)
  expect(await visible()).not.toContain(later)
  site.clock.now += 2 * hourMs
  expect(await visible()).toContain(later)
  expect(published).toEqual([soon, later])
})

test('lists no due post with status=future', async () => {
  const id = await scheduled('Due', 1)
  site.clock.now += hourMs
  const { body } = await site.as('edith')('GET', '/cms/v2/posts', { query: 'status=future&per_page=100' })
  expect(body.map((post: { id: number }) => post.id)).not.toContain(id)
})

test('publishes an earlier post that was scheduled after a later one', async () => {
  const late = await scheduled('Late', 5)
  await visible()
  const early = await scheduled('Early', 1)
  site.clock.now += hourMs
  expect(await visible()).toContain(early)
  expect(await visible()).not.toContain(late)
})

test('parallel requests publish all due posts, with one event for each', async () => {
  const ids = []
  for (let i = 0; i < 30; i++) ids.push(await scheduled(`Many ${i}`, 1))
  site.clock.now += hourMs
  await Promise.all([visible(), visible(), site.api.site.runDue(), visible()])
  expect(published.toSorted((a, b) => a - b)).toEqual(ids)
})

test('runDue publishes without a request, but not trashed or moved posts', async () => {
  const [due, trashed, moved] = [await scheduled('A', 1), await scheduled('B', 1), await scheduled('C', 1)]
  await arthur('DELETE', `/cms/v2/posts/${trashed}`)
  await arthur('POST', `/cms/v2/posts/${moved}`, { body: { date: '2090-01-01T00:00:00' } })
  site.clock.now += hourMs
  await site.api.site.runDue()
  expect(published).toEqual([due])
})

test('publishes a seeded post that is due on the first request', async () => {
  site.clock.now = Date.parse('2099-01-01T00:00:00Z')
  expect((await site.visitor('GET', `/cms/v2/posts/${site.ids['post.future']}`)).status).toBe(200)
})
