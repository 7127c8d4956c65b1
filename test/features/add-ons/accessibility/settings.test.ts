import { expect, test } from 'vitest'
import { wordpress } from '../../../../src/names/wordpress.ts'
import { OAuthError, type OAuthService } from '../../../../src/services/oauth/index.ts'
import { createPackages } from '../../../../src/services/packages/index.ts'
import { base, openSite, refusalOf } from './fixture.ts'

const connection = (step: string) => `/connect/${step}`

/** An OAuth service that accepts every request. */
function server(changes: Partial<OAuthService> = {}) {
  const calls: string[] = []
  const connect: OAuthService = {
    isConfigured: true,
    register: async () => {
      calls.push('register')
      return { id: `client-${calls.length}`, secrets: 's' }
    },
    begin: async (client, site, state) => {
      const query = new URLSearchParams({
        client_id: client.id,
        redirect_uri: site.redirectUri,
        response_type: 'code',
        scope: 'openid',
        state,
      })
      return { address: `https://accounts.example/authorize?${query}`, verifier: 'v' }
    },
    finish: async () => ({ access: 'a', refresh: 'r' }),
    redeem: async () => ({ access: 'a', refresh: 'r' }),
    end: async () => void calls.push('end'),
    move: async (client) => client,
    ...changes,
  }
  return { connect, calls }
}

async function connected(changes: Partial<OAuthService> = {}) {
  const { connect, calls } = server(changes)
  const site = await openSite({ services: { connect } })
  const authorize = (body: object = {}) => site.send('POST', connection('authorize'), body)
  const finish = async (address: string) => {
    const state = new URL(address).searchParams.get('state') ?? ''
    return site.visitor('GET', '/connect/return', { query: { state, code: 'c' } })
  }
  const isConnected = async () => (await site.send('GET', '/settings/get-settings')).body.data.isConnected
  expect((await finish((await authorize()).body.data)).status).toBe(200)
  return { ...site, calls, authorize, finish, isConnected }
}

test('returns the settings of a new site', async () => {
  const { send } = await openSite()
  const response = await send('GET', '/settings/get-settings')
  expect([response.status, response.body]).toEqual([
    200,
    {
      success: true,
      data: {
        isConnected: false,
        isUrlMismatch: false,
        isBuilderOne: false,
        closePostConnectModal: false,
        closeOnboardingModal: false,
        closeGetStartedModal: false,
        isRTL: false,
        unfilteredUploads: false,
        homeUrl: 'https://quay.example',
        widgetActivationSettings: { enabled: true },
      },
    },
  ])
})

test('returns the settings of a configured site', async () => {
  const packages = createPackages([
    { kind: 'plugin', slug: 'accessibility', name: 'A', version: '1', initially: 'active' },
  ])
  const site = await openSite({ services: { packages }, names: wordpress })
  await site.api.site.options.write({
    locale: 'ar',
    'setting:a11y_close_post_connect_modal': '1',
    'setting:a11y_close_get_started_modal': true,
    'setting:a11y_widget_activation_settings': { enabled: false },
    'setting:builder_unfiltered_files_upload': '1',
  })
  const { data } = (await site.ada('GET', '/ea11y/v1/settings/get-settings')).body
  expect(data).toMatchObject({
    closePostConnectModal: '1',
    closeOnboardingModal: false,
    closeGetStartedModal: '1',
    isRTL: true,
    unfilteredUploads: true,
    isElementorOne: false,
    widgetActivationSettings: { enabled: false },
  })
})

test('without a service connecting is 409 and disconnecting succeeds', async () => {
  const { send } = await openSite()
  for (const step of ['authorize', 'switch-domain']) {
    expect(refusalOf(await send('POST', connection(step), {}))).toEqual([409, 'conflict'])
  }
  for (const step of ['disconnect', 'deactivate']) {
    const response = await send('POST', connection(step))
    expect([response.status, response.body]).toEqual([200, { success: true, data: [] }])
  }
})

test('connects the site for accessibility only', async () => {
  const site = await connected()
  expect(await site.isConnected()).toBe(true)
  expect((await site.ada('GET', '/builder-one/v1/settings')).body.isConnected).toBe(false)
  expect(refusalOf(await site.authorize())).toEqual([403, 'forbidden'])
  const again = await site.authorize({ clearSession: true })
  const { searchParams } = new URL(again.body.data)
  expect([...searchParams.keys()]).toEqual(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])
  expect(await site.isConnected()).toBe(false)
  expect(site.calls).toEqual(['register', 'end', 'register'])
})

test('disconnects, pauses and moves the connection', async () => {
  const site = await connected()
  expect((await site.send('POST', connection('switch-domain'))).body).toEqual({
    success: true,
    data: { message: 'Domain updated!' },
  })
  expect((await site.send('POST', connection('deactivate'))).body).toEqual({ success: true, data: [] })
  expect(await site.isConnected()).toBe(false)
  await site.finish((await site.authorize()).body.data)
  expect((await site.send('POST', connection('disconnect'))).body).toEqual({ success: true, data: [] })
  expect(await site.isConnected()).toBe(false)
  // The client stays registered.
  expect((await site.send('POST', connection('switch-domain'))).status).toBe(200)
})

test('switch-domain refuses a site that was never registered', async () => {
  const site = await openSite({ services: { connect: server().connect } })
  expect(refusalOf(await site.send('POST', connection('switch-domain')))).toEqual([400, 'bad_request'])
  expect(refusalOf(await site.ada('POST', `${base}/connect/authorize`, { body: { clearSession: 'x' } }))).toEqual([
    400,
    'rest_invalid_param',
  ])
})

test('a failing service is 502', async () => {
  const fail = async (): Promise<never> => {
    throw new OAuthError('failed', 'out of reach')
  }
  const site = await openSite({ services: { connect: server({ register: fail }).connect }, failures: 1 })
  expect(refusalOf(await site.send('POST', connection('authorize'), {}))).toEqual([502, 'internal_server_error'])
})

// ---------------------------------------------------------------- reviews

test('stores a review and emits an event', async () => {
  const { send, api, ids } = await openSite()
  const events: unknown[] = []
  api.on('accessibility.reviewed', (payload) => events.push(payload))
  const response = await send('POST', '/reviews/review', { rating: '4', feedback: ' <b>Fine</b> work ' })
  expect([response.status, response.body]).toEqual([200, { success: true, data: { message: 'ok' } }])
  expect((await send('POST', '/reviews/review', { rating: 1 })).status).toBe(200)
  const user = ids['user.admin']
  expect(events).toEqual([
    { id: expect.any(Number), rating: 4, feedback: 'Fine work', user },
    { id: expect.any(Number), rating: 1, feedback: '', user },
  ])
  expect((await api.site.export()).records?.['a11y_reviews']).toHaveLength(2)
})

test('refuses a rating that is not from 1 to 5 with 400', async () => {
  const { send } = await openSite()
  const post = async (body: object) => refusalOf(await send('POST', '/reviews/review', body))
  expect(await post({ feedback: 'x' })).toEqual([400, 'missing_parameters'])
  for (const rating of [0, 6, -1, 2.5, 'x', true]) expect(await post({ rating })).toEqual([400, 'rest_invalid_param'])
  expect(await post({ rating: 5, feedback: {} })).toEqual([400, 'rest_invalid_param'])
  expect(await post({ rating: 5, feedback: 'x'.repeat(10_001) })).toEqual([400, 'rest_invalid_param'])
})
