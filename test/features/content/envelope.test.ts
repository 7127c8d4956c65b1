import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

test.each(['_envelope', '_envelope=', '_envelope=1', 'per_page=2&_envelope=true'])('%s wraps a list', async (query) => {
  const plain = await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=2' })
  const { status, headers, body } = await site.visitor('GET', '/cms/v2/posts', { query: `${query}&per_page=2` })
  expect(status).toBe(200)
  expect(headers.get('x-cms-total')).toBeNull()
  expect(body).toMatchObject({ status: 200, body: plain.body, headers: { 'X-CMS-Total': 8 } })
})

test.each([
  ['a wrong argument', 'GET', '/cms/v2/posts', 'per_page=500', 400, 'rest_invalid_param'],
  ['a missing argument', 'GET', '/oembed/1.0/embed', '', 400, 'rest_missing_callback_param'],
  ['no route', 'GET', '/cms/v2/nothing', '', 404, 'rest_no_route'],
  ['an unknown post', 'GET', '/cms/v2/posts/999999', '', 404, 'rest_post_invalid_id'],
  ['a missing capability', 'GET', '/cms/v2/posts', 'context=edit', 401, 'rest_forbidden_context'],
  ['a refused write', 'DELETE', '/cms/v2/posts/{post.hello}', '', 401, 'rest_cannot_delete'],
])('wraps the error for %s too', async (_, method, path, query, status, code) => {
  const at = path.replace('{post.hello}', String(site.ids['post.hello']))
  const bare = await site.visitor(method, at, { query })
  expect([bare.status, bare.body.code]).toEqual([status, code])
  const allow = bare.headers.get('allow')
  const headers = allow === null ? {} : { Allow: allow }
  const wrapped = await site.visitor(method, at, { query: `_envelope=1&${query}` })
  expect([wrapped.status, wrapped.body]).toEqual([200, { status, headers, body: bare.body }])
})

test.each(['_envelope=0', '_envelope=false', 'x_envelope=1', '_envelopes=1'])('%s wraps nothing', async (query) => {
  expect((await site.visitor('GET', '/cms/v2/nothing', { query })).status).toBe(404)
  expect((await site.visitor('GET', '/cms/v2/posts', { query })).body).toHaveLength(8)
})
