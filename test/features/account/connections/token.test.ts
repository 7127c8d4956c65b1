/** The access token of a connection: given to the host, renewed when it ends, and gone when the server ends the connection. */
import { expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { connections } from '../../../../src/features/account/connections/model.ts'
import { openConnected, withServer } from './fixture.ts'

const server = withServer()
const hour = 3600 * 1000

const tokenRequests = () => server().asked.filter((line) => line === 'POST /token').length

test('a connected site has a token that the server has issued, and asks for it once', async () => {
  const { api, connectAccount, isConnected } = await openConnected(server())
  expect(await api.site.connections.token('account')).toBeUndefined()
  await connectAccount()
  const before = tokenRequests()
  const token = await api.site.connections.token('account')
  expect(server().tokens).toContain(token)
  expect(await api.site.connections.token('account')).toBe(token)
  expect(tokenRequests()).toBe(before)
  expect(await api.site.connections.token('library')).toBeUndefined()
  expect(await isConnected()).toBe(true)
})

test('a token that ends is renewed, by one of many callers at once', async () => {
  const { api, connectAccount, isConnected, clock } = await openConnected(server())
  await connectAccount()
  const first = await api.site.connections.token('account')
  clock.now += hour - 30_000
  const before = tokenRequests()
  const tokens = await Promise.all(Array.from({ length: 6 }, () => api.site.connections.token('account')))
  expect(new Set(tokens).size).toBe(1)
  expect(tokens[0]).not.toBe(first)
  expect(server().tokens).toContain(tokens[0])
  expect(tokenRequests() - before).toBe(1)
  clock.now += 2 * hour
  expect(await isConnected()).toBe(true)
  expect(await api.site.connections.token('account')).not.toBe(tokens[0])
})

test('a caller that was late finds the token that another one has renewed meanwhile', async () => {
  const late = { reads: 0, held: Promise.withResolvers<void>(), released: Promise.withResolvers<void>(), isOn: false }
  const { api, connectAccount, clock } = await openConnected(server(), {
    storage: (storage: Storage): Storage => ({
      ...storage,
      records: {
        ...storage.records,
        async query(collection, query) {
          const found = await storage.records.query(collection, query)
          // The first caller reads the state, and is held before it reads the row.
          if (!late.isOn || collection.name !== connections.name || ++late.reads !== 1) return found
          late.held.resolve()
          await late.released.promise
          return found
        },
      },
    }),
  })
  await connectAccount()
  clock.now += hour - 30_000
  const before = tokenRequests()
  late.isOn = true
  const first = api.site.connections.token('account')
  await late.held.promise
  const second = await api.site.connections.token('account')
  late.released.resolve()
  expect(await first).toBe(second)
  expect(tokenRequests() - before).toBe(1)
})

test('when the server takes the refresh token no more, the site is not connected, and the host hears of it', async () => {
  const { api, connectAccount, isConnected, clock } = await openConnected(server())
  await connectAccount()
  clock.now += hour
  // As an administrator of the server would. The cast: the types of the package leave the class out.
  const { RefreshToken } = server().provider as unknown as {
    RefreshToken: { find(value: string): Promise<{ destroy(): Promise<void> } | undefined> }
  }
  for (const value of server().tokens) await (await RefreshToken.find(value))?.destroy()
  expect(await api.site.connections.token('account')).toBeUndefined()
  expect(await isConnected()).toBe(false)
  const { events } = await api.events.since(0)
  expect(events.filter(({ name }) => name.startsWith('connection.')).map(({ name }) => name)).toEqual([
    'connection.made',
    'connection.ended',
  ])
})

test('a server that cannot be reached loses nothing', async () => {
  const { api, connectAccount, isConnected, clock } = await openConnected(server())
  await connectAccount()
  clock.now += hour
  server().broken = 503
  await expect(api.site.connections.token('account')).rejects.toMatchObject({ code: 'failed' })
  expect(await isConnected()).toBe(true)
  server().broken = undefined
  expect(server().tokens).toContain(await api.site.connections.token('account'))
})

test('where tokens cannot be renewed, a connection ends with its access token', async () => {
  const { api, connectAccount, isConnected, clock } = await openConnected(server(), {
    wrap: ({ refresh: _refresh, ...service }) => service,
  })
  await connectAccount()
  expect([await isConnected(), typeof (await api.site.connections.token('account'))]).toEqual([true, 'string'])
  clock.now += hour
  expect([await isConnected(), await api.site.connections.token('account')]).toEqual([false, undefined])
})
