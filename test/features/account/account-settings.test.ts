import { expect, test } from 'vitest'
import { openSite, refusalOf } from '../add-ons/packages/fixture.ts'

const settings = '/builder-one/v1/settings'

test('returns the site state, with the direction of writing of the locale', async () => {
  const { ada, api } = await openSite()
  expect(await ada('GET', settings)).toMatchObject({ status: 200 })
  expect((await ada('GET', settings)).body).toEqual({
    siteName: 'Quay Notes',
    activeTheme: 'Builder Theme',
    isConnected: false,
    isUrlMismatch: false,
    isDevelopment: false,
    siteUrl: 'https://quay.example',
    welcomeScreenCompleted: false,
    dismissConnectAlert: false,
    editorUpdateNotificationDismissed: false,
    userLocale: 'en_US',
    isRTL: false,
  })
  await api.site.options.write({ locale: 'he_IL' })
  expect((await ada('GET', settings)).body).toMatchObject({ userLocale: 'he_IL', isRTL: true })
})

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['https://quay.test', true],
  ['https://localhost.example', false],
])('a site at %s is in development: %s', async (url, expected) => {
  const { api, ids } = await openSite({ url })
  const { data } = await api.call('GET', settings, {}, { as: ids['user.admin'] ?? 0 })
  expect(data).toMatchObject({ isDevelopment: expected, siteUrl: url })
})

test('dismisses hints one by one, in camelCase or snake_case, and ignores other members', async () => {
  const { ada, events } = await openSite({ listen: ['account-settings.changed'] })
  const first = await ada('POST', settings, {
    body: { welcomeScreenCompleted: true, siteName: 'Evil', isConnected: true },
  })
  expect(first).toMatchObject({ status: 200, body: { welcomeScreenCompleted: true, siteName: 'Quay Notes' } })
  expect(first.body.isConnected).toBe(false)
  await ada('PUT', settings, { body: { dismiss_connect_alert: true } })
  const last = await ada('PATCH', settings, {
    body: { editor_update_notification_dismissed: true, welcome_screen_completed: false },
  })
  expect(last.body).toMatchObject({
    welcomeScreenCompleted: false,
    dismissConnectAlert: true,
    editorUpdateNotificationDismissed: true,
  })
  expect((await ada('GET', settings)).body).toEqual(last.body)
  expect((await ada('POST', settings, { body: { other: 1 } })).body).toEqual(last.body)
  expect(events).toHaveLength(3)
})

test('refuses a value that is not a boolean and names the argument', async () => {
  const { ada } = await openSite()
  const response = await ada('POST', settings, { body: { dismissConnectAlert: 'maybe' } })
  expect(refusalOf(response)).toEqual([400, 'rest_invalid_param'])
  expect(Object.keys(response.body.data.params)).toEqual(['dismissConnectAlert'])
})

test('refuses everybody but administrators', async () => {
  const { as } = await openSite()
  for (const login of [null, 'sam', 'connie', 'arthur', 'edith']) {
    const expected = [login === null ? 401 : 403, 'rest_forbidden']
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      const body = method === 'GET' ? undefined : {}
      expect(refusalOf(await as(login)(method, settings, { body }))).toEqual(expected)
    }
  }
})
