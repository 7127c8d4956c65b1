import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNodeHandler, type Served, serveNode } from '../../adapters/node.ts'
import { int, str } from '../../src/core/args.ts'
import { EDITABLE, endpoint, feature, profile } from '../../src/core/declare.ts'
import { anyone } from '../../src/core/permissions.ts'
import { reply, Stream } from '../../src/core/reply.ts'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { open, send } from './raw.ts'

let streamed: { chunks: number; isCancelled: boolean }

/** Says what arrived. */
const echo = feature('echo', 'echo/v1', [
  endpoint({
    path: '/thing',
    methods: EDITABLE,
    args: { text: str(), number: int() },
    permission: anyone,
    handler: ({ args }) => args,
  }),
  endpoint({
    path: '/thing',
    methods: ['DELETE'],
    args: { text: str() },
    permission: anyone,
    handler: ({ args }) => args,
  }),
  endpoint({ path: '/early', methods: ['POST'], args: {}, bodyLimitBytes: 100, permission: anyone, handler: () => 1 }),
  endpoint({
    path: '/nothing',
    methods: ['GET'],
    args: {},
    permission: anyone,
    handler: () => reply(undefined, { status: 204 }),
  }),
  endpoint({
    path: '/header',
    methods: ['GET'],
    args: { value: str({ default: '' }), name: str({ default: 'X-Value' }) },
    permission: anyone,
    handler: ({ args }) => reply('sent', { headers: { [args.name]: args.value } }),
  }),
  endpoint({
    path: '/cookies',
    methods: ['GET'],
    args: {},
    permission: anyone,
    handler: () => reply('sent', { headers: { 'Set-Cookie': ['a=1', 'b=2'] } }),
  }),
  endpoint({
    path: '/stream',
    methods: ['GET'],
    args: {},
    permission: anyone,
    handler: () =>
      new Stream(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            streamed.chunks++
            controller.enqueue(new Uint8Array(64 * 1024).fill(120))
          },
          cancel() {
            streamed.isCancelled = true
          },
        }),
        'text/plain',
      ),
  }),
])

let site: TestSite
let server: Server | undefined
let served: Served
let url: string

beforeEach(async () => {
  streamed = { chunks: 0, isCancelled: false }
  site = await createTestSite({
    profile: profile({ name: 'echo', gmtOffset: 'text', features: [echo] }),
    limits: { bodyBytes: 1000 },
  })
  served = await serveNode(site.api, { port: 0 })
  url = served.url
})
afterEach(async () => {
  server?.close()
  server?.closeAllConnections()
  server = undefined
  await served.close({ graceMs: 0 })
  await site.dispose()
})

/** A server of the host's own around our handler. */
async function behind(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const own = createServer(listener)
  server = own
  await new Promise<void>((resolve) => void own.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}`
}

const post = (path: string, body: string, headers: readonly string[] = []) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    ...(headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
    '',
    body,
  ].join('\r\n')

const get = (target: string, headers: readonly string[] = []) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')

const json = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${url}/api${path}`, init)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

// ---------------------------------------------------------------- bodies

test('reads a JSON body', async () => {
  const answer = await send(url, post('/api/echo/v1/thing', '{"text":"é","number":3}'))
  expect(answer).toMatchObject({ status: 200, body: '{"text":"é","number":3}' })
})

test('reads a chunked body, a body without a type, and the body of a DELETE', async () => {
  const chunked = post('/api/echo/v1/thing', '5\r\n{"tex\r\n8\r\nt":"ab"}\r\n0\r\n\r\n', ['Transfer-Encoding: chunked'])
  expect((await send(url, chunked)).body).toBe('{"text":"ab"}')
  const untyped = post('/api/echo/v1/thing', '{"text":"ab"}').replace(/Content-Type.*\r\n/, '')
  expect(await send(url, untyped)).toMatchObject({ status: 200, body: '{}' })
  expect((await send(url, post('/api/echo/v1/thing', '{"text":"gone"}').replace('POST', 'DELETE'))).body).toBe(
    '{"text":"gone"}',
  )
})

test('takes a body that a parser before us has read', async () => {
  const handler = createNodeHandler(site.api)
  const base = await behind((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      handler(Object.assign(request, { body: text === '' ? {} : JSON.parse(text) }), response)
    })
  })
  expect((await send(base, post('/api/echo/v1/thing', '{"text":"parsed"}'))).body).toBe('{"text":"parsed"}')
  expect((await send(base, post('/api/echo/v1/thing', ''))).body).toBe('{}')
})

test('reads the body itself when a parser left it alone and set an empty object', async () => {
  const handler = createNodeHandler(site.api)
  const base = await behind((request, response) => handler(Object.assign(request, { body: {} }), response))
  expect((await send(base, post('/api/echo/v1/thing', '{"text":"still there"}'))).body).toBe('{"text":"still there"}')
})

test('does not wait for a body that somebody has read and thrown away', async () => {
  const handler = createNodeHandler(site.api)
  const base = await behind((request, response) => {
    request.resume().on('end', () => setImmediate(() => handler(request, response)))
  })
  expect((await send(base, post('/api/echo/v1/thing', '{"text":"lost"}'))).body).toBe('{}')
})

