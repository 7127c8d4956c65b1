import { expect, test } from 'vitest'
import { base, home, openSite } from './fixture.ts'

/** Each route with valid arguments. */
const routes: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/settings/get-settings'],
  ['GET', '/analytics/statistic?period=7'],
  ['POST', '/connect/authorize', {}],
  ['POST', '/connect/disconnect', {}],
  ['POST', '/connect/switch-domain', {}],
  ['POST', '/connect/deactivate', {}],
  ['POST', '/settings/get-media', {}],
  ['POST', '/remediation/register', { url: home }],
  ['POST', '/remediation/set-alt-text', { url: home, alt_text: 'x' }],
  ['POST', '/remediation/trigger-save', { object_id: 1, object_type: 'post' }],
  ['POST', '/remediation/heading-level', { url: home, xpath: '/h2', level: 'h3', rule: 'x' }],
  ['POST', '/remediation/dismiss-heading-issue', { pageId: 1, xpath: '/h2' }],
  ['POST', '/reviews/review', { rating: 5, feedback: 'Fine.' }],
  ['GET', '/remediation/items'],
  ['PATCH', '/remediation/items', { url: home, active: true }],
  ['DELETE', '/remediation/items', { url: home }],
  ['POST', '/remediation/item', { url: home, remediation: {}, rule: 'x', group: 'other' }],
  ['PUT', '/remediation/item', { id: 1, url: home, content: '{}' }],
  ['PATCH', '/remediation/item', { id: 1, url: home, active: false }],
  ['DELETE', '/remediation/item', { id: 1, url: home }],
  ['POST', '/remediation/global-item', { id: 1 }],
  ['PUT', '/remediation/global-item', { id: 1, url: home, active: false }],
  ['PATCH', '/remediation/global-item', { id: 1, active: false }],
  ['DELETE', '/remediation/global-item', { id: 1 }],
  ['PUT', '/remediation/global-items', { url: home, active: false }],
  ['PATCH', '/remediation/global-items', { active: false }],
  ['DELETE', '/remediation/global-items', {}],
  ['PUT', '/remediation/global-items-group', { url: home, group: 'other', active: false }],
  ['PATCH', '/remediation/global-items-group', { group: 'other', active: false }],
  ['DELETE', '/remediation/clear-cache', {}],
]

/** The status for administrators where it is not 200. */
const others: { readonly [path: string]: number } = {
  '/connect/authorize': 409,
  '/connect/switch-domain': 409,
  '/settings/get-media': 400,
  '/remediation/set-alt-text': 404,
}

test.each([
  [null, 401],
  ['sam', 403],
  ['connie', 403],
  ['arthur', 403],
  ['edith', 403],
  ['ada', 200],
])('%s calls the routes of accessibility: %d', async (login, status) => {
  const { as } = await openSite()
  for (const [method, path, body] of routes) {
    const response = await as(login)(method, `${base}${path}`, body ? { body } : {})
    expect([method, path, response.status]).toEqual([method, path, status === 200 ? (others[path] ?? 200) : status])
    if (status > 200) expect(response.body.code).toBe('rest_forbidden')
  }
})

test('checks permissions before arguments, and a refused request changes nothing', async () => {
  const { as, add, states } = await openSite()
  const id = await add(home)
  for (const [method, path] of routes) {
    expect([
      path,
      (await as('edith')(method, `${base}${path}`, method === 'GET' ? {} : { body: { id } })).status,
    ]).toEqual([path, 403])
  }
  expect(await states(home)).toEqual([[`${id}:1`], []])
})

test('a revoked password is 401', async () => {
  const { api, ids, visitor } = await openSite()
  const { password, id } = await api.site.passwords.create(ids['user.admin'] ?? 0, 'gone')
  await api.site.passwords.revoke(id)
  const headers = { authorization: `Basic ${btoa(`ada:${password}`)}` }
  for (const [method, path, body] of routes.slice(0, 8)) {
    expect((await visitor(method, `${base}${path}`, { headers, ...(body ? { body } : {}) })).status).toBe(401)
  }
})
