/** `serveNode` and the pages serve uploaded files by themselves; Bun does in bun-pages.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveNode } from '../../adapters/node.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { createTestSite, type TestSite } from '../support/site.ts'

let site: TestSite

async function open(address?: string) {
  site = await createTestSite({
    profile: full,
    services: { media: createMedia({ driver: memoryMedia(), ...(address ? { address } : {}) }) },
  })
}

async function uploaded(): Promise<string> {
  const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="tide.txt"' }
  const { body } = await site.as('ada')('POST', '/cms/v2/media', { body: 'low water', headers })
  return new URL(body.source_url).pathname
}

beforeEach(() => open())
afterEach(() => site.dispose())

test('serveNode serves the files, the api and the rest', async () => {
  const served = await serveNode(site.api, {
    port: 0,
    fallThrough: (_request, response) => void response.end('the rest'),
  })
  const ask = async (path: string) => {
    const response = await fetch(served.url + path)
    return [response.status, await response.text()]
  }
  const path = await uploaded()
  expect(await ask(path)).toEqual([200, 'low water'])
  expect((await ask(path.replace('tide', 'ebb')))[0]).toBe(404)
  expect((await ask('/api/cms/v2/posts'))[0]).toBe(200)
  expect(await ask('/elsewhere')).toEqual([200, 'the rest'])
  await served.close()
})

test('the pages serve the files, and the page at an address below that has no file', async () => {
  const pages = createSitePages(site.api)
  const ask = (path: string, init?: RequestInit) => pages.fetch(new Request(`https://quay.example${path}`, init))
  const path = await uploaded()
  const file = await ask(path)
  expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([
    200,
    'text/plain; charset=UTF-8',
    'low water',
  ])
  expect((await ask(path, { headers: { 'if-none-match': file.headers.get('etag') ?? '' } })).status).toBe(304)
  const page = await site.as('ada')('POST', '/cms/v2/pages', { body: { title: 'Uploads', status: 'publish' } })
  expect(page.body.slug).toBe('uploads')
  expect(await (await ask('/uploads/')).text()).toContain('<h1')
})

test('files at an address elsewhere are left to it', async () => {
  await site.dispose()
  await open('https://files.example')
  const pages = createSitePages(site.api)
  const path = await uploaded()
  const statusOf = async (at: string) => (await pages.fetch(new Request(`https://quay.example${at}`))).status
  expect([await statusOf('/'), await statusOf(path)]).toEqual([200, 404])
  const served = await serveNode(site.api, { port: 0 })
  expect((await fetch(served.url + path)).status).toBe(404)
  expect((await fetch(`${served.url}/api/cms/v2/posts`)).status).toBe(200)
  await served.close()
})

test('without a disk and a driver an upload is refused with a sentence, and the site serves the rest', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  await site.dispose()
  site = await createTestSite({ profile: full, services: { media: createMedia() } })
  const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="tide.txt"' }
  const { status, body } = await site.as('ada')('POST', '/cms/v2/media', { body: 'low water', headers })
  expect([status, body.code]).toEqual([501, 'rest_upload_not_supported'])
  expect((await site.visitor('GET', '/cms/v2/media')).status).toBe(200)
  expect((await site.visitor('GET', '/cms/v2/posts')).status).toBe(200)
  vi.unstubAllGlobals()
})

test('without a place for files nothing offers an upload: not the index, OPTIONS, Allow nor OpenAPI', async () => {
  const offers = async () => {
    const ada = site.as('ada')
    const [index, options, list] = [
      await ada('GET', '/'),
      await ada('OPTIONS', '/cms/v2/media'),
      await ada('GET', '/cms/v2/media'),
    ]
    const { paths } = await site.api.openapi()
    return {
      index: index.body.routes['/cms/v2/media'].methods,
      arguments: options.body.endpoints.map(({ methods }: { methods: string[] }) => methods.join()),
      options: options.headers.get('allow'),
      list: list.headers.get('allow'),
      openapi: Object.keys(paths['/cms/v2/media'] ?? {}),
      edit: '/cms/v2/media/{id}/edit' in paths,
    }
  }
  const offered = await offers()
  expect([offered.index, offered.options, offered.list, offered.openapi]).toEqual([
    ['GET', 'POST'],
    'GET, POST',
    'GET, POST',
    ['get', 'post'],
  ])
  expect(offered.edit).toBe(true)
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  await site.dispose()
  site = await createTestSite({ profile: full, services: { media: createMedia() } })
  expect(await offers()).toEqual({
    index: ['GET'],
    arguments: ['GET'],
    options: 'GET',
    list: 'GET',
    openapi: ['get'],
    edit: false,
  })
  vi.unstubAllGlobals()
})
