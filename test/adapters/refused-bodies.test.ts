/** Mounts whole sites on one server: the rest of a refused body never keeps the next request of the connection waiting. */

import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createExpressHandler } from '../../adapters/express.ts'
import { createFastifyPlugin } from '../../adapters/fastify.ts'
import { createNextHandlers } from '../../adapters/next.ts'
import { createNodeHandler, type FetchHandler, nodeListener } from '../../adapters/node.ts'
import { submissionHandler } from '../../src/features/builder/form-submissions/intake/handler.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { counted } from '../support/counted.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { chunkedText, expectNextAnswer, getText, postText } from './behaviours/behaviour.ts'
import { open } from './raw.ts'

interface Mount {
  readonly serverOf: (site: TestSite) => Server | Promise<Server>
  readonly paths: readonly string[]
}

const serverOf = (listener: RequestListener) => createServer(listener)
const pagesOf = ({ api }: TestSite) => nodeListener(createSitePages(api).fetch)

const mounts: { readonly [name: string]: Mount } = {
  'the pages': { serverOf: (site) => serverOf(pagesOf(site)), paths: ['/api/nope', '/hello/', '/api//cms/v2/posts'] },
  'the handler for node with the pages behind it': {
    serverOf: (site) => serverOf(createNodeHandler(site.api, { fallThrough: pagesOf(site) })),
    paths: ['/api/nope', '/api/cms/v2/posts', '/hello/', '/api/docs'],
  },
  'the files with the pages behind them': {
    serverOf: (site) => serverOf(createNodeHandler(site.api.files, { fallThrough: pagesOf(site) })),
    paths: ['/uploads/none.png', '/hello/'],
  },
  'Express with the pages behind the api': {
    serverOf: (site) =>
      createServer(express().use(createExpressHandler(site.api, { fallThrough: true }), pagesOf(site))),
    paths: ['/api/nope', '/hello/', '/'],
  },
  'Fastify with the pages behind the api': {
    async serverOf(site) {
      const pages = pagesOf(site)
      const app = Fastify()
      await app.register(createFastifyPlugin(site.api)).register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
        scope.all('/*', (request, reply) => {
          reply.hijack()
          pages(request.raw, reply.raw)
        })
      })
      await app.ready()
      return app.server
    },
    paths: ['/api/nope', '/hello/', '/'],
  },
  'the handlers for Next behind a server of node': {
    serverOf: ({ api }) => {
      const { POST, HEAD, GET } = createNextHandlers(api)
      return serverOf(
        nodeListener((request) => {
          const path = new URL(request.url).pathname.split('/').slice(2)
          const handler = request.method === 'HEAD' ? HEAD : request.method === 'GET' ? GET : POST
          return handler(request, { params: Promise.resolve({ path }) })
        }),
      )
    },
    paths: ['/api/nope', '/api/cms/v2/posts'],
  },
  'the intake of forms': {
    serverOf: ({ api }) => {
      const pages = nodeListener(createSitePages(api).fetch)
      const forms = nodeListener(submissionHandler({ site: api.site as never }))
      return serverOf((request, response) =>
        request.url === '/submit-form' ? forms(request, response) : pages(request, response),
      )
    },
    paths: ['/submit-form'],
  },
}

async function start(name: string): Promise<string> {
  const site = await createTestSite({ profile: full })
  const server = await (mounts[name] as Mount).serverOf(site)
  return listen(server, () => site.dispose())
}

async function listen(server: Server, after: () => Promise<void> = async () => undefined): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close().closeAllConnections()
    await after()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const next = getText('/api/cms/v2/types/post')
const asHost = (origin: string) => ({ origin, fetch, close: async () => undefined })

test.each(Object.keys(mounts))(
  '%s: a refused body leaves a connection that answers, or is said to end',
  async (name) => {
    const host = asHost(await start(name))
    let sent = 0
    for (const path of (mounts[name] as Mount).paths) {
      for (const size of [900, 200_000, 400_000, 3_000_000]) {
        const body = ' '.repeat(size)
        for (const method of ['POST', 'PUT', 'GET', 'HEAD']) {
          await expectNextAnswer(host, postText(path, body).replace('POST', method), {
            isHead: method === 'HEAD',
            next,
          })
          sent++
        }
        await expectNextAnswer(host, postText(path, chunkedText(body), ['Transfer-Encoding: chunked']), { next })
        sent++
      }
    }
    counted(1, 'mounts')
    counted(sent, 'bodies up to 3 MB')
  },
)

// ---------------------------------------------------------------- handlers of the host behind `nodeListener`

const serve = (handler: FetchHandler) => listen(serverOf(nodeListener(handler)))

const halfReaders: { readonly [name: string]: FetchHandler } = {
  'reads one part': async ({ url, body }) => {
    if (url.endsWith('/sent')) await body?.getReader().read()
    return new Response('read')
  },
  'reads one part and cancels': async ({ url, body }) => {
    const reader = url.endsWith('/sent') ? body?.getReader() : undefined
    await reader?.read()
    await reader?.cancel()
    return new Response('read')
  },
  'cancels at once': async ({ url, body }) => {
    if (url.endsWith('/sent')) await body?.cancel()
    return new Response('cancelled')
  },
  'goes on reading after its response': ({ url, body }) => {
    if (url.endsWith('/sent')) void body?.pipeTo(new WritableStream()).catch(() => undefined)
    return new Response('early')
  },
}

test.each(Object.keys(halfReaders))('a handler that %s leaves such a connection too', async (name) => {
  const host = asHost(await serve(halfReaders[name] as FetchHandler))
  for (const size of [900, 200_000, 3_000_000]) {
    await expectNextAnswer(host, postText('/sent', ' '.repeat(size)), { next: postText('/next', '') })
  }
})

test('a handler gets a body whole, and may stream it into its response', async () => {
  const origin = await serve(({ body }) => new Response(body))
  for (const size of [0, 5, 200_000, 3_000_000]) {
    const sent = 'quay '.repeat(size / 5)
    const answer = await fetch(origin, { method: 'POST', body: sent })
    expect((await answer.text()) === sent).toBe(true)
  }
})

test('requests that are pipelined behind a small refused body are answered in their order', async () => {
  const connection = open(await start('the pages'))
  connection.write(postText('/api/nope', ' '.repeat(30_000)) + next + getText('/api/nope'))
  expect((await connection.answer())?.status).toBe(404)
  expect((await connection.answer())?.status).toBe(200)
  expect((await connection.answer())?.status).toBe(404)
  connection.end()
})
