import { expect, test } from 'vitest'
import { libraryToken } from '../../../support/authorization-server.ts'
import { openSite, refusalOf } from '../../add-ons/packages/fixture.ts'
import { openConnected, withServer } from './fixture.ts'

const server = withServer()

const library = '/builder/v1/library/connect'
const sent = { body: { token: libraryToken } }

test('only administrators connect the library', async () => {
  const { as } = await openSite()
  for (const login of [null, 'sam', 'connie', 'arthur', 'edith']) {
    const expected = [login === null ? 401 : 403, 'rest_forbidden']
    expect(refusalOf(await as(login)('POST', library, sent))).toEqual(expected)
    expect(refusalOf(await as(login)('DELETE', library))).toEqual(expected)
  }
})

test('a token is required, and is a text of a sane length', async () => {
  const { ada } = await openSite()
  expect(refusalOf(await ada('POST', library))).toEqual([400, 'rest_missing_callback_param'])
  for (const token of [{ a: 1 }, 'x'.repeat(5000)]) {
    expect(refusalOf(await ada('POST', library, { body: { token } }))).toEqual([400, 'rest_invalid_param'])
  }
})

test('without a service there is no library, and disconnecting succeeds', async () => {
  const { ada } = await openSite()
  expect(refusalOf(await ada('POST', library, sent))).toEqual([409, 'builder_library_app_not_available'])
  const gone = await ada('DELETE', library)
  expect(gone).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
})

test('takes a token, and ends the connection again, also twice', async () => {
  const listen = ['connection.made', 'connection.ended'] as const
  const { ada, events, ids, isConnected } = await openConnected(server(), { listen })
  const made = await ada('POST', library, sent)
  expect(made).toMatchObject({ status: 201, body: { success: true, message: expect.any(String) } })
  expect(JSON.stringify(made.body)).not.toContain(libraryToken)
  // The account is another connection.
  expect(await isConnected()).toBe(false)
  for (let time = 0; time < 2; time++) expect((await ada('DELETE', library)).status).toBe(200)
  const payload = { connection: 'library', by: ids['user.admin'] }
  expect(events).toEqual(listen.map((name) => [name, payload]))
})

test('a token that the library refuses is 400', async () => {
  const { ada } = await openConnected(server())
  const answer = await ada('POST', library, { body: { token: 'invented' } })
  expect(refusalOf(answer)).toEqual([400, 'builder_library_not_connected'])
})

test('a library that is down is 502', async () => {
  const { ada } = await openConnected(server(), { failures: 1 })
  server().broken = 500
  const answer = await ada('POST', library, sent)
  server().broken = undefined
  expect(refusalOf(answer)).toEqual([502, 'builder_library_connect_error'])
})

test('disconnects here even when the library cannot be told', async () => {
  const { ada, events } = await openConnected(server(), { failures: 1, listen: ['connection.ended'] })
  await ada('POST', library, sent)
  server().broken = 500
  expect((await ada('DELETE', library)).status).toBe(200)
  server().broken = undefined
  expect(events).toHaveLength(1)
})
