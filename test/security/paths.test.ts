/** Paths and methods: every spelling of a path gets the same checks, and a path without a route is 404. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Incoming } from '../../src/core/declare/request.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { isWrite, recorded } from '../support/spied-storage.ts'
import { routesOf } from './declared-routes.ts'
import { signedInBefore } from './signed-in-before.ts'

const { calls, wrap } = recorded()
let site: TestSite

beforeAll(async () => {
  site = await signedInBefore(await createTestSite({ storage: wrap }))
})
beforeEach(() => {
  calls.length = 0
})
afterEach(() => {
  expect(site.failures).toEqual([])
  expect(calls.filter(isWrite)).toEqual([])
})
afterAll(() => site.dispose())

/** Calls the pipeline without a `Request`, which normalizes or rejects some paths and methods. */
const fetchRaw = async (method: string, path: string, query = '', headers: { [name: string]: string } = {}) => {
  const incoming: Incoming = {
    source: 'http',
    method,
    path,
    query,
    mayHaveBody: false,
    header: (name: string) => headers[name],
    readBody: () => undefined,
  }
  const { status, body, headers: answered } = await site.api.handle(incoming)
  return { status, body: JSON.parse(String(body || 'null')), headers: answered }
}

const routes = routesOf(d1)
const guarded = routes.filter(({ who }) => who !== 'anyone')
const post = () => String(site.ids['post.draft'])
const withIds = (readable: string) => readable.replace(/\{(?:id|parent)\}/g, post()).replace(/\{\w+\}/g, 'heading')

describe('another spelling of a path gets the same permission check', () => {
  const spellings: readonly [string, (path: string) => string][] = [
    ['a slash at the end', (path) => `${path}/`],
    ['two slashes at the end', (path) => `${path}//`],
    ['two slashes in front', (path) => `/${path}`],
    ['two slashes between', (path) => path.replace('/v', '//v')],
    ['capitals', (path) => path.toUpperCase()],
    ['one capital', (path) => path.replace(/\/(\w)/, (_, letter: string) => `/${letter.toUpperCase()}`)],
    [
      'an escaped letter',
      (path) =>
        path.replace(
          /\/(\w)(\w+)/,
          (_, letter: string, rest: string) => `/%${letter.charCodeAt(0).toString(16)}${rest}`,
        ),
    ],
    ['an escaped last letter', (path) => path.replace(/(\w)$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
    ['an escaped slash', (path) => path.replace(/\/(\w+)$/, '%2f$1')],
    ['a matrix parameter', (path) => `${path};x`],
    ['a matrix parameter between', (path) => path.replace('/v', ';a=b/v')],
    ['.json', (path) => `${path}.json`],
    ['.css', (path) => `${path}.css`],
    ['a dot segment', (path) => path.replace('/v', '/./v')],
    ['a dot-dot segment', (path) => path.replace(/\/(\w+)$/, '/x/../$1')],
    ['a backslash', (path) => path.replace(/\/(\w+)$/, '\\$1')],
    ['a space at the end', (path) => `${path}%20`],
    ['a NUL at the end', (path) => `${path}%00`],
    ['full-width letters', (path) => path.replace('v', 'ｖ')],
  ]

  test('the profile has more than 40 guarded routes', () => {
    expect(guarded.length).toBeGreaterThan(15)
  })

  test.each(spellings)('%s', async (_, spelled) => {
    const opened: string[] = []
    for (const { method, readable, who } of guarded) {
      const path = withIds(readable)
      const plain = await fetchRaw(method, path)
      const other = await fetchRaw(method, spelled(path))
      // The response to a visitor depends on the arguments here; it has to be the same for both spellings.
      const isSame = other.status === plain.status && JSON.stringify(other.body) === JSON.stringify(plain.body)
      if (!isSame && other.status !== 404 && other.status !== 400)
        opened.push(`${method} ${spelled(path)} (${who}): ${other.status}`)
    }
    expect(opened).toEqual([])
  })

  test.each(spellings)('%s, over a real Request', async (_, spelled) => {
    for (const path of ['/cms/v2/posts/', `/cms/v2/posts/${post()}`]) {
      const { status } = await site.visitor('GET', spelled(path.replace(/\/$/, '')), { query: 'context=edit' })
      expect([401, 404, 400]).toContain(status)
    }
  })
})

describe('path parameters are decoded once', () => {
  test.each([
    '%2e%2e%2f',
    '%2e%2e%2fposts',
    '%252e%252e',
    '..%5c',
    '..;/',
    '%2f',
    '..',
    '.',
    '%5c',
    '1%2f2',
    '1/..%2f1',
    '%3f',
    '%23',
  ])('%s instead of an id is 404', async (part) => {
    for (const path of [
      `/cms/v2/posts/${part}`,
      `/builder/v1/globals/colors/${part}`,
      `/builder/v1/favorites/${part}`,
    ]) {
      const { status, body } = await fetchRaw('GET', path, '', {})
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'rest_no_route' })
    }
  })

  test('a doubly escaped character is decoded once', async () => {
    const { body } = await site.as('edith')('GET', '/cms/v2/posts', { query: 'search=%2568ello' })
    expect(body).toEqual([])
    const once = await site.as('edith')('GET', '/cms/v2/posts', { query: 'search=%68ello' })
    expect(once.body).toHaveLength(1)
  })
})

