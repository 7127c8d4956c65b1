/** Requests beside and after `api.close()`: they are answered, or refused with 503. */
import { expect, test } from 'vitest'
import { RequestIncoming } from '../../src/core/request/incoming.ts'
import { submissionHandler } from '../../src/features/builder/form-submissions/intake/handler.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { counted } from '../support/counted.ts'
import { baseUrl, basic, createTestSite } from '../support/site.ts'

const open = async () => {
  const site = await createTestSite({ profile: full, docs: true })
  const pages = createSitePages(site.api)
  const forms = submissionHandler(site.api, { failed: () => undefined })
  const authorization = basic('ada')
  const json = { authorization, 'content-type': 'application/json' }
  const api = (method: string, path: string, body?: object) =>
    site.api.fetch(
      new Request(`${baseUrl}/api${path}`, { method, headers: json, ...(body ? { body: JSON.stringify(body) } : {}) }),
    )
  const page = (path: string) => pages.fetch(new Request(baseUrl + path))
  const inProcess = async (call: Promise<unknown>) => {
    try {
      await call
      return { status: 200 }
    } catch (error) {
      return { status: (error as { readonly code?: unknown }).code === 'storage_unavailable' ? 503 : 500 }
    }
  }
  const requests = [
    (at: number) => api('GET', `/cms/v2/posts?search=quay&exclude=${at}`),
    (at: number) => api('POST', '/cms/v2/posts', { title: `Tide ${at}`, status: 'publish' }),
    (at: number) => api('POST', '/batch/v1', { requests: [{ path: '/cms/v2/tags', body: { name: `Tide ${at}` } }] }),
    () => api('GET', '/cms/v2/users?context=edit'),
    () => api('GET', '/docs'),
    () => page('/'),
    () => page('/hello/'),
    () => page('/feed/'),
    () => page('/?s=quay'),
    () => site.api.files.handle(new RequestIncoming(new Request(`${baseUrl}/uploads/tide.txt`), '/tide.txt', '')),
    () => forms(new Request(`${baseUrl}/submit`, { method: 'POST', body: new URLSearchParams({ form_id: 'a' }) })),
    () => inProcess(site.api.call('GET', '/cms/v2/posts')),
    () => inProcess(site.api.index()),
    () => inProcess(site.api.site.export()),
    () => inProcess(site.api.site.options.read(['name'])),
    () => inProcess(site.api.site.runDue()),
  ] as const
  return { site, requests }
}

test.each([0, 1, 4, 16])('beside requests, %s turns of the event loop after they begin', async (turns) => {
  const { site, requests } = await open()
  const asked = Array.from({ length: 3 }, (_, round) => requests.map((request, at) => request(100 * round + at))).flat()
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  const closed = site.api.close()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  counted(statuses.length, 'requests beside close()')
  counted(statuses.filter((status) => status === 503).length, 'of them 503')
  expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([])
  await closed
  await site.dispose()
})

test('after it, each request is refused, and a second call ends as the first', async () => {
  const { site, requests } = await open()
  await Promise.all([site.api.close(), site.api.close()])
  const answers = await Promise.all(requests.map((request, at) => request(at)))
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 503))
  counted(answers.length, 'refused after it')
  await site.api.close()
  await site.dispose()
})
