import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFastifyPlugin, createFrameworkErrors } from '../../adapters/fastify.ts'
import type { AuthenticationRequest } from '../../src/core/pipeline/authentication.ts'
import { basic, createTestSite } from '../support/site.ts'
import { asJson, ask } from './behaviours/behaviour.ts'
import { holdBehaviours } from './behaviours.ts'
import { fastifyHost } from './hosts/fastify.ts'
import type { RunningHost } from './hosts/host.ts'
import { open } from './raw.ts'
import { createNamedSite, type NamedSite } from './sites.ts'

holdBehaviours(fastifyHost)

const thing = '/api/echo/v1/thing'
let site: NamedSite
let app: FastifyInstance

beforeEach(async () => {
  site = await createNamedSite('echo')
  app = Fastify()
})
afterEach(async () => {
  await app.close()
  await site.api.close()
})

async function serve(): Promise<RunningHost> {
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, fetch: (target, init) => fetch(origin + target, init), close: () => app.close() }
}

describe('with a front page', () => {
  const link = '<https://quay.example/api/>; rel="service-desc"'

  test('shows the index where the host has none, and leaves its other 404s to it', async () => {
    await app.register(createFastifyPlugin(site.api, { front: '/' }))
    const host = await serve()
    for (const target of ['/', '/?rest_route=/']) {
      expect(await ask(host, target)).toMatchObject({ status: 200, body: { name: 'Quay Notes' } })
    }
    expect((await ask(host, '/?rest_route=/echo/v1/thing', asJson({ text: 'b' }))).body).toEqual({ text: 'b' })
    expect((await ask(host, '/elsewhere')).body).toMatchObject({ error: 'Not Found' })
  })

  test('links from the page of the host, wherever the plugin is registered', async () => {
    app.get('/', async () => 'the host')
    await app.register(createFastifyPlugin(site.api, { front: '/' }), { prefix: '/outer' })
    const host = await serve()
    const front = await ask(host, '/')
    expect([front.body, front.headers.get('link')]).toEqual(['the host', link])
    expect((await ask(host, '/outer/api/echo/v1/thing?text=a')).body).toEqual({ text: 'a' })
    expect((await ask(host, '/?rest_route=/echo/v1/thing&text=a')).body).toEqual({ text: 'a' })
  })
})

describe('wherever it is registered', () => {
  test.each([
    ['without a prefix', undefined, '/api'],
    ['with a slash as its prefix', '/', '/api'],
    ['with the root as its prefix', '/api', '/api'],
    ['inside a prefix', '/outer', '/outer/api'],
    ['with a prefix that ends in the root', '/outer/api', '/outer/api'],
  ])('%s', async (_, prefix, at) => {
    await app.register(createFastifyPlugin(site.api), prefix === undefined ? {} : { prefix })
    const host = await serve()
    expect(await ask(host, at)).toMatchObject({ status: 200, body: { name: 'Quay Notes' } })
    expect(await ask(host, `${at}/`)).toMatchObject({ status: 200, body: { name: 'Quay Notes' } })
    expect((await ask(host, `${at}/echo/v1/thing?text=a`)).body).toEqual({ text: 'a' })
    expect((await ask(host, `${at}?rest_route=/echo/v1/thing&text=a`)).body).toEqual({ text: 'a' })
    expect((await ask(host, `${at}ary`)).body).toMatchObject({ error: 'Not Found' })
  })

  test('inside another plugin, and twice', async () => {
    await app.register(
      async (inner) => {
        await inner.register(createFastifyPlugin(site.api))
        await inner.register(createFastifyPlugin(site.api), { prefix: '/second' })
      },
      { prefix: '/first' },
    )
    const host = await serve()
    for (const outer of ['/first', '/first/second']) {
      expect((await ask(host, `${outer}${thing}?text=a`)).body).toEqual({ text: 'a' })
    }
  })

  test('beside routes of the host below the same root, which win', async () => {
    app.get('/api/shop', async () => 'the host')
    await app.register(createFastifyPlugin(site.api))
    const host = await serve()
    expect((await ask(host, '/api/shop')).body).toBe('the host')
    expect((await ask(host, '/api/other')).body).toMatchObject({ code: 'rest_no_route' })
  })

  test('behind a proxy that removes a path prefix', async () => {
    await app.register(createFastifyPlugin(site.api, { mount: '' }))
    expect((await ask(await serve(), '/echo/v1/thing?text=a')).body).toEqual({ text: 'a' })
  })

  test('rejects a mount outside of the prefix at start', async () => {
    await expect(app.register(createFastifyPlugin(site.api, { mount: '/other' }), { prefix: '/api' })).rejects.toThrow(
      'the mount /other does not lie below the prefix /api',
    )
  })
})