describe('broken escapes', () => {
  const broken = ['%', '%zz', '%E0%A4%A', '%ff', '%c0%ae', '%ed%a0%80', '%u0041', '%1', 'a%']

  test.each(broken)('%s in a path is 400 or 404', async (text) => {
    for (const path of [
      `/${text}`,
      `/cms/${text}/posts`,
      `/cms/v2/posts/${text}`,
      `/cms/v2/posts/1${text}`,
      `/builder/v1/favorites/${text}`,
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        expect([400, 404, ...(method === 'OPTIONS' ? [200] : [])]).toContain((await fetchRaw(method, path)).status)
      }
    }
  })

  test.each(broken)('%s in a query is 400 in every argument that is read', async (text) => {
    for (const query of [
      `search=${text}`,
      `slug[]=${text}`,
      `slug[${text}]=x`,
      `categories[${text}]=1`,
      `_fields=${text}`,
    ]) {
      expect({ query, status: (await fetchRaw('GET', '/cms/v2/posts', query)).status }).toEqual({ query, status: 400 })
    }
    for (const query of [`${text}=1`, `unknown=${text}`, `_method=${text}`]) {
      expect([200, 400]).toContain((await fetchRaw('GET', '/cms/v2/posts', query)).status)
      expect([400, 401, 404]).toContain((await fetchRaw('POST', '/cms/v2/posts', query)).status)
    }
  })
})