test('refuses a body by its length before it is sent', async () => {
  const connection = open(url)
  connection.write(post('/api/echo/v1/thing', '', ['Content-Length: 1001']))
  const answer = await connection.answer()
  expect(answer).toMatchObject({ status: 413, headers: { 'content-type': 'application/json; charset=UTF-8' } })
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'rest_body_too_large', data: { status: 413 } })
  connection.end()
})

test('counts bytes, not characters, and stops reading at the limit', async () => {
  const fits = JSON.stringify({ text: 'é'.repeat(494) })
  expect(Buffer.byteLength(fits)).toBe(999)
  expect((await send(url, post('/api/echo/v1/thing', fits))).status).toBe(200)
  const connection = open(url)
  connection.write(post('/api/echo/v1/thing', '', ['Transfer-Encoding: chunked']))
  connection.write(`3e9\r\n${'x'.repeat(1001)}\r\n`)
  const answer = await connection.answer()
  expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
  // The client goes on for a while; then the connection is closed.
  connection.write('3\r\nabc\r\n0\r\n\r\n')
  expect(await connection.answer()).toBeUndefined()
})

test('lets a client that sends far too much read the refusal', async () => {
  const connection = open(url)
  connection.write(post('/api/echo/v1/thing', '', ['Content-Length: 5000000']))
  connection.write('x'.repeat(3_000_000))
  expect(await connection.answer()).toMatchObject({ status: 413 })
  expect(await connection.answer()).toBeUndefined()
})

test('goes on with the next request when a body was not read', async () => {
  const connection = open(url)
  connection.write(post('/api/echo/v1/nowhere', 'x'.repeat(900)))
  connection.write(post('/api/echo/v1/early', 'x'.repeat(500)))
  connection.write(post('/api/echo/v1/thing', '{"text":"next"}'))
  expect(await connection.answer()).toMatchObject({ status: 404 })
  expect(await connection.answer()).toMatchObject({ status: 413 })
  expect(await connection.answer()).toMatchObject({ status: 200, body: '{"text":"next"}' })
  connection.end()
})

test('refuses compressed bodies with 415', async () => {
  expect((await send(url, post('/api/echo/v1/thing', 'abc', ['Content-Encoding: gzip']))).status).toBe(415)
})

test('a client that goes away while it sends leaves nothing behind', async () => {
  const connection = open(url)
  connection.write(post('/api/echo/v1/thing', '{"te', ['Content-Length: 100']))
  const gone = new Promise<void>((resolve) => {
    served.server.once('request', (request: IncomingMessage) => void request.once('close', resolve))
  })
  await new Promise<void>((resolve) => void served.server.once('request', () => resolve()))
  connection.end()
  await gone
  expect((await json('/')).status).toBe(200)
  expect(site.failures).toEqual([])
})

// ---------------------------------------------------------------- paths

test.each([
  ['the bare mount', '/api', 200],
  ['the mount with a slash', '/api/', 200],
  ['an absolute address, as proxies send it', 'http://elsewhere.example/api/', 200],
  ['a query on the bare mount', '/api?_fields=name', 200],
  ['a fragment', '/api/#part', 200],
  ['a name that only begins like the mount', '/apiary', 404],
  ['a path elsewhere', '/', 404],
  ['two slashes', '//api/', 404],
  ['a bad escape', '/api/echo/v1/%zz', 404],
  ['an escape that is no UTF-8', '/api/%E0%A4%A', 404],
  ['a bad escape in the query', '/api/?_fields=%zz', 400],
])('answers %s', async (_, target, status) => {
  const answer = await send(url, get(target))
  expect(answer.status).toBe(status)
  if (status !== 200) expect(JSON.parse(answer.body)).toMatchObject({ data: { status } })
})

test('answers OPTIONS * and addresses without a path in the form of our errors', async () => {
  expect(await send(url, 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')).toMatchObject({ status: 404 })
  const bare = await send(url, get('http://elsewhere.example'))
  expect(JSON.parse(bare.body)).toMatchObject({ code: 'rest_no_route' })
})

test('never looks at Host or the forwarded headers', async () => {
  for (const host of ['[::::', 'evil.example', 'a b', '%zz']) {
    const answer = await send(url, `GET /api/ HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.example\r\n\r\n`)
    expect(JSON.parse(answer.body)).toMatchObject({ url: 'https://quay.example' })
  }
})

test('answers what is no HTTP with 400 in the form of our errors', async () => {
  const answer = await send(url, 'NONSENSE\r\n\r\n')
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'rest_bad_request', data: { status: 400 } })
  expect((await send(url, get('/api/', [`X-Long: ${'x'.repeat(20_000)}`]))).status).toBe(431)
})

test('gives paths outside the root to the host', async () => {
  const fallThrough = (_: IncomingMessage, response: ServerResponse) => void response.end('the host')
  const base = await behind(createNodeHandler(site.api, { fallThrough }))
  expect(await (await fetch(`${base}/shop`)).text()).toBe('the host')
  expect((await fetch(`${base}/api/`)).status).toBe(200)
})

