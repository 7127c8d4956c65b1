import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createExpressHandler, type ExpressHandler } from '../../adapters/express.ts'
import type { AuthenticationRequest } from '../../src/core/pipeline/authentication.ts'
import { createTestSite } from '../support/site.ts'
import { asJson, ask } from './behaviours/behaviour.ts'
import { holdBehaviours } from './behaviours.ts'
import { expressHost, expressWithParsersHost } from './hosts/express.ts'
import type { RunningHost } from './hosts/host.ts'
import { listen } from './hosts/node.ts'
import { createNamedSite, type NamedSite } from './sites.ts'

holdBehaviours(expressHost)
holdBehaviours(expressWithParsersHost)

const thing = '/api/echo/v1/thing'
let site: NamedSite
let running: RunningHost | undefined

beforeEach(async () => {
  site = await createNamedSite('echo')
})
afterEach(async () => {
  await running?.close()
  running = undefined
  await site.api.close()
})

async function serve(mount: (app: Express) => unknown): Promise<RunningHost> {
  const app = express()
  mount(app)
  running = await listen(app, async () => undefined)
  return running
}

describe('however it is mounted', () => {
  const within = (path: string, mount: (router: Router) => unknown) => {
    const router = Router()
    mount(router)
    return (app: Express) => app.use(path, router)
  }
  const ways: readonly [string, string, (handler: ExpressHandler) => (app: Express) => unknown][] = [
    ["use('/api')", '', (handler) => (app) => app.use('/api', handler)],
    ['use without a path', '', (handler) => (app) => app.use(handler)],
    ["use('/api/*rest')", '', (handler) => (app) => app.use(['/api', '/api/*rest'], handler)],
    ["all('/api/{*rest}')", '', (handler) => (app) => app.all(['/api', '/api/{*rest}'], handler)],
    ["route('/api{/*rest}')", '', (handler) => (app) => app.route('/api{/*rest}').all(handler)],
    ['a router', '', (handler) => within('/api', (router) => router.use(handler))],
    ['a router with a path', '', (handler) => within('/api', (router) => router.all('/{*rest}', handler))],
    ['a router in a router', '/outer', (handler) => within('/outer', (router) => router.use('/api', handler))],
    [
      'a wildcard in a router',
      '/outer',
      (handler) => within('/outer', (router) => router.use('/api{/*rest}', handler)),
    ],
    ['a route in a router', '/outer', (handler) => within('/outer', (router) => router.all('/api{/*rest}', handler))],
    ['a parameter in front', '/en', (handler) => within('/:language', (router) => router.use('/api', handler))],
  ]

  test.each(ways)('%s reaches the same endpoint', async (_, outer, mount) => {
    const host = await serve(mount(createExpressHandler(site.api)))
    expect(await ask(host, `${outer}/api`)).toMatchObject({ status: 200, body: { name: 'Quay Notes' } })
    expect(await ask(host, `${outer}/api/`)).toMatchObject({ status: 200, body: { name: 'Quay Notes' } })
    expect((await ask(host, `${outer}${thing}?text=a`)).body).toEqual({ text: 'a' })
    expect((await ask(host, `${outer}${thing}/?text=a`)).body).toEqual({ text: 'a' })
    expect((await ask(host, `${outer}${thing}`, asJson({ text: 'b' }))).body).toEqual({ text: 'b' })
    expect((await ask(host, `${outer}/api?rest_route=/echo/v1/thing&text=a`)).body).toEqual({ text: 'a' })
  })

  test('a path rewritten by a middleware counts', async () => {
    const host = await serve((app) => {
      app.use((request, _, next) => {
        request.url = request.url.replace('/old', '/api')
        next()
      })
      app.use('/api', createExpressHandler(site.api))
    })
    expect((await ask(host, '/old/echo/v1/thing?text=a')).status).toBe(404)
    const other = await serve((app) => {
      app.use((request, _, next) => {
        request.url = request.url.replace('/old', '/api')
        next()
      })
      app.use(createExpressHandler(site.api))
    })
    expect((await ask(other, '/old/echo/v1/thing?text=a')).body).toEqual({ text: 'a' })
    await host.close()
  })

  test('accepts a mount option', async () => {
    const host = await serve((app) => app.use('/content', createExpressHandler(site.api, { mount: '/content' })))
    expect((await ask(host, '/content/echo/v1/thing?text=a')).body).toEqual({ text: 'a' })
  })
})

describe('a body parsed by the host', () => {
  const parsers: readonly [string, RequestHandler][] = [
    ['express.json', express.json()],
    ['express.json that takes everything', express.json({ type: () => true, strict: false })],
    ['express.text', express.text({ type: '*/*' })],
    ['express.raw', express.raw({ type: '*/*' })],
    ['express.urlencoded', express.urlencoded({ extended: true })],
  ]
  test.each(parsers)('parsed by %s is used', async (_, parser) => {
    const host = await serve((app) => app.use('/api', parser, createExpressHandler(site.api)))
    expect((await ask(host, thing, asJson({ text: 'é', number: 3 }))).body).toEqual({ text: 'é', number: 3 })
    expect((await ask(host, thing, asJson({ text: 'gone' }, 'DELETE'))).body).toEqual({ text: 'gone' })
    expect((await ask(host, thing, { method: 'POST' })).body).toEqual({})
  })

  test('has the same depth limit as one parsed here', async () => {
    const host = await serve((app) => app.use(express.json(), createExpressHandler(site.api)))
    const deep = `{"text":${'['.repeat(300)}${']'.repeat(300)}}`
    expect(await ask(host, thing, asJson(deep))).toMatchObject({ status: 400, body: { code: 'rest_too_deep' } })
  })

  test('leaves other routes of the host their bodies', async () => {
    const host = await serve((app) => {
      app.use('/api', createExpressHandler(site.api))
      app.post('/shop', express.json(), (request, response) => void response.json(request.body))
    })
    expect((await ask(host, '/shop', asJson({ a: 1 }))).body).toEqual({ a: 1 })
  })
})

