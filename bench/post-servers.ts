/** Servers of the site of posts: ours, which this checkout or another one runs, a bare server, and Fastify. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { visitor } from '../src/core/declare/actor.ts'
import type { AppContext } from '../src/core/declare/app-context.ts'
import type { Context } from '../src/core/declare/context.ts'
import { defaultLimits } from '../src/core/declare/limits.ts'
import { postParts } from '../src/features/content/posts/content-type.ts'
import { postViews } from '../src/features/content/posts/view.ts'
import { d1 } from '../src/index.ts'
import { createNames } from '../src/names/word-map.ts'
import { createDrawnTest } from '../src/render/blocks/drawn-names.ts'
import { createRender } from '../src/render/index.ts'
import { SettingsReader } from '../src/site/settings.ts'
import { type BareWrite, bareWrites, type WriteKind } from './bare-writes.ts'
import { partsOf } from './checkout.ts'
import { siteUrl } from './content.ts'
import { innerGet } from './inner-get.ts'
import { openPostSite } from './post-site.ts'

/** A server that listens, and the header of an editor of its site. */
export interface Listening {
  readonly port: number
  readonly authorization?: string
}

export async function ourPosts(checkout?: string): Promise<Listening> {
  const { api, authorization } = await openPostSite(checkout)
  const { createNodeHandler } = await partsOf(checkout)
  return { port: await listen(createNodeHandler(api)), authorization }
}

/**
 * Sends the bytes of our responses from a map, and for a write does the inserts and updates of equal rows. It is the floor: it has no
 * routes, no rights, no checks and nothing to decide.
 */
export async function bareOfPosts(): Promise<Listening> {
  const site = await openPostSite()
  const { api, authorization } = site
  const prepared = new Map<string, { readonly head: string[]; readonly body: string }>()
  const writes = new Map<WriteKind, BareWrite>()
  const write = async (kind: WriteKind) => {
    const known = writes.get(kind) ?? (await bareWrites(site, kind))
    writes.set(kind, known)
    return known
  }
  const port = await listen(async (request, response) => {
    const { url = '', method } = request
    if (method === 'POST') {
      const { run, head, body } = await write(kindOf(url))
      // The body is read, but not parsed.
      request.resume().on('end', () => {
        run()
        response.writeHead(201, head)
        response.end(body, 'latin1')
      })
      return
    }
    // Requests of which no two are equal get the bytes of the first.
    const key = url.replace(/(visit|search)=.*$/, '$1')
    const stored = prepared.get(key)
    if (stored) {
      response.writeHead(200, stored.head)
      response.end(stored.body, 'latin1')
      return
    }
    const { headers, body } = await innerGet(api, url, request.headers)
    prepared.set(key, { head: [...headers, 'Content-Length', String(Buffer.byteLength(body))], body })
    response.end(body)
  })
  return { port, authorization }
}

const kindOf = (url: string): WriteKind =>
  url.endsWith('/batch/v1') ? 'batch' : url.endsWith('/posts') ? 'create' : 'update'

/** Uses the same storage and the same view, and renders for each request as a typical service does. */
export async function fastifyOnPosts(): Promise<Listening> {
  const { storage } = await openPostSite()
  const routes = d1.features.flatMap(({ namespace, endpoints }) =>
    endpoints.map(({ path }) => ({ pattern: { key: `/${namespace}${path}` } })),
  )
  const app = {
    ...{ clock: Date.now, names: createNames(), routes: () => routes },
    services: { render: createRender(), builder: { isDrawn: createDrawnTest() } },
    limits: defaultLimits,
  } as unknown as AppContext
  const settings = await new SettingsReader({ root: '/api', url: siteUrl }).read(storage)
  // The members that the view reads.
  const allowedMethods = (_: unknown, __: string, records: readonly unknown[]) => records.map(() => 'GET')
  // The budget of work belongs to a request.
  const contextOf = () =>
    ({ storage, app, settings, user: visitor, allowedMethods, incoming: {} }) as unknown as Context
  // An explicit excerpt length disables the cache of the view.
  const render = async (ids: readonly number[]) =>
    postViews(postParts.type, contextOf(), await storage.posts.read(ids), { viewContext: 'view', excerptLength: 55 })
  const server = Fastify()
  server.get<{ Params: { id: string } }>('/api/cms/v2/posts/:id', async (request, reply) => {
    const [view] = await render([Number(request.params.id)])
    return reply.header('content-type', jsonType).send(view?.text)
  })
  server.get<{ Querystring: { per_page?: string } }>('/api/cms/v2/posts', async (request, reply) => {
    const limit = Number(request.query.per_page ?? 10)
    const { idsPage, total } = await storage.posts.query({
      types: ['post'],
      statuses: [{ status: 'publish' }],
      order: { by: 'date', descending: true },
      offset: 0,
      limit,
      total: true,
    })
    const views = await render(idsPage.map(({ id }) => id))
    return reply
      .header('content-type', jsonType)
      .header('X-CMS-Total', total)
      .send(`[${views.map(({ text }) => text).join()}]`)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return { port: (server.server.address() as AddressInfo).port }
}

const jsonType = 'application/json; charset=UTF-8'

export function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
