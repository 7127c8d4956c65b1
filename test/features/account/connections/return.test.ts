/** The redirect endpoint: an HTML page that needs a valid state, which works once. */
import { expect, test } from 'vitest'
import { basic } from '../../../support/site.ts'
import { openConnected, withServer } from './fixture.ts'

const server = withServer()

test('sends a page that forbids framing, caching and scripts, and is not in the index', async () => {
  const { begin, agree, visitor } = await openConnected(server())
  const { status, headers, body } = await visitor('GET', await agree(await begin()))
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(body).toContain('The site is connected.')
  expect(body).not.toMatch(/<script|<form/)
  expect(Object.keys((await visitor('GET', '/')).body.routes)).not.toContain('/connect/return')
})

test.each(['', 'state=', 'state=unknown&code=abc', 'code=abc', 'state[]=a&code=abc', 'state=%3Cscript%3E', 'error=x'])(
  'refuses an unknown state with 400: "%s"',
  async (query) => {
    const { visitor, isConnected } = await openConnected(server())
    const before = server().asked.length
    const { status, body } = await visitor('GET', '/connect/return', { query })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('<script')
    expect([await isConnected(), server().asked.length]).toEqual([false, before])
  },
)

test('a state works once', async () => {
  const { begin, agree, visitor, isConnected, ada } = await openConnected(server())
  const back = await agree(await begin())
  expect((await visitor('GET', back)).status).toBe(200)
  await ada('POST', '/builder-one/v1/connect/disconnect')
  expect((await visitor('GET', back)).status).toBe(400)
  expect(await isConnected()).toBe(false)
})

test('of parallel requests with one state, one connects', async () => {
  const { begin, agree, visitor } = await openConnected(server())
  const back = await agree(await begin())
  const statuses = (await Promise.all(Array.from({ length: 5 }, () => visitor('GET', back)))).map(
    ({ status }) => status,
  )
  expect(statuses.sort()).toEqual([200, 400, 400, 400, 400])
})

test('a state expires after 15 minutes', async () => {
  const { begin, agree, visitor, clock, isConnected } = await openConnected(server())
  const back = await agree(await begin())
  clock.now += 15 * 60 * 1000
  expect((await visitor('GET', back)).status).toBe(400)
  expect(await isConnected()).toBe(false)
})

test('a new attempt replaces an older one of the same user only', async () => {
  const { begin, agree, visitor, api, ids, as } = await openConnected(server())
  await api.site.users.update(ids['user.editor'] ?? 0, { roles: ['administrator'] })
  const [first, ofEdith] = [await begin(), await begin(as('edith'))]
  const second = await begin()
  expect((await visitor('GET', await agree(first))).status).toBe(400)
  expect((await visitor('GET', await agree(ofEdith))).status).toBe(200)
  expect((await visitor('GET', await agree(second))).status).toBe(200)
})

test('a signed-in user must be the one who started, with the capability', async () => {
  const { begin, agree, visitor, isConnected, api, ids } = await openConnected(server())
  const asEdith = { headers: { authorization: basic('edith') } }
  expect((await visitor('GET', await agree(await begin()), asEdith)).status).toBe(403)
  const back = await agree(await begin())
  await api.site.users.update(ids['user.admin'] ?? 0, { roles: ['editor'] })
  expect((await visitor('GET', back)).status).toBe(403)
  await api.site.users.update(ids['user.admin'] ?? 0, { roles: ['administrator'] })
  expect(await isConnected()).toBe(false)
})

test('the site is not connected when the user denies consent', async () => {
  const { begin, agree, visitor, isConnected } = await openConnected(server())
  const back = await agree(await begin(), { agree: false })
  expect(back).toContain('error=access_denied')
  const { status, body } = await visitor('GET', back)
  expect([status, body.includes('The site was not connected.'), await isConnected()]).toEqual([400, true, false])
})

test('refuses a code of another attempt, an invented code and another issuer', async () => {
  const { begin, agree, visitor, isConnected } = await openConnected(server(), { failures: 3 })
  const other = await openConnected(server())
  const foreign = new URLSearchParams((await other.agree(await other.begin())).split('?')[1])
  for (const [name, value] of [
    ['code', foreign.get('code')],
    ['code', 'invented'],
    ['iss', 'https://evil.example'],
  ] as const) {
    const back = await agree(await begin())
    const query = new URLSearchParams(back.split('?')[1])
    query.set(name, value ?? '')
    expect((await visitor('GET', '/connect/return', { query: String(query) })).status).toBe(400)
    expect(await isConnected()).toBe(false)
  }
})

test('refuses a redirect without iss when the server always sends it', async () => {
  const { begin, agree, visitor, isConnected } = await openConnected(server(), { failures: 1 })
  const query = new URLSearchParams((await agree(await begin())).split('?')[1])
  query.delete('iss')
  expect((await visitor('GET', '/connect/return', { query: String(query) })).status).toBe(400)
  expect(await isConnected()).toBe(false)
})

test('a server that is down during the token request is 502', async () => {
  const { begin, agree, visitor, isConnected } = await openConnected(server(), { failures: 1 })
  const back = await agree(await begin())
  server().broken = 503
  const { status, body } = await visitor('GET', back)
  server().broken = undefined
  expect([status, await isConnected()]).toEqual([502, false])
  expect(body).not.toContain(server().issuer)
})

test('HEAD does not use the state up', async () => {
  const { begin, agree, visitor, isConnected } = await openConnected(server())
  const back = await agree(await begin())
  expect((await visitor('HEAD', back)).status).toBe(200)
  expect(await isConnected()).toBe(false)
  expect((await visitor('GET', back)).status).toBe(200)
})