test('errors are sent as responses and never passed to next', async () => {
  const heard: unknown[] = []
  const onError: ErrorRequestHandler = (error, _, response, next) => {
    heard.push(error)
    if (response.headersSent) next(error)
    else response.status(500).end('the host')
  }
  const calls: unknown[] = []
  const handler = createExpressHandler(site.api, { onFailure: () => undefined })
  const counted = (request: IncomingMessage, response: ServerResponse, next: () => void) =>
    handler(request, response, () => {
      calls.push(request.url)
      next()
    })
  const host = await serve((app) => app.use('/api', counted).use(onError))
  expect((await ask(host, '/api/echo/v1/fails')).body.code).toBe('internal_server_error')
  expect((await ask(host, '/api/echo/v1/header?name=a%20b')).body.code).toBe('internal_server_error')
  expect((await ask(host, '/api/nowhere')).body.code).toBe('rest_no_route')
  expect([calls, heard]).toEqual([[], []])
})

test('sends nothing when the host has responded already', async () => {
  const host = await serve((app) => {
    app.use((_, response, next) => {
      response.status(401).end('the host')
      next()
    })
    app.use('/api', createExpressHandler(site.api))
  })
  expect(await ask(host, thing)).toMatchObject({ status: 401, body: 'the host' })
})

test('a CORS layer of the host answers preflights and keeps its headers', async () => {
  const host = await serve((app) => {
    app.use((request, response, next) => {
      response.set('Access-Control-Allow-Origin', 'https://app.example').vary('Origin')
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.sendStatus(204)
      else next()
    })
    app.use('/api', createExpressHandler(site.api))
  })
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
  expect((await ask(host, thing, { method: 'OPTIONS', headers })).status).toBe(204)
  const answer = await ask(host, thing, { headers })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(answer.headers.get('vary')).toBe('Origin, Origin, Authorization, Cookie')
})

/** As sessions, logs and compression do it, in a form that knows pairs and objects alone. */
const watched: RequestHandler = (_, response, next) => {
  const write = response.writeHead
  response.writeHead = ((status: number, headers: object | readonly (readonly [string, string])[] = {}) => {
    const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
    for (const [name, value] of pairs) response.setHeader(name, value)
    response.setHeader('X-Watched', String(response.getHeader('content-type')))
    return write.call(response, status)
  }) as typeof response.writeHead
  next()
}

test('a layer that wraps writeHead sees every header', async () => {
  const host = await serve((app) =>
    app.use(watched).use('/api', createExpressHandler(site.api, { onFailure: () => 0 })),
  )
  const answer = await ask(host, '/api/echo/v1/cookies')
  expect(answer.body).toBe('sent')
  expect(answer.headers.get('x-watched')).toBe('application/json; charset=UTF-8')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect([...answer.headers.keys()].every((name) => name.length > 1)).toBe(true)
  expect((await ask(host, `/api/echo/v1/header?value=${encodeURIComponent('日本')}`)).status).toBe(200)
  expect((await ask(host, '/api/echo/v1/header?name=a%20b')).body.code).toBe('internal_server_error')
  expect((await ask(host, '/api/echo/v1/nothing')).status).toBe(204)
})

test("the host's sign-in sees the host's own request", async () => {
  const seen: unknown[] = []
  const signedIn = await createTestSite({
    authenticate: ({ native }: AuthenticationRequest) => {
      const { session } = native as { session?: { user: number } }
      seen.push(session)
      return session?.user
    },
  })
  const host = await serve((app) => {
    app.use((request, _, next) => next(void Object.assign(request, { session: { user: signedIn.ids['user.editor'] } })))
    app.use('/api', createExpressHandler(signedIn.api))
  })
  expect((await ask(host, '/api/cms/v2/posts?context=edit&per_page=1')).status).toBe(200)
  expect(seen).toEqual([{ user: signedIn.ids['user.editor'] }])
  await signedIn.dispose()
})

describe('a form that a parser of the host has read', () => {
  const form = (body: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

  test.each([
    ['a name of five levels', 'text=a&number[a][b][c][d][e]=1'],
    ['a reserved name below another', 'other[__proto__]=1'],
    ['the name of a constructor', 'constructor[x]=1'],
    ['an escape that is no text', 'text=%00'],
  ])('is refused like one that is read here: %s', async (_, body) => {
    const unread = await serve((app) => app.use('/api', createExpressHandler(site.api)))
    const expected = await ask(unread, thing, form(body))
    await unread.close()
    expect(expected.status).toBeGreaterThanOrEqual(400)
    const parsed = await serve((app) => {
      app.use(express.urlencoded({ extended: false }))
      app.use('/api', createExpressHandler(site.api))
    })
    expect(await ask(parsed, thing, form(body))).toMatchObject({ status: expected.status, body: expected.body })
  })

  test('of nested values is refused for its depth too', async () => {
    const parsed = await serve((app) => {
      app.use(express.urlencoded({ extended: true }))
      app.use('/api', createExpressHandler(site.api))
    })
    expect((await ask(parsed, thing, form(`a${'[b]'.repeat(20)}=1`))).status).toBe(414)
    expect((await ask(parsed, thing, form('text=a+b&number=3'))).body).toEqual({ text: 'a b', number: 3 })
  })
})
