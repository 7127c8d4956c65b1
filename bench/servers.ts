/**
 * One server process of the HTTP part: `node servers.ts <workload> <contender>`. Sends its port to the parent, and on request
 * its CPU time.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import Fastify from 'fastify'
import { createNodeHandler } from '../adapters/node.ts'
import { visitor } from '../src/core/declare/actor.ts'
import type { AppContext } from '../src/core/declare/app-context.ts'
import type { Context } from '../src/core/declare/context.ts'
import { defaultLimits } from '../src/core/declare/limits.ts'
import { postParts } from '../src/features/content/posts/content-type.ts'
import { postViews } from '../src/features/content/posts/view.ts'
import { createSiteApi, d1, type SiteApi } from '../src/index.ts'
import { createNames } from '../src/names/word-map.ts'
import { createDrawnTest } from '../src/render/blocks/drawn-names.ts'
import { createRender } from '../src/render/index.ts'
import { SettingsReader } from '../src/site/settings.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { createContent, siteUrl } from './content.ts'
import { fixedHeaders, fixedText, measuredPath, tableProfile } from './fixed-response.ts'
import { createHonoApp, querySchema } from './hono-app.ts'
import { innerGet } from './inner-get.ts'
import { plainPath, tableRoutes } from './routes.ts'

/** Starts listening; resolves to the port. */
type Start = () => Promise<number>

const jsonType = 'application/json; charset=UTF-8'
const postCount = 1000

// ---------------------------------------------------------------- the fixed response

const createTableApi = () => createSiteApi({ storage: memoryStorage(), profile: tableProfile, url: siteUrl })

/** Writes the bytes of our response and its headers, without routing or checks. */
async function bareFixed(): Promise<number> {
  const { headers, body } = await innerGet(createTableApi(), `/api${measuredPath.replace('{id}', '1')}`)
  const head = [...headers, 'Content-Length', String(Buffer.byteLength(body))]
  return listen((_, response) => {
    response.writeHead(200, head)
    response.end(body, 'latin1')
  })
}

async function fastifyFixed(): Promise<number> {
  const app = Fastify()
  const querystring = {
    type: 'object',
    properties: {
      context: { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' },
      page: { type: 'integer', minimum: 1, default: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      search: { type: 'string' },
      order: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
    },
  }
  const params = { type: 'object', properties: { id: { type: 'integer' } } }
  for (const { methods, path } of tableRoutes) {
    app.route({
      method: [...methods],
      url: plainPath(path === '/' ? '/api' : `/api${path}`),
      ...(path === measuredPath ? { schema: { querystring, params } } : {}),
      handler: (_, reply) => reply.headers(fixedHeaders).send(fixedText),
    })
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function honoFixed(): Promise<number> {
  return new Promise((resolve) => {
    serve({ fetch: createHonoApp().fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
  })
}

interface ExpressRequest extends IncomingMessage {
  readonly query: object
}

interface ExpressResponse extends ServerResponse {
  set(headers: { readonly [name: string]: string }): this
  send(body: string): void
  sendStatus(status: number): void
}

// The package has no types; these are the parts used here.
type ExpressHandler = (request: ExpressRequest, response: ExpressResponse) => void
type ExpressApp = RequestListener & { [method in 'get' | 'post']: (path: string, handler: ExpressHandler) => void }
const express: () => ExpressApp = createRequire(import.meta.url)('express')

function expressFixed(): Promise<number> {
  const app = express()
  for (const { methods, path } of tableRoutes) {
    for (const method of methods) {
      app[method.toLowerCase() as 'get'](`/api${plainPath(path)}`, (request, response) => {
        if (path === measuredPath && !querySchema.safeParse(request.query).success) return void response.sendStatus(400)
        response.set(fixedHeaders).send(fixedText)
      })
    }
  }
  return listen(app)
}

// ---------------------------------------------------------------- posts in SQLite

async function createPostsApi(): Promise<SiteApi> {
  const { storage, dispose } = await createContent(postCount)
  process.on('exit', dispose)
  const api = createSiteApi({
    storage,
    profile: d1,
    url: siteUrl,
    authenticate: ({ header }) => idOf(header('x-user')),
  })
  await api.site.users.create({ login: 'ed', email: 'ed@quay.example', roles: ['editor'] })
  return api
}

const idOf = (text: string | undefined) => (text === undefined ? null : Number(text))

/** Writes prepared responses from a map. */
async function bareOfPosts(): Promise<number> {
  const api = await createPostsApi()
  const prepared = new Map<string, { readonly head: string[]; readonly body: string }>()
  return listen(async (request, response) => {
    const { url = '' } = request
    const stored = prepared.get(url)
    if (stored) {
      response.writeHead(200, stored.head)
      response.end(stored.body, 'latin1')
      return
    }
    const { headers, body } = await innerGet(api, url)
    prepared.set(url, { head: [...headers, 'Content-Length', String(Buffer.byteLength(body))], body })
    response.end(body)
  })
}

/** Uses the same storage and the same view, and renders for each request as a typical service does. */
async function fastifyOnPosts(): Promise<number> {
  const { storage, dispose } = await createContent(postCount)
  process.on('exit', dispose)
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
  return (server.server.address() as AddressInfo).port
}

// ---------------------------------------------------------------- starting

const servers: { readonly [workload: string]: { readonly [contender: string]: Start } } = {
  fixed: {
    'site-api': () => listen(createNodeHandler(createTableApi())),
    'bare node:http': bareFixed,
    fastify: fastifyFixed,
    hono: honoFixed,
    express: expressFixed,
  },
  posts: {
    'site-api': async () => listen(createNodeHandler(await createPostsApi())),
    'bare node:http': bareOfPosts,
    fastify: fastifyOnPosts,
  },
}

function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

const [, , workload = '', contender = ''] = process.argv
const start = servers[workload]?.[contender]
if (!start) throw new Error(`there is no server ${workload} ${contender}`)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
process.send?.(await start())
