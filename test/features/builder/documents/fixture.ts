/** A site whose documents show images of another site: a loopback server, reached through the real address checks. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { createHttpClient } from '../../../../src/services/http-client/index.ts'
import { createMedia, type Media } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { createTestSite, type TestSiteOptions } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

/** A GIF of three by two pixels; each tone gives different bytes. */
export const gif = (tone = 0): Uint8Array =>
  Uint8Array.from([...new TextEncoder().encode('GIF89a'), 3, 0, 2, 0, tone, 0, 0, 0x3b])

export type Page = (response: ServerResponse, request: IncomingMessage) => void

export const picture =
  (bytes: Uint8Array, type = 'image/gif'): Page =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).end(bytes)

export interface Files extends Media {
  readonly paths: Set<string>
  fails: boolean
}

/** A media service in memory that records its paths and can fail on write. */
function countedFiles(): Files {
  const media = createMedia({ driver: memoryMedia() })
  const files: Files = {
    paths: new Set(),
    fails: false,
    async write(path, bytes, type) {
      if (files.fails && files.paths.size > 0) throw new Error('no space is left')
      const address = await media.write(path, bytes, type)
      files.paths.add(path)
      return address
    },
    read: (path) => media.read(path),
    addressOf: media.addressOf,
    async remove(path) {
      await media.remove(path)
      files.paths.delete(path)
    },
  }
  return files
}

const builtPost = { _builder_edit_mode: 'builder' }

/** `data`: the elements of the built post as they are stored. */
export const siteWith = (data?: string) => ({
  ...smallSite,
  posts: smallSite.posts.map((post) =>
    post.key === 'built' ? { ...post, meta: { ...builtPost, ...(data ? { _builder_data: data } : {}) } } : post,
  ),
  documents: [
    {
      ...{ key: 'part', type: 'builder_library', slug: 'part', title: 'Part', content: '', status: 'publish' },
      ...{ author: 'admin', date: '2024-05-01T10:00:00', meta: builtPost },
    },
  ],
})

export async function openSite(pages: { [path: string]: Page }, options: TestSiteOptions = {}) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const page = pages[request.url ?? '']
    if (page) page(response, request)
    else response.writeHead(404).end()
  })
  const port = await listening(server)
  const files = countedFiles()
  const outbound = createHttpClient({
    limits: { timeoutMs: 30_000 },
    resolve: async (hostname) => (hostname === 'private.example' ? ['10.0.0.5'] : ['127.0.0.1']),
    allow: (address, at) => address === '127.0.0.1' && at === port,
  })
  const site = await createTestSite({
    seed: siteWith(),
    ...options,
    services: { ...options.services, outbound, media: files },
  })
  onTestFinished(async () => {
    server.close()
    await site.dispose()
  })
  const ada = site.as('ada')
  const post = site.ids['post.built'] ?? 0
  const elementsOf = async (id = post) =>
    JSON.parse((await ada('GET', `/cms/v2/posts/${id}`, { query: 'context=edit' })).body.meta._builder_data)
  const build = async (elements: unknown) => {
    const body = { meta: { _builder_data: typeof elements === 'string' ? elements : JSON.stringify(elements) } }
    expect((await ada('POST', `/cms/v2/posts/${post}`, { body })).status).toBe(200)
  }
  const importMedia = (id: number | string = post, send = ada) =>
    send('POST', `/builder/v1/documents/${id}/media/import`)
  return {
    ...{ ...site, ada, requests, files, pages, post, build, elementsOf, importMedia },
    at: (path: string) => `http://pictures.example:${port}${path}`,
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** A widget that shows an image. */
export const image = (url: string, id: unknown = '', more: object = {}) => ({
  id: 'a1b2c3d',
  elType: 'widget',
  widgetType: 'image',
  settings: { image: { url, id }, ...more },
  elements: [],
})

export const container = (...elements: object[]) => ({ id: 'c0ffee0', elType: 'container', settings: {}, elements })