describe('the host', () => {
  test('keeps its body parsers and its limits, even where it shares its scope', async () => {
    app = Fastify({ bodyLimit: 20 })
    app.addContentTypeParser('text/own', { parseAs: 'string' }, async (_: unknown, body: unknown) => ({ own: body }))
    // The marks that fastify-plugin sets on a plugin.
    await app.register(Object.assign(createFastifyPlugin(site.api), { [Symbol.for('skip-override')]: true }))
    app.post('/shop', async ({ body }) => body)
    const host = await serve()
    expect((await ask(host, thing, asJson({ text: 'longer than twenty bytes' }))).status).toBe(200)
    expect((await ask(host, '/shop', asJson({ a: 1 }))).body).toEqual({ a: 1 })
    const own = { method: 'POST', headers: { 'content-type': 'text/own' }, body: 'a' }
    expect((await ask(host, '/shop', own)).body).toEqual({ own: 'a' })
    expect((await ask(host, '/shop', asJson({ text: 'longer than twenty bytes' }))).status).toBe(413)
  })

  test('runs each hook once, which may change the response', async () => {
    const ran: string[] = []
    app.addHook('onRequest', async () => void ran.push('onRequest'))
    app.addHook('preParsing', async () => void ran.push('preParsing'))
    app.addHook('preHandler', async () => void ran.push('preHandler'))
    app.addHook('onSend', async (_, reply, payload) => {
      ran.push('onSend')
      reply.header('x-seen', String(typeof payload))
      return payload
    })
    app.addHook('onResponse', async () => void ran.push('onResponse'))
    await app.register(createFastifyPlugin(site.api))
    const answer = await ask(await serve(), thing, asJson({ text: 'é' }))
    expect(answer.body).toEqual({ text: 'é' })
    expect(answer.headers.get('x-seen')).toBe('string')
    expect(ran).toEqual(['onRequest', 'preParsing', 'preHandler', 'onSend', 'onResponse'])
  })

  test('may change the length of the response', async () => {
    app.addHook('onSend', async (_, __, payload) => `${payload} `)
    await app.register(createFastifyPlugin(site.api))
    const host = await serve()
    expect((await ask(host, `${thing}?text=a`)).body).toEqual({ text: 'a' })
  })

  test('sends its own errors from its own hooks', async () => {
    app.addHook('onRequest', async () => {
      throw Object.assign(new Error('not you'), { statusCode: 403 })
    })
    await app.register(createFastifyPlugin(site.api))
    expect(await ask(await serve(), thing)).toMatchObject({
      status: 403,
      body: { error: 'Forbidden', message: 'not you' },
    })
  })

  test('may replace the body stream', async () => {
    app.addHook('preParsing', async (request, _, payload) =>
      request.headers['content-encoding'] === 'gzip' ? payload.pipe(createGunzip()) : payload,
    )
    await app.register(createFastifyPlugin(site.api))
    const { headers } = asJson('')
    const init = { method: 'POST', headers: { ...headers, 'content-encoding': 'gzip' } }
    const host = await serve()
    expect((await ask(host, thing, { ...init, body: gzipSync('{"text":"ab"}') })).body).toEqual({ text: 'ab' })
    // 900 kB of text: the limit counts what comes out.
    const bomb = gzipSync(JSON.stringify({ text: 'x'.repeat(900_000) }))
    expect((await ask(host, thing, { ...init, body: bomb })).status).toBe(413)
    expect((await ask(host, thing, asJson({ text: 'plain' }))).body).toEqual({ text: 'plain' })
  })

  test('survives a header that cannot be sent, also with slow hooks', async () => {
    const failures: string[] = []
    app.addHook('onSend', async (_, __, payload) => payload)
    await app.register(createFastifyPlugin(site.api, { onFailure: (id) => void failures.push(id) }))
    const host = await serve()
    const broken = await ask(host, '/api/echo/v1/header?name=a%20b')
    expect(broken).toMatchObject({ status: 500, body: { data: { id: failures[0] } } })
    expect((await ask(host, thing)).status).toBe(200)
  })

  test('handles unknown methods outside of the mount, and requests that fall through', async () => {
    app.setNotFoundHandler((_, reply) => reply.code(404).send('the host'))
    await app.register(createFastifyPlugin(site.api, { fallThrough: true }))
    const host = await serve()
    expect((await ask(host, '/api/shop', { method: 'PROPFIND' })).body).toBe('the host')
    expect((await ask(host, '/api/shop', asJson({ a: 1 }))).body).toBe('the host')
    expect((await ask(host, thing)).status).toBe(200)
  })

  test('passes its own request to authenticate', async () => {
    const signedIn = await createTestSite({
      authenticate: ({ native }: AuthenticationRequest) => (native as { user?: number }).user,
    })
    app.decorateRequest('user')
    app.addHook('onRequest', async (request) => void Object.assign(request, { user: signedIn.ids['user.editor'] }))
    await app.register(createFastifyPlugin(signedIn.api))
    expect((await ask(await serve(), '/api/cms/v2/posts?context=edit&per_page=1')).status).toBe(200)
    await signedIn.dispose()
  })
})