describe('NUL is 400 on every storage', () => {
  test.each([
    '/%00',
    '/cms/v2/posts/%00',
    '/cms/v2/posts/1%00',
    '/cms/v2%00/posts',
    '/builder/v1/globals/colors/a%00',
    '/builder/v1/favorites/widgets%00',
  ])('in the path %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) expect((await fetchRaw(method, path)).status).toBe(400)
  })

  test.each([
    'search=%00',
    'search=a%00b',
    'slug=%00',
    'slug[]=a%00',
    'author=1%00',
    'categories[terms]=%00',
    'after=%00',
    'orderby=date%00',
    'status=publish%00',
    '_fields=id%00',
    '_embed=%00',
    'search=%2500%00',
    'search[%00]=1',
    'sl%00ug=1',
  ])('in the query %s', async (query) => {
    expect((await fetchRaw('GET', '/cms/v2/posts', query)).status).toBe(400)
    expect((await site.visitor('GET', '/cms/v2/posts', { query })).status).toBe(400)
  })

  test.each<[string, object]>([
    ['the title', { title: 'a\0b' }],
    ['the raw title', { title: { raw: '\0' } }],
    ['the content', { title: 'x', content: '\0' }],
    ['the slug', { title: 'x', slug: 'a\0' }],
    ['a meta value', { title: 'x', meta: { footnotes: '[\0]' } }],
    ['a meta key', { title: 'x', meta: { 'a\0': 1 } }],
    ['a member of a meta object', { title: 'x', meta: { _builder_page_settings: { a: ['\0'] } } }],
    ['the password', { title: 'x', password: '\0' }],
    ['an undeclared name', { title: 'x', 'unknown\0': 1 }],
    ['an undeclared value', { title: 'x', unknown: { deep: [{ deeper: '\0' }] } }],
  ])('in a body: %s', async (_, body) => {
    const as = site.as('ada')
    expect((await as('POST', '/cms/v2/posts', { body })).status).toBe(400)
    const { body: batched } = await as('POST', '/batch/v1', { body: { requests: [{ path: '/cms/v2/posts', body }] } })
    expect([batched.data?.status, batched.responses?.[0].status]).toContain(400)
    await expect(
      site.api.call('POST', '/cms/v2/posts', body as { title: string }, { as: 'system' }),
    ).rejects.toMatchObject({ status: 400 })
  })

  test('in a form body and in a color title', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await site.as('ada')('POST', '/cms/v2/posts', { body: 'title=a%00b', headers })).status).toBe(400)
    expect(
      (await site.as('ada')('POST', '/builder/v1/globals/colors/a', { body: { title: '\0', value: '#fff' } })).status,
    ).toBe(400)
  })
})

describe('a lone surrogate, which no database can store,', () => {
  test.each<[string, object]>([
    ['a short text', { title: 'a\ud800' }],
    ['a long text', { title: 'x', content: `${'a'.repeat(100)}\udc00` }],
    ['a member of a meta object', { title: 'x', meta: { _builder_page_settings: { 'a\ud800': 1 } } }],
    ['an undeclared name', { title: 'x', '\udfff': 1 }],
  ])('is 400 in %s', async (_, body) => {
    expect((await site.as('ada')('POST', '/cms/v2/posts', { body })).status).toBe(400)
  })
})

describe('long values reach the handler', () => {
  test('a slug of 200 characters that are escaped', async () => {
    const slug = encodeURIComponent('é'.repeat(100))
    expect((await fetchRaw('GET', '/cms/v2/posts', `slug=${slug}`)).status).toBe(200)
  })

  test('a path parameter of 600 characters; one of 5000 matches no route', async () => {
    const headers = { authorization: `Basic ${Buffer.from('ada:adax 1a2B 3c4D 5e6F 7g8H 9i0J').toString('base64')}` }
    const read = (length: number) => fetchRaw('GET', `/builder/v1/globals/colors/${'a'.repeat(length)}`, '', headers)
    expect((await read(600)).body.code).toBe('global_not_found')
    expect([404, 414]).toContain((await read(5000)).status)
  })
})

describe('path patterns match in linear time', () => {
  test('each pattern is one repeated character class', () => {
    for (const { parameters } of [...routes, ...routesOf(d2)]) {
      for (const { pattern } of parameters) expect(pattern).toMatch(/^(?:\[[^[\]()]+\]|\\[dw])\+$/)
    }
  })

  test.each<[string, string]>([
    ['letters and a sign', `${'a'.repeat(50_000)}!`],
    ['hyphens', '-'.repeat(50_000)],
    ['digits and a letter', `${'1'.repeat(50_000)}x`],
    ['slashes and a letter', `${'/'.repeat(50_000)}x`],
    ['escapes', '%61'.repeat(16_000)],
    ['dots', './'.repeat(25_000)],
    ['digits', '1'.repeat(50_000)],
  ])('50 000 characters of %s in a path parameter match nothing and query no posts', async (_, text) => {
    for (const { readable } of routes.filter(({ parameters }) => parameters.length > 0)) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status } = await fetchRaw(method, readable.replace(/\{\w+\}/, text).replace(/\{\w+\}/g, '1'))
        expect([404, 414, 401]).toContain(status)
      }
    }
    expect(calls.filter(({ name }) => name === 'posts.query')).toEqual([])
  })
})

