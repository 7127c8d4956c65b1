/** Tests limits on requests: the default for wrong credentials, and the limit of a host. */
import { afterEach, expect, test } from 'vitest'
import type { LimitedRequest } from '../../src/core/declare/request-limit.ts'
import { tokenBuckets } from '../../src/services/rate-limit.ts'
import { basic, createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'

let site: TestSite
afterEach(() => site.dispose())

const open = async (options: TestSiteOptions = {}) => {
  site = await createTestSite(options)
}
const signIn = (login: string, password?: string) =>
  site.visitor('GET', '/cms/v2/posts', { headers: { authorization: basic(login, password) } })

test('refuses wrong application passwords of one login after a burst, without locking the user out', async () => {
  await open()
  const statuses: number[] = []
  for (let attempt = 0; attempt < 301; attempt++) statuses.push((await signIn('ada', 'wrong')).status)
  expect(statuses).toEqual([...Array(300).fill(401), 429])
  const refused = await signIn('ADA', 'wrong')
  expect(refused).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests', data: { retry_after: 1 } } })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await signIn('edith', 'wrong')).status).toBe(401)
  expect((await signIn('ada')).status).toBe(200)
  site.clock.now += 1000
  expect((await signIn('ada', 'wrong')).status).toBe(401)
  expect((await signIn('ada', 'wrong')).status).toBe(429)
})

test('counts unknown logins like known ones, so that the limit discloses nothing', async () => {
  await open()
  const statuses = async (login: string) => {
    const seen: number[] = []
    for (let attempt = 0; attempt < 302; attempt++) seen.push((await signIn(login, 'wrong')).status)
    return seen
  }
  expect(await statuses('nobody')).toEqual(await statuses('edith'))
})

test('asks the limit of the host before each request, with route and user', async () => {
  const asked: LimitedRequest[] = []
  await open({ limit: (request) => asked.push(request) * 0 })
  await site.as('ada')('GET', `/cms/v2/posts/${site.ids['post.hello']}`, {
    headers: { 'x-forwarded-for': '192.0.2.1' },
  })
  await site.visitor('GET', '/nowhere')
  await signIn('ada', 'wrong')
  expect(asked).toMatchObject([
    {
      kind: 'request',
      method: 'GET',
      path: `/cms/v2/posts/${site.ids['post.hello']}`,
      route: expect.stringMatching(/^\/cms\/v2\/posts\/\(\?P<id>/),
    },
    { kind: 'request', path: '/nowhere', route: undefined, user: null },
    { kind: 'credentials', login: 'ada', user: null },
  ])
  expect(asked[0]?.user).toBeGreaterThan(0)
  expect(asked[0]?.header('x-forwarded-for')).toBe('192.0.2.1')
})

test('answers 429 where the limit of the host refuses, before a row is written', async () => {
  const buckets = tokenBuckets({ capacity: 2, perMinute: 60, clock: () => 0 })
  await open({ limit: async ({ user }) => buckets.take(String(user)) })
  const ada = site.as('ada')
  const create = () => ada('POST', '/cms/v2/posts', { body: { title: 'Breakwater', status: 'publish' } })
  expect([(await create()).status, (await create()).status]).toEqual([201, 201])
  const third = await create()
  expect(third).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests', data: { retry_after: 1 } } })
  expect(third.headers.get('retry-after')).toBe('1')
  const total = Number(
    (await site.visitor('GET', '/cms/v2/posts', { query: { search: 'Breakwater' } })).headers.get('x-cms-total'),
  )
  expect(total).toBe(2)
  // Calls of the host inside the process are not limited.
  expect((await site.api.call('GET', '/cms/v2/posts')).status).toBe(200)
})