test('finds its path behind a mount that cuts the address', async () => {
  const handler = createNodeHandler(site.api)
  const base = await behind((request, response) => {
    const originalUrl = request.url ?? ''
    request.url = originalUrl.replace('/api', '')
    handler(Object.assign(request, { originalUrl }), response)
  })
  expect((await fetch(`${base}/api/echo/v1/cookies`)).status).toBe(200)
})

// ---------------------------------------------------------------- headers

test('HEAD, 204 and 304 carry no body, and HEAD the length of the GET', async () => {
  const full = await send(url, get('/api/echo/v1/cookies'))
  const head = await send(url, get('/api/echo/v1/cookies').replace('GET', 'HEAD'), { isHead: true })
  expect(head.headers['content-length']).toBe(full.headers['content-length'])
  const connection = open(url)
  connection.write(get('/api/echo/v1/nothing') + get('/api/echo/v1/cookies').replace('GET', 'HEAD') + get('/api/'))
  expect(await connection.answer()).toMatchObject({ status: 204, body: '' })
  expect(await connection.answer({ isHead: true })).toMatchObject({ status: 200 })
  expect(await connection.answer()).toMatchObject({ status: 200 })
  connection.end()
})

test('gives each cookie a line of its own', async () => {
  const response = await fetch(`${url}/api/echo/v1/cookies`)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test('encodes header text that node would refuse, and fails one reply alone for a bad name', async () => {
  const odd = await fetch(`${url}/api/echo/v1/header?value=${encodeURIComponent('日本\r\nX-Evil: 1')}`)
  expect(odd.status).toBe(200)
  expect(odd.headers.get('x-evil')).toBeNull()
  const failures: unknown[] = []
  const base = await behind(createNodeHandler(site.api, { onFailure: (id) => void failures.push(id) }))
  const broken = await fetch(`${base}/api/echo/v1/header?name=a%20b`)
  expect(broken.status).toBe(500)
  expect(await broken.json()).toMatchObject({ code: 'internal_server_error', data: { id: failures[0] } })
  expect((await fetch(`${base}/api/`)).status).toBe(200)
})

test('keeps the headers that the host has set, CORS above all', async () => {
  const handler = createNodeHandler(site.api)
  const base = await behind((request, response) => {
    response.setHeader('X-Host', 'here')
    response.setHeader('Vary', 'Accept')
    response.setHeader('Access-Control-Allow-Origin', 'https://app.example')
    handler(request, response)
  })
  const { headers } = await fetch(`${base}/api/`, { headers: { origin: 'https://other.example' } })
  expect(headers.get('x-host')).toBe('here')
  expect(headers.get('vary')).toBe('Accept, Origin, Authorization, Cookie')
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
})

test('signs in with the first of two Authorization headers', async () => {
  const lines = [`Authorization: ${basic('ada')}`, 'Authorization: Basic bm9ib2R5Om5vdGhpbmc=']
  expect((await send(url, get('/api/', lines))).status).toBe(200)
  expect((await send(url, get('/api/', lines.reverse()))).status).toBe(401)
})

// ---------------------------------------------------------------- lifecycle

test('a stream waits for a slow client and stops with it', async () => {
  const connection = open(url)
  connection.socket.pause()
  connection.write(get('/api/echo/v1/stream'))
  const response = await new Promise<ServerResponse>((resolve) => {
    served.server.once('request', (_: IncomingMessage, made: ServerResponse) => resolve(made))
  })
  const closed = new Promise<void>((resolve) => void response.once('close', resolve))
  // Blocked: a few turns later nothing more was taken from the stream.
  let before = -1
  while (streamed.chunks !== before || streamed.chunks === 0) {
    before = streamed.chunks
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => void setImmediate(resolve))
  }
  expect(response.writableNeedDrain).toBe(true)
  connection.end()
  await closed
  await Promise.resolve()
  expect(streamed.isCancelled).toBe(true)
})

test('HEAD of a stream sends none of it', async () => {
  await send(url, get('/api/echo/v1/stream').replace('GET', 'HEAD'), { isHead: true })
  expect(streamed.isCancelled).toBe(true)
})

test('closing refuses new connections and waits for open requests', async () => {
  const connection = open(url)
  const body = '{"text":"late"}'
  connection.write(post('/api/echo/v1/thing', '', [`Content-Length: ${body.length}`]))
  await new Promise<void>((resolve) => void served.server.once('request', () => resolve()))
  const closing = served.close()
  await expect(fetch(`${url}/api/`)).rejects.toThrow()
  connection.write(body)
  expect(await connection.answer()).toMatchObject({ status: 200, body })
  await closing
})

test('a port that is taken rejects', async () => {
  const port = Number(new URL(url).port)
  await expect(serveNode(site.api, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('hands the url over before the first request is answered', async () => {
  const made: string[] = []
  const second = await serveNode(
    (own) => {
      made.push(own)
      return site.api
    },
    { port: 0 },
  )
  expect(made).toEqual([second.url])
  expect((await fetch(`${second.url}/api/`)).status).toBe(200)
  await second.close()
})
