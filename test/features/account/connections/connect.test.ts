import { expect, test } from 'vitest'
import { d1 } from '../../../../src/profiles/d1.ts'
import { createTestSite } from '../../../support/site.ts'
import { base, openSite, refusalOf } from '../../add-ons/packages/fixture.ts'
import { connect, openConnected, withServer } from './fixture.ts'

const server = withServer()

// ---------------------------------------------------------------- without a service

test('without a service nothing can be connected, and ending what is not there succeeds', async () => {
  const { ada } = await openSite()
  for (const action of ['authorize', 'switch-domain']) {
    expect(refusalOf(await ada('POST', `${connect}/${action}`))).toEqual([409, 'conflict'])
  }
  for (const action of ['disconnect', 'deactivate', 'disconnect']) {
    expect(await ada('POST', `${connect}/${action}`)).toMatchObject({ status: 200, body: { success: true, data: [] } })
  }
  expect((await ada('GET', `${base}/settings`)).body).toMatchObject({ isConnected: false, isUrlMismatch: false })
})

test('only administrators connect', async () => {
  const { as } = await openSite()
  for (const action of ['authorize', 'disconnect', 'switch-domain', 'deactivate']) {
    for (const login of [null, 'sam', 'connie', 'arthur', 'edith']) {
      const expected = [login === null ? 401 : 403, 'rest_forbidden']
      expect(refusalOf(await as(login)('POST', `${connect}/${action}`))).toEqual(expected)
    }
  }
})

test('what is no boolean is refused before anything else', async () => {
  const { ada, visitor } = await openSite()
  for (const send of [ada, visitor]) {
    const answer = await send('POST', `${connect}/authorize`, { body: { clearSession: 'maybe' } })
    expect(refusalOf(answer)).toEqual([400, 'rest_invalid_param'])
  }
})

// ---------------------------------------------------------------- with one

test('the user is sent to agree, with the challenge of PKCE and a state of its own', async () => {
  const { ada } = await openConnected(server())
  const answer = await ada('POST', `${connect}/authorize`)
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  const address = new URL(answer.body.data)
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

test('who agreed and comes back has connected the site', async () => {
  const { connectAccount, isConnected, ada, events, ids } = await openConnected(server(), {
    listen: ['connection.made'],
  })
  expect(await isConnected()).toBe(false)
  await connectAccount()
  expect(await isConnected()).toBe(true)
  expect(events).toEqual([['connection.made', { connection: 'account', by: ids['user.admin'] }]])
  expect(refusalOf(await ada('POST', `${connect}/authorize`))).toEqual([403, 'forbidden'])
})

test('no answer and no export ever shows a token, a verifier or a secret', async () => {
  const { api, ada, begin, agree, visitor } = await openConnected(server(), { connect: { secret: 'top' } })
  const before = server().tokens.length
  const shown = [await begin()]
  const back = await visitor('GET', await agree(shown[0] ?? ''))
  const made = server().tokens.slice(before)
  expect(made.length).toBeGreaterThan(0)
  shown.push(JSON.stringify(back.body), JSON.stringify([...back.headers]))
  for (const path of [`${base}/settings`, `${base}/plugins`, '/', '/builder/v1/settings/builder_connect']) {
    shown.push(JSON.stringify((await ada('GET', path)).body))
  }
  shown.push(JSON.stringify(await api.site.export()))
  shown.push(JSON.stringify((await ada('POST', `${connect}/disconnect`)).body))
  for (const token of made) expect(shown.join('\n')).not.toContain(token)
  expect(shown.join('\n')).not.toMatch(/sealed\.|plain\./)
})

test('disconnecting tells the server, and doing it twice is no error', async () => {
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
  // The client is known still.
  const asked = server().asked.length
  await connectAccount()
  expect(server().asked.slice(asked)).not.toContain('POST /reg')
})

test('pausing drops the access token alone, and doing it twice is no error', async () => {
  const { connectAccount, isConnected, ada, events } = await openConnected(server(), { listen: ['connection.paused'] })
  await connectAccount()
  for (let time = 0; time < 2; time++) {
    expect(await ada('POST', `${connect}/deactivate`)).toMatchObject({ status: 200, body: { success: true, data: [] } })
  }
  expect([await isConnected(), events.length]).toEqual([false, 1])
  await connectAccount()
  expect(await isConnected()).toBe(true)
})

test('clearing the session forgets the client and the connection first', async () => {
  const { connectAccount, isConnected, begin, ada, events } = await openConnected(server(), {
    listen: ['connection.ended'],
  })
  const first = new URL(await begin()).searchParams.get('client_id')
  await connectAccount()
  const next = new URL(await begin(ada, { clearSession: true })).searchParams.get('client_id')
  expect(next).not.toBe(first)
  expect([await isConnected(), events.length]).toEqual([false, 1])
})

test('a site that moved is not connected, until it says where it is now', async () => {
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

test('a server that is down is 502, and nothing is begun', async () => {
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
  // The old session is gone all the same, and listeners know.
  const cleared = await ada('POST', `${connect}/authorize`, { body: { clearSession: true } })
  expect(refusalOf(cleared)).toEqual([502, 'internal_server_error'])
  server().broken = undefined
  expect([await isConnected(), events.length]).toEqual([false, 1])
  expect(JSON.stringify(cleared.body)).not.toContain(server().issuer)
  expect(failures).toHaveLength(4)
})

test('a server that describes another issuer, or nothing, is not trusted', async () => {
  const { ada } = await openConnected(server(), {
    connect: { issuer: `${server().issuer}/`, metadata: `${server().issuer}/.well-known/openid-configuration` },
    failures: 1,
  })
  expect(refusalOf(await ada('POST', `${connect}/authorize`))).toEqual([502, 'internal_server_error'])
})

test('a private address is not reached unless the host lets it through', async () => {
  const { createOAuth } = await import('../../../../src/services/oauth/index.ts')
  expect(() => createOAuth({ issuer: server().issuer })).toThrow(TypeError)
  const asked = server().asked.length
  const service = createOAuth({ issuer: server().issuer, allow: () => false })
  const site = await createTestSite({ profile: d1, services: { connect: service } })
  expect(refusalOf(await site.as('ada')('POST', `${connect}/authorize`))).toEqual([502, 'internal_server_error'])
  expect(server().asked.length).toBe(asked)
  await site.dispose()
})
