/**
 * One server process of the HTTP part: `node servers.ts <workload> <contender> [checkout]`. Sends its port to the parent, and on
 * request its CPU time.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import Fastify from 'fastify'
import { createNodeHandler } from '../adapters/node.ts'
import { createSiteApi } from '../src/index.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { siteUrl } from './content.ts'
import { fixedHeaders, fixedText, measuredPath, tableProfile } from './fixed-response.ts'
import { createHonoApp, querySchema } from './hono-app.ts'
import { innerGet } from './inner-get.ts'
import { bareOfPosts, fastifyOnPosts, type Listening, listen, ourPosts } from './post-servers.ts'
import { plainPath, tableRoutes } from './routes.ts'

/** Starts listening. `checkout` is the folder of another checkout. */
type Start = (checkout?: string) => Promise<Listening>

// ---------------------------------------------------------------- the fixed response

const createTableApi = () => createSiteApi({ storage: memoryStorage(), profile: tableProfile, url: siteUrl })

/** Writes the bytes of our response and its headers, without routing or checks. */
async function bareFixed(): Promise<Listening> {
  const { headers, body } = await innerGet(createTableApi(), `/api${measuredPath.replace('{id}', '1')}`)
  const head = [...headers, 'Content-Length', String(Buffer.byteLength(body))]
  const port = await listen((_, response) => {
    response.writeHead(200, head)
    response.end(body, 'latin1')
  })
  return { port }
}

async function fastifyFixed(): Promise<Listening> {
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
  return { port: (app.server.address() as AddressInfo).port }
}

function honoFixed(): Promise<Listening> {
  return new Promise((resolve) => {
    serve({ fetch: createHonoApp().fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve({ port }))
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

async function expressFixed(): Promise<Listening> {
  const app = express()
  for (const { methods, path } of tableRoutes) {
    for (const method of methods) {
      app[method.toLowerCase() as 'get'](`/api${plainPath(path)}`, (request, response) => {
        if (path === measuredPath && !querySchema.safeParse(request.query).success) return void response.sendStatus(400)
        response.set(fixedHeaders).send(fixedText)
      })
    }
  }
  return { port: await listen(app) }
}

// ---------------------------------------------------------------- starting

const servers: { readonly [workload: string]: { readonly [contender: string]: Start } } = {
  fixed: {
    'site-api': async () => ({ port: await listen(createNodeHandler(createTableApi())) }),
    'bare node:http': bareFixed,
    fastify: fastifyFixed,
    hono: honoFixed,
    express: expressFixed,
  },
  posts: {
    'site-api': ourPosts,
    'bare node:http': bareOfPosts,
    fastify: fastifyOnPosts,
  },
}

const [, , workload = '', contender = '', checkout] = process.argv
const start = servers[workload]?.[contender]
if (!start) throw new Error(`there is no server ${workload} ${contender}`)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
process.send?.(await start(checkout))
