/** Retries, delays, timeouts and aborts. */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient, type HttpOptions } from '../../src/client/index.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { serveScript } from './served.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function served(answer: Parameters<typeof serveScript>[0]) {
  const server = await serveScript(answer)
  open.push(server.close)
  const waits: number[] = []
  const client = (options: Partial<HttpOptions> = {}) =>
    createClient({
      url: server.url,
      clock: () => Date.parse('2024-06-15T12:00:00Z'),
      ...options,
      retry:
        options.retry === false
          ? false
          : {
              sleep: async (ms) => void waits.push(ms),
              random: () => 0.5,
              ...options.retry,
            },
    })
  return { server, client, waits }
}

const json = (response: ServerResponse, status: number, body: unknown, headers: { [name: string]: string } = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const busy = (response: ServerResponse, headers = {}) =>
  json(response, 503, { code: 'rest_busy', message: 'Busy.', data: { status: 503 } }, headers)

describe('a read', () => {
  test.each([429, 502, 503, 504])('is retried after %i', async (status) => {
    const { server, client } = await served((_, response, count) =>
      count === 1 ? response.writeHead(status).end('<h1>Not now</h1>') : json(response, 200, { count }),
    )
    expect((await client().get('/tides')).data).toEqual({ count: 2 })
    expect(server.count).toBe(2)
  })

  test('is retried when the connection breaks', async () => {
    const { client } = await served((request, response, count) =>
      count < 3 ? request.socket.destroy() : json(response, 200, { count }),
    )
    expect((await client().get('/tides')).data).toEqual({ count: 3 })
  })

  test('ends with the last error after all retries', async () => {
    const { server, client, waits } = await served((_, response) => busy(response))
    const { error } = await client({ retry: { count: 4, baseMs: 100, maxMs: 500 } }).get('/tides')
    expect(error).toMatchObject({ code: 'rest_busy', status: 503 })
    expect(server.count).toBe(5)
    // Doubled each time up to the maximum, times the random factor of one half.
    expect(waits).toEqual([50, 100, 200, 250])
  })

  test.each([
    ['3', 3000],
    ['Sat, 15 Jun 2024 12:00:07 GMT', 7000],
  ])('waits as long as the service asks: %s', async (sent, ms) => {
    const { client, waits } = await served((_, response, count) =>
      count === 1 ? busy(response, { 'retry-after': sent }) : json(response, 200, {}),
    )
    expect((await client().get('/tides')).ok).toBe(true)
    expect(waits).toEqual([ms])
  })

  test('is not retried after a Retry-After above the maximum delay', async () => {
    const { client, waits } = await served((_, response) => busy(response, { 'retry-after': '3600' }))
    expect((await client().get('/tides')).error?.retryAfterMs).toBe(3_600_000)
    expect(waits).toEqual([])
  })

  test.each([400, 401, 404, 409, 500])('is not retried after %i', async (status) => {
    const { server, client } = await served((_, response) => json(response, status, { code: 'x', message: 'X.' }))
    expect((await client().get('/tides')).status).toBe(status)
    expect(server.count).toBe(1)
  })

  test('is not retried if retries are off', async () => {
    const { server, client } = await served((_, response) => busy(response))
    await client({ retry: false }).get('/tides')
    await client().get('/tides', {}, { retries: 0 })
    expect(server.count).toBe(2)
  })
})

describe('a write', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('of %s is sent once', async (method) => {
    const { server, client } = await served((_, response) => busy(response))
    expect((await client().request(method, '/tides', {})).status).toBe(503)
    expect(server.count).toBe(1)
  })

  test('is retried if the call sets retries', async () => {
    const { server, client } = await served((_, response, count) =>
      count < 3 ? busy(response) : json(response, 201, {}),
    )
    expect((await client().post('/tides', {}, { retries: 2 })).status).toBe(201)
    expect(server.count).toBe(3)
  })

  test('carries one key in all its attempts, and the next write another', async () => {
    const keys: unknown[] = []
    const { client } = await served((request, response, count) => {
      keys.push(request.headers['idempotency-key'])
      if (count < 3) request.socket.destroy()
      else json(response, 201, {})
    })
    await client().post('/tides', {}, { retries: 2 })
    await client().delete('/tides', {})
    expect(keys[0]).toMatch(/^[\w-]{8,}$/)
    expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]])
    expect(keys[3]).not.toBe(keys[0])
  })

  test('carries the key that the caller gives, or none, and a read never has one', async () => {
    const keys: unknown[] = []
    const { client } = await served((request, response) => {
      keys.push(request.headers['idempotency-key'])
      json(response, 200, {})
    })
    await client().post('/tides', {}, { headers: { 'Idempotency-Key': 'mine' } })
    await client({ idempotencyKeys: false }).post('/tides', {})
    await client().get('/tides')
    await client().head('/tides')
    expect(keys).toEqual(['mine', undefined, undefined, undefined])
  })

  test('is retried while an earlier attempt still runs', async () => {
    const running = { code: 'rest_idempotency_key_in_use', message: 'It runs.', data: { status: 409 } }
    const { server, client } = await served((_, response, count) =>
      count < 3 ? json(response, 409, running) : json(response, 201, {}),
    )
    expect((await client().post('/tides', {}, { retries: 3 })).status).toBe(201)
    expect(server.count).toBe(3)
    expect((await client({ idempotencyKeys: false }).post('/tides', {}, { retries: 3 })).status).toBe(201)
  })

  test('whose response was lost is carried out once', async () => {
    const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://quay.example' })
    const secret = 'abcd efgh ijkl mnop qrst uvwx'
    await api.site.seed({ users: [{ key: 'a', login: 'ann', role: 'administrator', application_password: secret }] })
    let answers = 0
    const client = createClient<typeof d1>({
      url: 'https://quay.example/api',
      signIn: { login: 'ann', password: secret },
      retry: { sleep: async () => undefined },
      fetch: async (url, init) => {
        const response = await api.fetch(new Request(url, init))
        answers++
        if (answers < 3) throw new TypeError('the connection broke')
        return response
      },
    })
    const { status, data } = await client.post('/cms/v2/posts', { title: 'Once', status: 'publish' }, { retries: 2 })
    expect([status, answers]).toEqual([201, 3])
    const { data: posts, total } = await client.get('/cms/v2/posts', { search: 'Once' })
    expect([total, posts?.[0]?.id]).toEqual([1, data?.id])
    await api.close()
  })
})

