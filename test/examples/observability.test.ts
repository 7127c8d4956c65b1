/** The examples of docs/observability.md, with the packages that they are for. */
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../docs/examples/hooks.ts'
import { onRequest as traceRequest } from '../../docs/examples/observability/opentelemetry.ts'
import { onRequest as measureRequest, metrics } from '../../docs/examples/observability/prometheus.ts'
import { createSiteApi, d1, type RequestReport } from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const exporter = new InMemorySpanExporter()

beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
})
afterAll(() => trace.disable())

async function visit(onRequest: (report: RequestReport) => void): Promise<void> {
  const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://quay.example', onRequest })
  for (const path of ['/cms/v2/posts', '/cms/v2/posts/4711', '/nowhere']) {
    await api.fetch(new Request(`https://quay.example/api${path}`))
  }
}

test('OpenTelemetry gets a span for each request', async () => {
  await visit(traceRequest)
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name.replace(/\(.*/, ''))).toEqual(['GET /cms/v2/posts', 'GET /cms/v2/posts/', 'GET'])
  expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 404, 404])
})

test('Prometheus reads the number and the durations of requests by route', async () => {
  await visit(measureRequest)
  const text = await (await metrics()).text()
  expect(text).toContain('site_api_request_seconds_count{method="GET",route="/cms/v2/posts",status="200"} 1')
  expect(text).toContain('site_api_request_seconds_count{method="GET",route="none",status="404"} 1')
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