describe('methods', () => {
  test.each(['TRACE', 'CONNECT', 'FOO', 'PATCH', 'PUT', 'DELETE', 'PROPFIND', 'get', '__proto__', 'constructor', ''])(
    '%s is 404 on a route that does not declare it',
    async (method) => {
      expect(await fetchRaw(method, '/cms/v2/posts')).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
    },
  )

  test.each(routes.map(({ readable }) => readable).filter((path, index, all) => all.indexOf(path) === index))(
    'OPTIONS %s runs no handler',
    async (readable) => {
      for (const login of [null, 'sam', 'ada']) {
        const { status, headers } = await site.as(login)('OPTIONS', withIds(readable), {
          query: 'force=true',
          body: { title: 'x' },
        })
        expect(status).toBe(200)
        const declared = routes.filter((route) => route.readable === readable).map(({ method }) => method)
        const allowed = headers.get('allow')?.split(', ') ?? []
        expect(allowed.filter((method) => !(declared as string[]).includes(method))).toEqual([])
      }
    },
  )

  test.each(['/nothing', '/cms/v2/nothing', '/cms/v2/posts/abc', '/../..', '//x', '/%zz', '/cms/v2/posts/999999'])(
    'OPTIONS %s allows no method of a missing route',
    async (path) => {
      const { status, headers } = await fetchRaw('OPTIONS', path)
      expect([200, 400]).toContain(status)
      if (!path.startsWith('/cms/v2/posts/9')) expect(headers['Allow']).toBeUndefined()
    },
  )

  test.each([
    [null, 'post.tide', 'GET'],
    [null, 'post.draft', null],
    ['sam', 'post.tide', 'GET'],
    ['aiko', 'post.tide', 'GET, POST, PUT, PATCH, DELETE'],
    ['arthur', 'post.tide', 'GET'],
    ['connie', 'post.draft', null],
    ['edith', 'post.draft', 'GET, POST, PUT, PATCH, DELETE'],
  ])('Allow for %s on %s lists only permitted methods', async (login, key, allow) => {
    const { headers } = await site.as(login)('OPTIONS', `/cms/v2/posts/${site.ids[key]}`)
    expect(headers.get('allow')).toBe(allow)
  })
})

describe('HEAD is GET without the body', () => {
  const reads = routes.filter(({ method }) => method === 'GET').map(({ readable }) => readable)

  test.each(reads)('HEAD %s', async (readable) => {
    for (const login of [null, 'ada']) {
      const path = withIds(readable)
      const get = await site.as(login)('GET', path, { query: 'per_page=2' })
      const head = await site.as(login)('HEAD', path, { query: 'per_page=2' })
      const { 'content-length': length, ...headers } = Object.fromEntries(head.headers)
      expect({ status: head.status, body: head.body, headers }).toEqual({
        status: get.status,
        body: undefined,
        headers: Object.fromEntries(get.headers),
      })
      expect(Number(length)).toBeGreaterThan(1)
    }
  })
})

describe('file extensions that a cache could take for a static file', () => {
  test.each([
    '/cms/v2/posts/1.css',
    '/cms/v2/posts/{id}.js',
    '/cms/v2/posts/{id}/x.js',
    '/cms/v2/users/me/x.js',
    '/cms/v2/posts/{id};.png',
    '/cms/v2/posts.json',
    '/cms/v2/posts/{id}/.css',
    '/cms/v2/posts/{id}%2fx.css',
    '/cms/v2/posts/{id}%3b.css',
    '/cms/v2/posts/{id}%0a.css',
  ])('%s is 404', async (path) => {
    expect((await site.as('ada')('GET', withIds(path))).status).toBe(404)
  })
})
