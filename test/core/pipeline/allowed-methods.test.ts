/** `Allow` lists what this caller may do on a route; OPTIONS describes the records of the route. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: full })
})
afterAll(() => site.dispose())

const allowed = async (login: string | null, method: string, path: string) => {
  const { headers } = await site.as(login)(method, path)
  return headers.get('allow')?.split(', ')
}

test.each([
  [null, ['GET']],
  ['sam', ['GET']],
  ['connie', ['GET', 'POST']],
  ['edith', ['GET', 'POST']],
])('a list tells %s the methods that they may use on it', async (login, methods) => {
  expect(await allowed(login, 'GET', '/cms/v2/posts')).toEqual(methods)
  expect(await allowed(login, 'OPTIONS', '/cms/v2/posts')).toEqual(methods)
})

test('a record tells each caller other methods', async () => {
  const path = `/cms/v2/posts/${site.ids['post.hello']}`
  expect(await allowed(null, 'GET', path)).toEqual(['GET'])
  expect(await allowed('edith', 'GET', path)).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
})

test('a route with one endpoint and the site index list GET', async () => {
  expect(await allowed(null, 'GET', '/')).toEqual(['GET'])
  expect(await allowed(null, 'GET', '/cms/v2/types')).toEqual(['GET'])
})

test('answers to writes have no Allow', async () => {
  const { headers, status } = await site.as('edith')('POST', '/cms/v2/posts', { body: { title: 'Written' } })
  expect(status).toBe(201)
  expect(headers.get('allow')).toBeNull()
})

test('a response that refuses a request has the methods that the caller may use there', async () => {
  const posts = '/cms/v2/posts'
  const own = `${posts}/${site.ids['post.draft']}`
  const hello = `${posts}/${site.ids['post.hello']}`
  const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const cases: readonly (readonly [string | null, string, string, number, readonly string[] | undefined, object?])[] = [
    [null, 'GET', `${posts}?per_page=0`, 400, ['GET']],
    [null, 'HEAD', `${posts}?per_page=0`, 400, ['GET']],
    ['connie', 'GET', `${posts}?per_page=0`, 400, ['GET', 'POST']],
    [null, 'GET', `${posts}?page=99`, 400, ['GET']],
    [null, 'GET', `${posts}?context=edit`, 401, undefined],
    ['sam', 'GET', `${hello}?context=edit`, 403, undefined],
    ['sam', 'GET', `${hello}?context=edot`, 400, ['GET']],
    [null, 'POST', posts, 401, ['GET'], { title: 'x' }],
    ['connie', 'POST', posts, 400, ['GET', 'POST'], { status: 'nope' }],
    ['connie', 'POST', posts, 400, ['GET', 'POST'], {}],
    ['aiko', 'DELETE', hello, 403, ['GET']],
    ['edith', 'POST', hello, 400, all, { date: 'soon' }],
    ['edith', 'GET', `${hello}?password=wrong`, 403, all],
    ['arthur', 'POST', own, 400, all, { status: 'nope' }],
    [null, 'GET', own, 401, undefined],
    [null, 'GET', `${posts}/99999`, 404, undefined],
    [null, 'GET', '/cms/v2/nothing', 404, undefined],
    [null, 'PUT', posts, 404, ['GET']],
    [null, 'GET', '/cms/v2/settings', 401, undefined],
    ['ada', 'POST', '/cms/v2/settings', 400, ['GET', 'POST', 'PUT', 'PATCH'], { start_of_week: 'x' }],
    ['edith', 'DELETE', `/cms/v2/tags/${site.ids['tag.red']}`, 501, all],
    ['edith', 'GET', '/cms/v2/comments?per_page=0', 400, ['GET']],
    [null, 'GET', '/cms/v2/search?type=nope', 400, ['GET']],
    [null, 'GET', '/oembed/1.0/embed', 400, ['GET']],
    ['ada', 'POST', '/batch/v1', 400, ['POST'], {}],
  ]
  for (const [login, method, path, status, methods, body] of cases) {
    const [bare = '', query] = path.split('?')
    const answer = await site.as(login)(method, bare, { ...(query ? { query } : {}), ...(body ? { body } : {}) })
    const sent = answer.headers.get('allow')?.split(', ')
    expect([login, method, path, answer.status, sent]).toEqual([login, method, path, status, methods])
  }
  const { body } = await site.visitor('GET', posts, { query: 'per_page=0&_envelope' })
  expect(body).toMatchObject({ status: 400, headers: { Allow: 'GET' } })
})

test('a body that cannot be read is refused with Allow, wrong credentials and senders who have to wait without', async () => {
  const posts = '/cms/v2/posts'
  const broken = await site.as('connie')('POST', posts, { body: '{', headers: { 'content-type': 'application/json' } })
  expect([broken.status, broken.headers.get('allow')]).toEqual([400, 'GET, POST'])
  const wrong = await site.visitor('GET', posts, { headers: { authorization: 'Basic YTpi' } })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([401, null])
  const long = await site.visitor('GET', posts, { query: `search=${'x'.repeat(200_000)}` })
  expect([long.status, long.headers.get('allow')]).toEqual([414, null])
})

test('the permissions of every endpoint can be checked without arguments, for every caller', async () => {
  for (const login of [null, 'sam', 'ada']) {
    const { body } = await site.as(login)('GET', '/')
    for (const route of Object.keys(body.routes)) {
      if (route.includes('(?P<')) continue
      expect((await site.as(login)('OPTIONS', route)).status, route).toBe(200)
    }
  }
  expect(site.failures).toEqual([])
})

test('OPTIONS has the schema of one record, for a list and for its records', async () => {
  const { body: ofList } = await site.visitor('OPTIONS', '/cms/v2/posts')
  const { body: ofRecord } = await site.visitor('OPTIONS', `/cms/v2/posts/${site.ids['post.hello']}`)
  expect(ofList.schema).toMatchObject({
    type: 'object',
    properties: { title: { type: 'object' }, sticky: { type: 'boolean' } },
  })
  expect(ofRecord.schema).toEqual(ofList.schema)
})

test('the site index has no schemas', async () => {
  const { body } = await site.visitor('GET', '/')
  expect(body.routes['/cms/v2/posts'].schema).toBeUndefined()
})
