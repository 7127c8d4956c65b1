/** Requests with `?rest_route=`, with valid and malformed values. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const at = (query: string) => site.visitor('GET', '/', { query })

test.each([
  ['arguments beside it', 'rest_route=/cms/v2/posts&per_page=2&page=2&_fields=id'],
  ['arguments before it', 'per_page=2&rest_route=/cms/v2/posts&page=2&_fields=id'],
  ['arguments in it', 'rest_route=/cms/v2/posts?per_page=2&page=2&_fields=id'],
  [
    'arguments in it, escaped as a whole',
    `rest_route=${encodeURIComponent('/cms/v2/posts?per_page=2&page=2&_fields=id')}`,
  ],
  ['both', `rest_route=${encodeURIComponent('/cms/v2/posts?per_page=2')}&page=2&_fields=id`],
  ['an escaped letter', 'rest_route=/cms/v2/%70osts&per_page=2&page=2&_fields=id'],
  ['the last of several', 'rest_route=/cms/v2&rest_route=/cms/v2/posts&per_page=2&page=2&_fields=id'],
])('takes %s', async (_, query) => {
  const asPath = await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=2&page=2&_fields=id' })
  const asArgument = await at(query)
  expect(asArgument.body).toEqual(asPath.body)
  expect([...asArgument.headers]).toEqual([...asPath.headers])
  expect(asArgument.status).toBe(200)
})

test('decodes arguments of rest_route once', async () => {
  const search = 'Guides & tips'
  const escaped = encodeURIComponent(search)
  for (const query of [
    `rest_route=/cms/v2/posts&search=${escaped}`,
    `rest_route=/cms/v2/posts?search=${escaped}`,
    `rest_route=${encodeURIComponent(`/cms/v2/posts?search=${escaped}`)}`,
  ]) {
    expect((await at(query)).headers.get('link')).toEqual(
      (await site.visitor('GET', '/cms/v2/posts', { query: `search=${escaped}` })).headers.get('link'),
    )
  }
})

test.each(['rest_route=/', 'rest_route=', 'rest_route'])('%s is the site index', async (query) => {
  expect((await at(`${query}&_fields=name`)).body).toEqual({ name: 'Quay Notes' })
})

test.each([
  ['a path without its slash', 'rest_route=cms/v2/posts', 404],
  ['an address of another site', 'rest_route=https://other.example/cms/v2/posts', 404],
  ['two slashes', 'rest_route=//cms/v2/posts', 404],
  ['a path that is escaped twice', 'rest_route=/cms/v2/%2570osts', 404],
  ['a way up', 'rest_route=/cms/../cms/v2/posts', 404],
  ['a fragment', 'rest_route=/cms/v2/posts%23', 404],
  ['half a character', `rest_route=/cms/v2/posts/${'%F0%9F%98%80'.slice(0, 9)}`, 400],
  ['a bad escape', 'rest_route=%zz', 400],
  ['NUL', 'rest_route=/cms/v2/posts%00', 400],
  ['a list', 'rest_route[]=/cms/v2/posts', 400],
])('refuses %s', async (_, query, status) => {
  expect(await at(query)).toMatchObject({ status, body: { data: { status } } })
})

test('rest_route counts at the mount only, and once', async () => {
  expect((await site.visitor('GET', '/cms/v2', { query: 'rest_route=/&_fields=namespace' })).body).toEqual({
    namespace: 'cms/v2',
  })
  expect((await at('rest_route=/?rest_route=/cms/v2/posts&_fields=name')).body).toEqual({ name: 'Quay Notes' })
  expect((await at('my_rest_route=/cms/v2/posts&_fields=name')).body).toEqual({ name: 'Quay Notes' })
})

test('rest_route writes, checks permissions and answers OPTIONS like the path', async () => {
  const query = 'rest_route=/cms/v2/posts'
  expect(await site.visitor('POST', '/', { query, body: { title: 'New' } })).toMatchObject({ status: 401 })
  const created = await site.as('edith')('POST', '/', { query, body: { title: 'New' } })
  expect(created).toMatchObject({ status: 201, body: { title: { raw: 'New' } } })
  const deleted = await site.as('edith')('POST', '/', {
    query: `rest_route=/cms/v2/posts/${created.body.id}?force=true`,
    headers: { 'x-http-method-override': 'DELETE' },
  })
  expect(deleted).toMatchObject({ status: 200, body: { deleted: true } })
  expect((await site.as('edith')('OPTIONS', '/', { query })).headers.get('allow')).toBe('GET, POST')
})

test('authenticate receives the path of rest_route', async () => {
  const paths: string[] = []
  const guarded = await createTestSite({ authenticate: ({ path }) => void paths.push(path) })
  await guarded.visitor('GET', '/', { query: 'rest_route=/cms/v2/posts' })
  expect(paths).toEqual(['/cms/v2/posts'])
  await guarded.dispose()
})