describe('an address with a bad escape', () => {
  test('is answered by Fastify without createFrameworkErrors', async () => {
    await app.register(createFastifyPlugin(site.api))
    expect((await ask(await serve(), '/api/%zz')).body).toMatchObject({ code: 'FST_ERR_BAD_URL' })
  })

  test('gets the common error body below the mount, and that of Fastify elsewhere', async () => {
    app = Fastify({ frameworkErrors: createFrameworkErrors(site.api) })
    await app.register(createFastifyPlugin(site.api))
    const host = await serve()
    expect(await ask(host, '/api/%zz')).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
    expect(await ask(host, '/%zz')).toMatchObject({ status: 400, body: { code: 'FST_ERR_BAD_URL' } })
  })
})

test('inject gets the same response as a socket', async () => {
  const signedIn = await createTestSite()
  await app.register(createFastifyPlugin(signedIn.api))
  const posts = await app.inject({ url: '/api/cms/v2/posts?context=edit', headers: { authorization: basic('edith') } })
  expect(posts.statusCode).toBe(200)
  const headers = { authorization: basic('edith') }
  const made = await app.inject({ method: 'POST', url: '/api/cms/v2/posts', headers, payload: { title: 'New' } })
  expect(made.json()).toMatchObject({ title: { raw: 'New' } })
  const streamed = Readable.from([Buffer.from('{"title":"Piece'), Buffer.from(' by piece"}')])
  const typed = { ...headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const piecewise = await app.inject({ method: 'POST', url: '/api/cms/v2/posts', headers: typed, payload: streamed })
  expect(piecewise.json()).toMatchObject({ title: { raw: 'Piece by piece' } })
  await signedIn.dispose()
})

test('runs pipelined requests one after another, and refuses a second Host', async () => {
  const site = await createNamedSite('echo')
  const held: (() => void)[] = []
  let handled = 0
  const api = {
    ...site.api,
    handle: async (incoming: Parameters<typeof site.api.handle>[0]) => {
      handled++
      await new Promise<void>((resolve) => void held.push(resolve))
      return site.api.handle(incoming)
    },
  }
  const app = Fastify()
  await app.register(createFastifyPlugin(api))
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const connection = open(origin)
  try {
    const request = 'GET /api/echo/v1/thing?text=a HTTP/1.1\r\nHost: x\r\n'
    for (let time = 0; time < 3; time++) connection.write(`${request}\r\n`)
    connection.write(`${request}Host: y\r\n\r\n`)
    for (let answered = 1; answered <= 3; answered++) {
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
      expect(handled).toBe(answered)
      held.pop()?.()
      expect((await connection.answer())?.status).toBe(200)
    }
    expect((await connection.answer())?.status).toBe(400)
    expect(handled).toBe(3)
  } finally {
    connection.end()
    app.server.closeAllConnections()
    await app.close()
    await site.api.close()
  }
})
