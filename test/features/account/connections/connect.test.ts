import { expect, test } from 'vitest'
import { d1 } from '../../../../src/profiles/d1.ts'
import { createTestSite } from '../../../support/site.ts'
import { base, openSite, refusalOf } from '../../add-ons/packages/fixture.ts'
import { connect, openConnected, withServer } from './fixture.ts'

const server = withServer()

// ---------------------------------------------------------------- without a service

test('without a service connecting is 409 and disconnecting succeeds', async () => {
  const { ada } = await openSite()
  for (const action of ['authorize', 'switch-domain']) {
    expect(refusalOf(await ada('POST', `${connect}/${action}`))).toEqual([409, 'conflict'])
  }
  for (const action of ['disconnect', 'deactivate', 'disconnect']) {
    expect(await ada('POST', `${connect}/${action}`)).toMatchObject({ status: 200, body: { success: true, data: [] } })
  }
  expect((await ada('GET', `${base}/settings`)).body).toMatchObject({ isConnected: false, isUrlMismatch: false })
})

test('refuses everybody but administrators', async () => {
  const { as } = await openSite()
  for (const action of ['authorize', 'disconnect', 'switch-domain', 'deactivate']) {
    for (const login of [null, 'sam', 'connie', 'arthur', 'edith']) {
      const expected = [login === null ? 401 : 403, 'rest_forbidden']
      expect(refusalOf(await as(login)('POST', `${connect}/${action}`))).toEqual(expected)
    }
  }
})

test('refuses a clearSession that is not a boolean before the permission check', async () => {
  const { ada, visitor } = await openSite()
  for (const send of [ada, visitor]) {
    const response = await send('POST', `${connect}/authorize`, { body: { clearSession: 'maybe' } })
    expect(refusalOf(response)).toEqual([400, 'rest_invalid_param'])
  }
})

// ---------------------------------------------------------------- with a service

test('authorize returns the consent address with a PKCE challenge and a new state', async () => {
  const { ada } = await openConnected(server())
  const response = await ada('POST', `${connect}/authorize`)
  expect(response).toMatchObject({ status: 200, body: { success: true } })
  const address = new URL(response.body.data)
  expect(address.origin).toBe(server().issuer)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: expect.any(String),
    redirect_uri: 'https://quay.example/api/connect/return',
    response_type: 'code',
    scope: 'openid',
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const again = new URL((await ada('POST', `${connect}/authorize`)).body.data)
  for (const name of ['state', 'code_challenge']) {
    expect(again.searchParams.get(name)).not.toBe(address.searchParams.get(name))
  }
  // Registered once.
  expect(again.searchParams.get('client_id')).toBe(address.searchParams.get('client_id'))
})

test('the site is connected after consent and redirect', async () => {
  const { connectAccount, isConnected, ada, events, ids } = await openConnected(server(), {
    listen: ['connection.made'],
  })
  expect(await isConnected()).toBe(false)
  await connectAccount()
  expect(await isConnected()).toBe(true)
  expect(events).toEqual([['connection.made', { connection: 'account', by: ids['user.admin'] }]])
  expect(refusalOf(await ada('POST', `${connect}/authorize`))).toEqual([403, 'forbidden'])
})

test('no response and no export contains a token, a verifier or a secret', async () => {
  const { api, ada, begin, agree, visitor } = await openConnected(server(), { connect: { secret: 'top' } })
  const before = server().tokens.length
  const shown = [await begin()]
  const back = await visitor('GET', await agree(shown[0] ?? ''))
  const issued = server().tokens.slice(before)
  expect(issued.length).toBeGreaterThan(0)
  shown.push(JSON.stringify(back.body), JSON.stringify([...back.headers]))
  for (const path of [`${base}/settings`, `${base}/plugins`, '/', '/builder/v1/settings/builder_connect']) {
    shown.push(JSON.stringify((await ada('GET', path)).body))
  }
  shown.push(JSON.stringify(await api.site.export()))
  shown.push(JSON.stringify((await ada('POST', `${connect}/disconnect`)).body))
  for (const token of issued) expect(shown.join('\n')).not.toContain(token)
  expect(shown.join('\n')).not.toMatch(/sealed\.|plain\./)
})

test('disconnecting revokes the tokens at the server, and a second time succeeds', async () => {
  const { connectAccount, isConnected, ada, events } = await openConnected(server(), { listen: ['connection.ended'] })
  await connectAccount()
  const before = server().asked.length
  for (let time = 0; time < 2; time++) {
    expect(await ada('POST', `${connect}/disconnect`)).toMatchObject({ status: 200, body: { success: true, data: [] } })
  }
  const revoked = server()
    .asked.slice(before)
    .filter((line) => line === 'POST /token/revocation')
  expect([revoked.length, events.length, await isConnected()]).toEqual([2, 1, false])
  // The client stays registered.
  const requestsBefore = server().asked.length
  await connectAccount()
  expect(server().asked.slice(requestsBefore)).not.toContain('POST /reg')
})

