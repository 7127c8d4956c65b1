import { expect, test } from 'vitest'
import { createTestSite } from '../support/site.ts'
import { holdBehaviours } from './behaviours.ts'
import { fetchHost } from './hosts/fetch.ts'
import { createNamedSite, siteUrl } from './sites.ts'

holdBehaviours(fetchHost)

test('passes the Request of the host on without rebuilding it', async () => {
  const seen: unknown[] = []
  const site = await createTestSite({ authenticate: ({ native }) => void seen.push(native) })
  const request = new Request(`${siteUrl}/api/cms/v2/posts`)
  await site.api.fetch(request)
  expect(seen[0]).toBe(request)
  await site.dispose()
})

/** `Request` writes GET, POST, PUT, DELETE, HEAD and OPTIONS in capitals, but leaves `patch` as it is. */
test('a lower-case patch is PATCH', async () => {
  const { api } = await createNamedSite('echo')
  const response = await api.fetch(new Request(`${siteUrl}/api/echo/v1/method`, { method: 'patch' }))
  expect(await response.json()).toBe('PATCH')
  await api.close()
})

test('a body that no endpoint reads stays unread', async () => {
  const { api } = await createNamedSite('echo')
  const request = new Request(`${siteUrl}/api/echo/v1/nowhere`, { method: 'POST', body: 'text' })
  expect((await api.fetch(request)).status).toBe(404)
  expect(await request.text()).toBe('text')
  await api.close()
})

test('a body that the host consumed fails at once and is logged', async () => {
  const site = await createTestSite()
  const request = new Request(`${siteUrl}/api/cms/v2/posts`, { method: 'POST', body: '{"title":"a"}' })
  await request.text()
  expect((await site.api.fetch(request)).status).toBe(500)
  expect(String(site.failures.map((failure) => (failure as { error: unknown }).error))).toContain(
    'The body was read before the api was called',
  )
  await site.dispose()
})
