/** docs/examples/pages.ts and docs/examples/next-pages: the same pages in each host. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPages, expressApp, fastifyApp, nodeServer, previewForAnHour } from '../../docs/examples/pages.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { containerElement, widgetElement } from '../support/documents.ts'
import { smallSite } from '../support/small-site.ts'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://quay.example' })
let ids: { readonly [key: string]: number } = {}
let form = 0

beforeAll(async () => {
  ids = await api.site.seed(smallSite)
  const fields = [{ _id: 'f', custom_id: 'name', field_type: 'text', field_label: 'Name', required: 'true' }]
  const elements = [
    containerElement('c', {}, [widgetElement('w', 'form', { form_name: 'Write', form_fields: fields })]),
  ]
  const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) }
  const post = { title: 'Write', slug: 'write', status: 'publish', meta }
  form = (await api.call<{ id: number }>('POST', '/cms/v2/posts', post, { as: 'system' })).data.id
})
afterAll(() => api.close())

const hosts: { readonly [name: string]: () => Promise<{ readonly base: string; close(): unknown }> } = {
  Node: async () => {
    const server = nodeServer(api).listen(0)
    return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
  },
  Express: async () => {
    const server = expressApp(api).listen(0)
    return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
  },
  Fastify: async () => {
    const app = fastifyApp(api)
    return { base: await app.listen({ port: 0 }), close: () => app.close() }
  },
}

describe.each(Object.entries(hosts))('%s', (_name, start) => {
  test('shows pages, redirects, takes forms, and leaves the API alone', async () => {
    const { base, close } = await start()
    const get = (path: string, init: RequestInit = {}) => fetch(base + path, { redirect: 'manual', ...init })
    const page = await get('/hello/')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Third wording.')])
    const head = await get('/hello/', { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, page.headers.get('etag')])
    const known = await get('/hello/', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const redirected = await get('/hello')
    expect([redirected.status, redirected.headers.get('location')]).toEqual([301, 'https://quay.example/hello/'])
    expect((await get('/nowhere/')).status).toBe(404)
    const body = new URLSearchParams({ post_id: String(form), form_id: 'w', 'form_fields[name]': 'Bob' })
    const sent = await get('/write/', { method: 'POST', body })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, 'https://quay.example/write/?sent=w'])
    const locked = new URLSearchParams({ post: String(ids['post.locked']), password: 'sesame' })
    const opened = await get('/_pages/unlock', { method: 'POST', body: locked })
    expect([opened.status, opened.headers.getSetCookie().length]).toEqual([303, 1])
    expect((await get('/_pages/unlock', { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413)
    expect(await (await get('/api/cms/v2/posts?per_page=1')).json()).toHaveLength(1)
    await close()
  })
})

test('the pages of the example name their records and make previews', async () => {
  const pages = createPages(api)
  const response = await pages.fetch(new Request('https://quay.example/hello/'))
  expect(response.headers.get('cache-tag')).toContain(`post:${ids['post.hello']}`)
  expect(await response.text()).toContain('<html lang="en-GB">')
  const preview = await previewForAnHour(pages, ids['post.draft'] as number)
  expect((await pages.fetch(new Request(preview))).status).toBe(200)
})