test('pausing removes the access token only, and a second time succeeds', async () => {
  const { connectAccount, isConnected, ada, events } = await openConnected(server(), { listen: ['connection.paused'] })
  await connectAccount()
  for (let time = 0; time < 2; time++) {
    expect(await ada('POST', `${connect}/deactivate`)).toMatchObject({ status: 200, body: { success: true, data: [] } })
  }
  expect([await isConnected(), events.length]).toEqual([false, 1])
  await connectAccount()
  expect(await isConnected()).toBe(true)
})

test('clearSession removes the client and the connection before it connects', async () => {
  const { connectAccount, isConnected, begin, ada, events } = await openConnected(server(), {
    listen: ['connection.ended'],
  })
  const first = new URL(await begin()).searchParams.get('client_id')
  await connectAccount()
  const next = new URL(await begin(ada, { clearSession: true })).searchParams.get('client_id')
  expect(next).not.toBe(first)
  expect([await isConnected(), events.length]).toEqual([false, 1])
})

test('a site whose address changed is not connected until switch-domain', async () => {
  const { connectAccount, ada, isConnected, api } = await openConnected(server(), { url: undefined as never })
  expect(refusalOf(await ada('POST', `${connect}/switch-domain`))).toEqual([400, 'bad_request'])
  await api.site.options.write({ url: 'https://quay.example', home: 'https://quay.example' })
  await connectAccount()
  await api.site.options.write({ url: 'https://new.example', home: 'https://new.example' })
  const settings = async () => (await ada('GET', `${base}/settings`)).body
  expect(await settings()).toMatchObject({ isConnected: false, isUrlMismatch: true })
  expect(await ada('POST', `${connect}/switch-domain`)).toMatchObject({
    status: 200,
    body: { success: true, data: { message: 'Domain updated!' } },
  })
  expect(await settings()).toMatchObject({ isConnected: true, isUrlMismatch: false })
  expect(await isConnected()).toBe(true)
  const registered = server()
    .asked.filter((line) => line.startsWith('PUT /reg/'))
    .at(-1)
    ?.slice('PUT /reg/'.length)
  const client = await server().provider.Client.find(registered ?? '')
  expect(client?.redirectUris).toEqual(['https://new.example/api/connect/return'])
})

test('a server that is down is 502, and no attempt is stored', async () => {
  const { ada, connectAccount, isConnected, events, failures } = await openConnected(server(), {
    failures: 4,
    listen: ['connection.ended'],
  })
  server().broken = 503
  expect(refusalOf(await ada('POST', `${connect}/authorize`))).toEqual([502, 'internal_server_error'])
  server().broken = undefined
  await connectAccount()
  server().broken = 500
  expect(refusalOf(await ada('POST', `${connect}/switch-domain`))).toEqual([502, 'internal_server_error'])
  // The old session is removed all the same, and the event is emitted.
  const cleared = await ada('POST', `${connect}/authorize`, { body: { clearSession: true } })
  expect(refusalOf(cleared)).toEqual([502, 'internal_server_error'])
  server().broken = undefined
  expect([await isConnected(), events.length]).toEqual([false, 1])
  expect(JSON.stringify(cleared.body)).not.toContain(server().issuer)
  expect(failures).toHaveLength(4)
})

test('refuses a server whose metadata names another issuer', async () => {
  const { ada } = await openConnected(server(), {
    connect: { issuer: `${server().issuer}/`, metadata: `${server().issuer}/.well-known/openid-configuration` },
    failures: 1,
  })
  expect(refusalOf(await ada('POST', `${connect}/authorize`))).toEqual([502, 'internal_server_error'])
})

test('does not request a private address unless the host allows it', async () => {
  const { createOAuth } = await import('../../../../src/services/oauth/index.ts')
  expect(() => createOAuth({ issuer: server().issuer })).toThrow(TypeError)
  const requestsBefore = server().asked.length
  const service = createOAuth({ issuer: server().issuer, allow: () => false })
  const site = await createTestSite({ profile: d1, services: { connect: service } })
  expect(refusalOf(await site.as('ada')('POST', `${connect}/authorize`))).toEqual([502, 'internal_server_error'])
  expect(server().asked.length).toBe(requestsBefore)
  await site.dispose()
})
