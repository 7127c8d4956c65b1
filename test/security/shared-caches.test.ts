/** With `cacheTags.cacheControl`, shared caches keep answers to visitors, and none to a single reader. */
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anyone, endpoint, feature, noStore, profile } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { basic, createTestSite, type RequestInput, type TestSite } from '../support/site.ts'

const cacheControl = 'public, max-age=0, s-maxage=86400'
const posts = '/cms/v2/posts'
let site: TestSite

/** Answers that follow from more than the site. */
const clocks = feature('clocks', 'clocks/v1', [
  endpoint({
    path: '/now',
    methods: ['GET'],
    args: {},
    permission: anyone,
    cacheable: true,
    handler: (context) => {
      noStore(context)
      return { now: context.app.clock() }
    },
  }),
  endpoint({ path: '/own', methods: ['GET'], args: {}, permission: anyone, handler: () => ({ own: true }) }),
])

beforeAll(async () => {
  site = await createTestSite({
    profile: profile({ ...full, name: 'clocks', features: [...full.features, clocks] }),
    cacheTags: { cacheControl },
    checkResponses: false,
    // A host signs its readers in with a cookie.
    authenticate: ({ header }) => (header('cookie') === 'reader=1' ? site.ids['user.editor'] : undefined),
  })
})
afterEach(() => expect(site.failures).toEqual([]))
afterAll(() => site.dispose())

async function headersOf(path: string, input: RequestInput = {}, method = 'GET') {
  const { status, headers } = await site.visitor(method, path, input)
  return { status, caching: headers.get('cache-control'), tags: headers.get('cache-tag'), vary: headers.get('vary') }
}

const mayKeep = (caching: string | null) => /s-maxage/.test(caching ?? '')

describe('a shared cache may keep', () => {
  test.each([
    posts,
    `${posts}?_embed=1&per_page=3`,
    `${posts}?_fields=id,title`,
    '/cms/v2/categories',
    '/cms/v2/search?search=quay',
    '/cms/v2/types',
  ])('%s of a visitor, also a HEAD', async (path) => {
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await headersOf(path, {}, method)
      expect(answer).toMatchObject({ status: 200, caching: cacheControl })
      expect(answer.tags).toContain('all')
      expect(answer.vary).toMatch(/Authorization.*Cookie/)
    }
  })

  test('a record of a visitor, and that it has not changed', async () => {
    const path = `${posts}/${site.ids['post.hello']}`
    const { headers } = await site.visitor('GET', path)
    expect(headers.get('cache-control')).toBe(cacheControl)
    const unchanged = await headersOf(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(unchanged).toMatchObject({ status: 304, caching: cacheControl })
  })
})

describe('no shared cache keeps', () => {
  const list = [posts, '/cms/v2/categories', '/cms/v2/users/me', '/cms/v2/settings'] as const

  test.each(list)('%s of a user, by password or by the cookie of the host', async (path) => {
    // Another answer to the same address is kept.
    await headersOf(path)
    const signedIn: { readonly [name: string]: string }[] = [{ authorization: basic('ada') }, { cookie: 'reader=1' }]
    for (const headers of signedIn) {
      const { caching, tags } = await headersOf(path, { headers })
      expect([caching, tags]).toEqual(['private, no-store', null])
    }
  })

  test('a refusal', async () => {
    for (const [path, headers] of [
      ['/cms/v2/users/me', {}],
      [posts, { authorization: basic('ada', 'wrong') }],
      [`${posts}/999999`, {}],
      [`${posts}?status=any`, {}],
      [`${posts}/${site.ids['post.private']}`, {}],
      ['/cms/v2/nothing', {}],
    ] as const) {
      const { status, caching, tags } = await headersOf(path, { headers })
      expect([path, status >= 400, mayKeep(caching), tags]).toEqual([path, true, false, null])
    }
  })

  test('what the password of a post opens, in the query, in a list and in an envelope', async () => {
    const locked = `${posts}/${site.ids['post.locked']}`
    expect(mayKeep((await headersOf(locked)).caching)).toBe(true)
    for (const path of [
      `${locked}?password=sesame`,
      `${locked}?password=sesame&_envelope=1`,
      `${posts}?slug=locked&password=sesame`,
      `/cms/v2/comments?post=${site.ids['post.locked']}&password=sesame`,
    ]) {
      const { status, caching } = await headersOf(path)
      const { body } = await site.visitor('GET', path)
      const shows = JSON.stringify(body).includes('Hidden.')
      expect([path, status, shows && mayKeep(caching)]).toEqual([path, 200, false])
    }
  })

  test('what follows from more than the site, and routes that do not say that they may be kept', async () => {
    for (const path of ['/clocks/v1/now', '/clocks/v1/own', '/site-api/v1/health']) {
      const { caching, tags } = await headersOf(path)
      expect([path, mayKeep(caching), tags]).toEqual([path, false, null])
    }
  })

  test('a write of a visitor', async () => {
    const body = { post: site.ids['post.hello'], content: 'Hm', author_name: 'Bea', author_email: 'bea@example.test' }
    const { caching, tags } = await headersOf('/cms/v2/comments', { body }, 'POST')
    expect([mayKeep(caching), tags]).toEqual([false, null])
  })
})

test('without the option, answers have neither tags nor a time for shared caches', async () => {
  const own = await createTestSite({ profile: full })
  onTestFinished(() => own.dispose())
  const { headers } = await own.visitor('GET', posts)
  expect([headers.get('cache-control'), headers.get('cache-tag')]).toEqual([null, null])
})
