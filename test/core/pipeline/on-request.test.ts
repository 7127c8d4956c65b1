/** Tests the report of each request, for metrics and tracing. */
import { expect, test } from 'vitest'
import { createSiteApi, d1, type RequestReport, type SiteApiOptions } from '../../../src/index.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'

async function siteWith(options: Partial<SiteApiOptions<typeof d1>> = {}) {
  const reports: RequestReport[] = []
  const logged: unknown[] = []
  const api = createSiteApi({
    storage: memoryStorage(),
    profile: d1,
    url: 'https://quay.example',
    onRequest: (report) => void reports.push(report),
    log: { error: (...entry) => void logged.push(entry) },
    ...options,
  })
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const { password } = await api.site.passwords.create(id, 'test')
  const send = (method: string, path: string, init: RequestInit = {}) =>
    api.fetch(new Request(`https://quay.example/api${path}`, { method, ...init }))
  return { api, id, reports, logged, send, authorization: `Basic ${btoa(`ada:${password}`)}` }
}

test('reports route, status, time and user of each request', async () => {
  const { id, reports, send, authorization } = await siteWith()
  await send('GET', '/cms/v2/posts?per_page=1')
  await send('GET', '/cms/v2/posts/4711', { headers: { authorization } })
  await send('GET', '/nowhere')
  await send('GET', '/cms/v2/posts', { headers: { authorization: `Basic ${btoa('ada:wrong')}` } })
  await send('HEAD', '/cms/v2/posts')
  expect(reports).toEqual([
    { method: 'GET', path: '/cms/v2/posts', route: '/cms/v2/posts', status: 200, ms: expect.any(Number), user: null },
    {
      method: 'GET',
      path: '/cms/v2/posts/4711',
      route: expect.stringMatching(/^\/cms\/v2\/posts\/\(\?P<id>/),
      status: 404,
      ms: expect.any(Number),
      user: id,
    },
    { method: 'GET', path: '/nowhere', route: undefined, status: 404, ms: expect.any(Number), user: null },
    { method: 'GET', path: '/cms/v2/posts', route: undefined, status: 401, ms: expect.any(Number), user: null },
    { method: 'HEAD', path: '/cms/v2/posts', route: '/cms/v2/posts', status: 200, ms: expect.any(Number), user: null },
  ])
  expect(reports.every(({ ms }) => ms >= 0)).toBe(true)
})

test('reports failures too, also those of a storage that can not be opened', async () => {
  const storage = memoryStorage()
  let isBroken = true
  const open = () => {
    if (isBroken) throw new Error('no disk')
  }
  const reports: RequestReport[] = []
  const onRequest = (report: RequestReport) => void reports.push(report)
  const log = { error: () => undefined }
  const api = createSiteApi({ storage: { ...storage, open }, profile: d1, onRequest, log })
  await api.fetch(new Request('http://localhost/api/cms/v2/posts'))
  isBroken = false
  await api.fetch(new Request('http://localhost/api/cms/v2/posts'))
  expect(reports.map(({ status }) => status)).toEqual([500, 200])
})

test('logs a failure of onRequest, and answers the request', async () => {
  const { logged, send } = await siteWith({
    onRequest: async () => {
      throw new Error('no collector')
    },
  })
  expect((await send('GET', '/cms/v2/posts')).status).toBe(200)
  await Promise.resolve()
  expect(logged).toMatchObject([['a listener of request.finished failed', { error: new Error('no collector') }]])
})

test('calls of the host inside the process are not reported', async () => {
  const { api, reports } = await siteWith()
  await api.call('GET', '/cms/v2/posts')
  expect(reports).toEqual([])
})
