/** Runs the examples of docs/observability.md: spans and histograms from the reports of requests, hooks and limits. */
import { expect, test } from 'vitest'
import { createApi } from '../../docs/examples/hooks.ts'
import { tracing } from '../../docs/examples/observability/opentelemetry.ts'
import { measuring } from '../../docs/examples/observability/prometheus.ts'
import { createSiteApi, d1, type RequestReport } from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

async function visit(onRequest: (report: RequestReport) => void): Promise<void> {
  const storage = memoryStorage()
  const failing = { ...storage, posts: { ...storage.posts, query: () => Promise.reject(new Error('no disk')) } }
  const log = { error: () => undefined }
  const api = createSiteApi({ storage: failing, profile: d1, url: 'https://quay.example', onRequest, log })
  for (const path of ['/', '/cms/v2/posts/4711', '/nowhere', '/cms/v2/posts']) {
    await api.fetch(new Request(`https://quay.example/api${path}`))
  }
}

test('a tracer gets a span for each request, with route and status, and an error for failures', async () => {
  const spans: { name: string; status: unknown; error: boolean }[] = []
  const startSpan = (name: string, { attributes }: { attributes: { readonly [name: string]: unknown } }) => {
    const span = { name: name.replace(/\(.*/, ''), status: attributes['http.response.status_code'], error: false }
    return { setStatus: () => Object.assign(span, { error: true }), end: () => void spans.push(span) }
  }
  await visit(tracing({ startSpan }))
  expect(spans).toEqual([
    { name: 'GET /', status: 200, error: false },
    { name: 'GET /cms/v2/posts/', status: 404, error: false },
    { name: 'GET', status: 404, error: false },
    { name: 'GET /cms/v2/posts', status: 500, error: true },
  ])
})

test('a histogram gets the seconds of each request, by method, route and status', async () => {
  const observed: [labels: string, seconds: number][] = []
  const labels = (...values: string[]) => ({
    observe: (seconds: number) => void observed.push([values.join(' '), seconds]),
  })
  await visit(measuring({ labels }))
  expect(observed.map(([values]) => values.replace(/\(.*\)/, ''))).toEqual([
    'GET / 200',
    'GET /cms/v2/posts/ 404',
    'GET none 404',
    'GET /cms/v2/posts 500',
  ])
  expect(observed.every(([, seconds]) => seconds >= 0)).toBe(true)
})

test('the hooks change, refuse and follow posts, and visitors are limited', async () => {
  const api = createApi(memoryStorage(), () => 0)
  const author = await api.site.users.create({ login: 'wren', roles: ['author'] })
  const send = (args: { readonly [name: string]: unknown }) =>
    api.call('POST', '/cms/v2/posts', args, { as: author.id })
  const { data } = await send({ title: 'Tide', status: 'publish' })
  expect(data).toMatchObject({ status: 'pending' })
  expect(await api.site.options.read(['last_post'])).toEqual({ last_post: (data as { id: number }).id })
  await expect(send({ title: 'Win', content: 'Casino!' })).rejects.toMatchObject({ code: 'spam', status: 422 })
  await expect(send({ titel: 'Tide' })).rejects.toMatchObject({ code: 'rest_invalid_param' })
  const statuses: number[] = []
  for (let visit = 0; visit < 101; visit++) {
    statuses.push((await api.fetch(new Request('http://localhost/api/cms/v2/posts'))).status)
  }
  expect(statuses).toEqual([...Array(100).fill(200), 429])
})
