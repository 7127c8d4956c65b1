import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let arthur: Requester
let told: number[]
beforeEach(async () => {
  site = await createTestSite()
  arthur = site.as('arthur')
  told = []
  site.api.on('post.published', ({ post }) => void told.push(post.id))
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

test('a scheduled post is shown from its moment on, by whichever request comes first', async () => {
  const [soon, later] = [await scheduled('Soon', 1), await scheduled('Later', 3)]
  expect(await visible()).not.toContain(soon)
  site.clock.now += hourMs
  expect((await site.visitor('GET', `/cms/v2/posts/${soon}`)).body.status).toBe('publish')
  expect(await visible()).toContain(soon)
  expect(await visible()).not.toContain(later)
  site.clock.now += 2 * hourMs
  expect(await visible()).toContain(later)
  expect(told).toEqual([soon, later])
})

test('a batch and the filters see no post that is due as future', async () => {
  const id = await scheduled('Due', 1)
  site.clock.now += hourMs
  const { body } = await site.as('edith')('GET', '/cms/v2/posts', { query: 'status=future&per_page=100' })
  expect(body.map((post: { id: number }) => post.id)).not.toContain(id)
})

test('an earlier post that is scheduled afterwards is not forgotten', async () => {
  const late = await scheduled('Late', 5)
  await visible()
  const early = await scheduled('Early', 1)
  site.clock.now += hourMs
  expect(await visible()).toContain(early)
  expect(await visible()).not.toContain(late)
})

test('many posts due at once are all published, each told of once, whoever asks in parallel', async () => {
  const ids = []
  for (let i = 0; i < 30; i++) ids.push(await scheduled(`Many ${i}`, 1))
  site.clock.now += hourMs
  await Promise.all([visible(), visible(), site.api.site.runDue(), visible()])
  expect(told.toSorted((a, b) => a - b)).toEqual(ids)
})

test('runDue publishes without a request; trashed and moved posts are left alone', async () => {
  const [published, trashed, moved] = [await scheduled('A', 1), await scheduled('B', 1), await scheduled('C', 1)]
  await arthur('DELETE', `/cms/v2/posts/${trashed}`)
  await arthur('POST', `/cms/v2/posts/${moved}`, { body: { date: '2090-01-01T00:00:00' } })
  site.clock.now += hourMs
  await site.api.site.runDue()
  expect(told).toEqual([published])
})

test('a site that was seeded with a post that is long due publishes it on the first request', async () => {
  site.clock.now = Date.parse('2099-01-01T00:00:00Z')
  expect((await site.visitor('GET', `/cms/v2/posts/${site.ids['post.future']}`)).status).toBe(200)
})