describe('a call ends', () => {
  test('at the timeout', async () => {
    const { server, client } = await served(() => undefined)
    const { error, status } = await client({ timeoutMs: 20 }).get('/tides')
    expect([error?.code, status]).toEqual(['client_timeout', 0])
    // Possibly none on a busy machine.
    expect(server.count).toBeLessThan(2)
  })

  test('when the body never arrives', async () => {
    const { client } = await served((_, response) => void response.writeHead(200).write('{'))
    expect((await client().get('/tides', {}, { timeoutMs: 50 })).error?.code).toBe('client_timeout')
  })

  test('when the caller aborts it', async () => {
    const controller = new AbortController()
    const { server, client } = await served(() => controller.abort(new Error('left')))
    const { error } = await client().get('/tides', {}, { signal: controller.signal })
    expect(error).toMatchObject({ code: 'client_aborted', cause: { message: 'left' } })
    expect((await client().get('/tides', {}, { signal: controller.signal })).error?.code).toBe('client_aborted')
    expect(server.count).toBe(1)
  })

  test('between two attempts', async () => {
    const controller = new AbortController()
    const { server, client } = await served((_, response) => busy(response))
    const retry = { sleep: async () => controller.abort() }
    const { error } = await client({ retry }).get('/tides', {}, { signal: controller.signal })
    expect(error?.code).toBe('client_aborted')
    expect(server.count).toBe(1)
  })

  test('while it waits for the next attempt', async () => {
    const controller = new AbortController()
    const { server } = await served((_, response) => {
      busy(response, { 'retry-after': '9' })
      response.on('close', () => setImmediate(() => controller.abort()))
    })
    const { error } = await createClient({ url: server.url }).get('/tides', {}, { signal: controller.signal })
    expect(error?.code).toBe('client_aborted')
  })
})

describe('an error that is not from the service', () => {
  test('no server listens', async () => {
    const { server } = await served(() => undefined)
    await server.close()
    const { error, data } = await createClient({ url: server.url, retry: false }).get('/tides')
    expect(error).toMatchObject({ code: 'client_network', status: 0, cause: expect.anything() })
    expect(data).toBeUndefined()
  })

  test('a page of a proxy', async () => {
    const { client } = await served((_, response) => response.writeHead(413).end('<h1>Too large</h1>'))
    expect((await client().post('/tides', {})).error).toMatchObject({ code: 'client_unexpected_answer', status: 413 })
  })

  test('truncated JSON', async () => {
    const { client } = await served((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
    )
    expect((await client().get('/tides')).error?.code).toBe('client_unexpected_answer')
  })
})
