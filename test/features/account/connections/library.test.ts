import { expect, test } from 'vitest'
import { libraryToken } from '../../../support/authorization-server.ts'
import { openSite, refusalOf } from '../../add-ons/packages/fixture.ts'
import { openConnected, withServer } from './fixture.ts'

const server = withServer()

const library = '/builder/v1/library/connect'
const request = { body: { token: libraryToken } }

test('refuses everybody but administrators', async () => {
  const { as } = await openSite()
  for (const login of [null, 'sam', 'connie', 'arthur', 'edith']) {
    const expected = [login === null ? 401 : 403, 'rest_forbidden']
    expect(refusalOf(await as(login)('POST', library, request))).toEqual(expected)
    expect(refusalOf(await as(login)('DELETE', library))).toEqual(expected)
  }
})

test('refuses a token that is missing, not a string, or too long', async () => {
  const { ada } = await openSite()
  expect(refusalOf(await ada('POST', library))).toEqual([400, 'rest_missing_callback_param'])
  for (const token of [{ a: 1 }, 'x'.repeat(5000)]) {
    expect(refusalOf(await ada('POST', library, { body: { token } }))).toEqual([400, 'rest_invalid_param'])
  }
})

test('without a service connecting is 409 and disconnecting succeeds', async () => {
  const { ada } = await openSite()
  expect(refusalOf(await ada('POST', library, request))).toEqual([409, 'builder_library_app_not_available'])
  const disconnected = await ada('DELETE', library)
  expect(disconnected).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
})

test('connects with a token, and disconnects, also twice', async () => {
  const listen = ['connection.made', 'connection.ended'] as const
  const { ada, events, ids, isConnected } = await openConnected(server(), { listen })
  const connected = await ada('POST', library, request)
  expect(connected).toMatchObject({ status: 201, body: { success: true, message: expect.any(String) } })
  expect(JSON.stringify(connected.body)).not.toContain(libraryToken)
  // The connection to the account is separate.
  expect(await isConnected()).toBe(false)
  for (let time = 0; time < 2; time++) expect((await ada('DELETE', library)).status).toBe(200)
  const payload = { connection: 'library', by: ids['user.admin'] }
  expect(events).toEqual(listen.map((name) => [name, payload]))
})

test('a token that the library rejects is 400', async () => {
  const { ada } = await openConnected(server())
  const response = await ada('POST', library, { body: { token: 'invented' } })
  expect(refusalOf(response)).toEqual([400, 'builder_library_not_connected'])
})

test('a library that is down is 502', async () => {
  const { ada } = await openConnected(server(), { failures: 1 })
  server().broken = 500
  const response = await ada('POST', library, request)
  server().broken = undefined
  expect(refusalOf(response)).toEqual([502, 'builder_library_connect_error'])
})

test('disconnects the site even when the library cannot be reached', async () => {
  const { ada, events } = await openConnected(server(), { failures: 1, listen: ['connection.ended'] })
  await ada('POST', library, request)
  server().broken = 500
  expect((await ada('DELETE', library)).status).toBe(200)
  server().broken = undefined
  expect(events).toHaveLength(1)
})
