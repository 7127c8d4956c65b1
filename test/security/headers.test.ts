/** Response headers: CORS, links that ignore forged Host headers, header injection, content types, and failures. */
import { request as httpRequest } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serveNode } from '../../adapters/node.ts'
import type { Incoming } from '../../src/core/declare/request.ts'
import { Stream } from '../../src/core/declare/result.ts'
import { anyone, endpoint, feature, profile } from '../../src/index.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { baseUrl, createTestSite, type TestSite } from '../support/site.ts'
import { spied } from '../support/spied-storage.ts'

let site: TestSite
const good = 'https://good.example'

beforeAll(async () => {
  site = await createTestSite({ cors: { origins: [good, 'http://localhost:5173'] } })
})
afterEach(() => {
  expect(site.failures).toEqual([])
})
afterAll(() => site.dispose())

describe('CORS credentials', () => {
  const corsOf = async (origin: string, method = 'GET') => {
    const { status, headers } = await site.visitor(method, '/cms/v2/posts', { headers: { origin } })
    return {
      status,
      origin: headers.get('access-control-allow-origin'),
      credentials: headers.get('access-control-allow-credentials'),
      vary: headers.get('vary'),
    }
  }

  test.each([
    'https://evil.example',
    'null',
    'https://good.example.evil.example',
    'http://good.example',
    'https://good.example:444',
    'https://GOOD.example',
    'https://good.example/',
    'https://xgood.example',
    'https://sub.good.example',
    ' https://good.example x',
    '*',
    '',
    'https://good.example, https://evil.example',
    'https://good.example%00',
    '__proto__',
  ])('are refused to %j', async (origin) => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const { origin: allowed, credentials } = await corsOf(origin, method)
      expect(credentials).toBeNull()
      // `*` without credentials allows what any visitor may read anyway. The foreign origin itself never appears.
      expect([null, '*']).toContain(allowed)
    }
  })

  test.each([good, 'http://localhost:5173'])('are granted to the listed origin %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      expect(await corsOf(origin, method)).toMatchObject({ status: 200, origin, credentials: 'true' })
    }
  })

  test('responses vary by Origin, also without an Origin header, so that no cache mixes them', async () => {
    expect((await corsOf(good)).vary).toMatch(/\bOrigin\b/)
    const { headers } = await site.visitor('GET', '/cms/v2/posts')
    expect(headers.get('vary')).toMatch(/\bOrigin\b/)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('error responses have CORS headers too, so that a page can read them', async () => {
    const { headers } = await site.visitor('GET', '/cms/v2/nothing', { headers: { origin: good } })
    expect(headers.get('access-control-allow-origin')).toBe(good)
  })

  test('cors: false sends no CORS headers', async () => {
    const own = await createTestSite({ cors: false })
    onTestFinished(() => own.dispose())
    const { headers } = await own.visitor('GET', '/cms/v2/posts', { headers: { origin: good } })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('headers that pages of other origins can read and send', () => {
  const listed = (header: string | null) => (header ?? '').toLowerCase().split(/,\s*/)

  test('exposes totals, page count and links', async () => {
    const { headers } = await site.visitor('GET', '/cms/v2/posts', { headers: { origin: good } })
    expect(listed(headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(['x-cms-total', 'x-cms-totalpages', 'link']),
    )
  })

  test('a preflight needs no credentials and allows the headers and methods that clients send', async () => {
    const { status, headers } = await site.visitor('OPTIONS', '/cms/v2/posts', {
      headers: {
        origin: good,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(status).toBe(200)
    expect(listed(headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(['authorization', 'x-cms-nonce', 'content-type']),
    )
    expect(listed(headers.get('access-control-allow-methods'))).toEqual(
      expect.arrayContaining(['post', 'put', 'patch', 'delete']),
    )
  })
})

describe('links come from the configured URL, not from request headers', () => {
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': '1',
    'x-original-url': '/evil.example/',
    'x-rewrite-url': '/evil.example/',
    forwarded: 'host=evil.example;proto=http',
    host: 'evil.example',
    'x-host': 'evil.example',
    referer: 'https://evil.example/',
  }

  test.each([
    '/',
    '/cms/v2',
    '/cms/v2/posts?per_page=2&_embed=1',
    '/cms/v2/posts?page=2&per_page=2',
    '/cms/v2/nothing',
  ])('GET %s over a socket', async (path) => {
    const served = await serveNode(site.api, { port: 0 })
    onTestFinished(() => served.close())
    const text = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(served.url)
      const outgoing = httpRequest({ hostname, port, path: `${site.api.root}${path}`, headers: forged }, (response) => {
        let body = JSON.stringify(response.headers)
        response.on('data', (part) => {
          body += part
        })
        response.on('end', () => resolve(body))
      })
      outgoing.on('error', reject).end()
    })
    expect(text).not.toContain('evil.example')
    expect(text).not.toContain('127.0.0.1')
    expect(text).toContain(baseUrl.replaceAll('/', '\\/').replaceAll('\\', ''))
  })

  test('in the Location of a created post', async () => {
    const request = new Request(`http://evil.example${site.api.root}/cms/v2/posts`, {
      method: 'POST',
      headers: {
        ...forged,
        authorization: `Basic ${btoa('arthur:arth1a2B3c4D5e6F7g8H9i0J')}`,
        'content-type': 'application/json',
      },
      body: '{"title":"x"}',
    })
    const response = await site.api.fetch(request)
    expect(response.headers.get('location')).toMatch(/^https:\/\/quay\.example\/api\/cms\/v2\/posts\/\d+$/)
    expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain('evil.example')
  })
})

describe('client text in headers', () => {
  const odd = [
    'a\r\nX-Evil: 1',
    '\n',
    '日本',
    'é',
    '😀',
    '\u{2028}',
    '\ud800',
    '\x7f',
    '\x01',
    '<>"',
    '>; rel="next", <https://evil.example',
  ]

  const printable = (headers: Headers) => {
    for (const [name, value] of headers) expect(name + value).toMatch(/^[\x20-\x7e]*$/)
    expect(headers.get('x-evil')).toBeNull()
  }

  test.each(odd)('stays printable in Link after a search or a list of slugs with %j', async (text) => {
    const value = encodeURIComponent(text.toWellFormed())
    for (const query of [
      `search=${value}&per_page=1`,
      `slug[]=${value}&slug[]=hello&slug[]=ferry&per_page=1`,
      `x=${value}&per_page=1`,
      `${value}=1&per_page=1`,
    ]) {
      const response = await site.as('ada')('GET', '/cms/v2/posts', { query })
      expect(response.status).toBeLessThan(500)
      printable(response.headers)
      const link = response.headers.get('link') ?? ''
      // Keeps only our links: the discovery link, prev and next.
      expect((link.match(/rel="/g) ?? []).length).toBeLessThanOrEqual(3)
      expect(link).not.toMatch(/<https:\/\/evil/)
    }
  })

  test.each(odd)('stays printable after a raw query with %j from an adapter', async (text) => {
    const incoming: Incoming = {
      source: 'http',
      method: 'GET',
      path: '/cms/v2/posts',
      query: `unknown=${text}&per_page=1`,
      mayHaveBody: false,
      header: () => undefined,
      readBody: () => undefined,
    }
    const { status, headers } = await site.api.handle(incoming)
    expect(status).toBeLessThan(500)
    for (const value of Object.values(headers).flat()) expect(value).toMatch(/^[\x20-\x7e]*$/)
  })

  test.each(odd)('stays printable for a post with the title and slug %j', async (text) => {
    const as = site.as('ada')
    const created = await as('POST', '/cms/v2/posts', {
      body: { title: text, slug: text, content: 'x', status: 'publish' },
    })
    printable(created.headers)
    // Not every storage can hold a lone surrogate, so it may be rejected.
    if (!text.isWellFormed() && created.status === 400) return
    expect(created.status).toBe(201)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const response = await as(method, `/cms/v2/posts/${created.body.id}`)
      expect(response.status).toBe(200)
      printable(response.headers)
    }
    const { body } = await as('POST', '/batch/v1', {
      body: { requests: [{ path: '/cms/v2/posts', body: { title: text, content: 'x' } }] },
    })
    expect(body.responses[0].headers.Location).toMatch(/^[\x20-\x7e]+$/)
    expect(site.failures).toEqual([])
  })
})

describe('every response has a content type and nosniff', () => {
  const csv = feature('csv', 'csv/v1', [
    endpoint({
      path: '/rows',
      methods: ['GET'],
      args: {},
      permission: anyone,
      handler: () => new Stream('a,b\r\n', 'text/csv; charset=UTF-8'),
    }),
  ])

  test.each<[string, number, string, string, object]>([
    ['a list', 200, 'GET', '/cms/v2/posts', {}],
    ['the index', 200, 'GET', '/', {}],
    ['HEAD', 200, 'HEAD', '/cms/v2/posts', {}],
    ['OPTIONS', 200, 'OPTIONS', '/cms/v2/posts', {}],
    ['a missing permission', 401, 'POST', '/cms/v2/posts', { body: { title: 'x' } }],
    ['a wrong argument', 400, 'GET', '/cms/v2/posts', { query: 'page=0' }],
    ['broken JSON', 400, 'POST', '/cms/v2/posts', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['no route', 404, 'GET', '/cms/v2/nothing', {}],
    ['wrong credentials', 401, 'GET', '/', { headers: { authorization: 'Basic x' } }],
    ['a body that is too large', 413, 'POST', '/cms/v2/posts', { body: { title: 'x'.repeat(2000) } }],
    ['a query that is too long', 414, 'GET', '/cms/v2/posts', { query: `x=${'x'.repeat(40_000)}` }],
    [
      'another encoding',
      415,
      'POST',
      '/cms/v2/posts',
      { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
    ],
    ['a batch', 207, 'POST', '/batch/v1', { body: { requests: [] } }],
  ])('%s (%d)', async (_, status, method, path, sent) => {
    const own = await createTestSite({ limits: { bodyBytes: 1000 } })
    onTestFinished(() => own.dispose())
    const response = await own.visitor(method, path, sent)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('also a path outside the root and a CSV stream', async () => {
    const own = await createTestSite({ profile: profile({ ...d1, features: [...d1.features, csv] }) })
    onTestFinished(() => own.dispose())
    const outside = await own.api.fetch(new Request(`${baseUrl}/elsewhere`))
    expect(outside.status).toBe(404)
    const table = await own.visitor('GET', '/csv/v1/rows')
    expect([outside.headers.get('content-type'), table.headers.get('content-type')]).toEqual([
      'application/json; charset=UTF-8',
      'text/csv; charset=UTF-8',
    ])
    for (const { headers } of [outside, table]) expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('failures', () => {
  const secret = 'postgres://cms:hunter2@10.0.0.7/site'
  const failing = async () => {
    let isDown = false
    const own = await createTestSite({
      storage: (storage) =>
        spied(storage, () => {
          if (isDown)
            throw Object.assign(new Error(`connect ECONNREFUSED ${secret}`), {
              code: 'ECONNREFUSED',
              status: 418,
              data: { secret },
            })
        }),
    })
    onTestFinished(() => own.dispose().catch(() => undefined))
    isDown = true
    return own
  }

  test.each([
    ['GET', '/cms/v2/posts', undefined],
    ['GET', '/', undefined],
    ['POST', '/cms/v2/posts', { title: 'x' }],
    ['POST', '/batch/v1', { requests: [{ path: '/cms/v2/posts', body: { title: 'x' } }] }],
    ['OPTIONS', '/cms/v2/posts/1', undefined],
    ['HEAD', '/cms/v2/posts', undefined],
  ])('%s %s shows only the id of the failure; the log has the rest', async (method, path, body) => {
    const own = await failing()
    const response = await own.as('ada')(method, path, body ? { body } : {})
    expect(response.status).toBe(500)
    expect(JSON.stringify([response.body ?? null, ...response.headers])).not.toMatch(
      /hunter2|postgres|ECONN|\.ts:|node_modules/,
    )
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(own.failures).toHaveLength(1)
    const [failure] = own.failures as [{ id: string; error: Error }]
    expect(failure.error.message).toContain(secret)
    if (method === 'HEAD') return
    expect(response.body).toEqual({
      code: 'internal_server_error',
      message: expect.any(String),
      data: { status: 500, id: failure.id },
    })
  })

  test('each failure has its own id', async () => {
    const own = await failing()
    const responses = await Promise.all([own.visitor('GET', '/cms/v2/posts'), own.visitor('GET', '/cms/v2/posts')])
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(2)
  })
})
