/** Tests the stored form of a connection, and how it changes with the secrets of the host. */
import { expect, onTestFinished, test } from 'vitest'
import type { Collection, Storage } from '../../../../src/contract/storage.ts'
import { StorageUnavailable } from '../../../../src/contract/storage.ts'
import { createOAuth, type OAuthOptions, type OAuthService } from '../../../../src/services/oauth/index.ts'
import { baseUrl, createTestSite } from '../../../support/site.ts'
import { spied } from '../../../support/spied-storage.ts'
import { connect, withServer } from './fixture.ts'

const server = withServer()
const settings = '/builder-one/v1/settings'
const stored: Collection = { name: 'connections', fields: { client_secrets: 'text', access: 'text', refresh: 'text' } }

async function openSite(secret: OAuthOptions['secret']) {
  const serviceWith = (secret: OAuthOptions['secret']): OAuthService =>
    createOAuth({ ...server().options, ...(secret === undefined ? {} : { secret }) })
  let service = serviceWith(secret)
  let isReadOnly = false
  let storage: Storage | undefined
  const site = await createTestSite({
    // The cast: the proxy has all members of the current service.
    services: { connect: new Proxy({}, { get: (_, name) => service[name as keyof OAuthService] }) as OAuthService },
    storage: (opened) => {
      storage = opened
      return spied(opened, ({ name }) => {
        if (isReadOnly && name === 'records.update') throw new StorageUnavailable('it only reads', { written: 'no' })
      })
    },
  })
  onTestFinished(() => site.dispose())
  const ada = site.as('ada')
  const { body } = await ada('POST', `${connect}/authorize`)
  const back = await server().browse(body.data)
  await site.visitor('GET', back.href.slice(`${baseUrl}/api`.length))
  return {
    ...site,
    ada,
    /** From now on the host gives other secrets. */
    use: (secret: OAuthOptions['secret']) => {
      service = serviceWith(secret)
    },
    onlyRead: (value: boolean) => {
      isReadOnly = value
    },
    row: async () => {
      const { rows } = (await storage?.records.query(stored, {})) ?? { rows: [] }
      return ['client_secrets', 'access', 'refresh'].map((field) => String(rows[0]?.[field]))
    },
    isConnected: async () => (await ada('GET', settings)).body.isConnected,
  }
}

test('the storage holds neither a token nor a client secret in clear', async () => {
  const { row, isConnected, failures } = await openSite('a secret')
  expect(await isConnected()).toBe(true)
  for (const text of await row()) expect(text).toMatch(/^sealed\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/)
  for (const token of server().tokens) expect((await row()).join()).not.toContain(token)
  expect(failures).toEqual([])
})

test('without a secret the log names the option, once', async () => {
  const { ada, row, failures } = await openSite(undefined)
  await ada('POST', `${connect}/authorize`, { body: { clearSession: true } })
  expect((await row())[0]).toMatch(/^plain\./)
  expect(failures).toEqual([
    {
      message: 'the tokens of a connection are stored in clear',
      id: expect.any(String),
      error: new Error('give createOAuth the option secret, a long random text'),
    },
  ])
})

test('what was stored in clear is encrypted when it is read again', async () => {
  const { use, row, isConnected } = await openSite(undefined)
  use('a secret')
  expect(await isConnected()).toBe(true)
  for (const text of await row()) expect(text).toMatch(/^sealed\./)
})

test('a new secret replaces an older one, and the connection ends at the server as before', async () => {
  const { ada, use, row, isConnected } = await openSite('old')
  const before = await row()
  use(['new', 'old'])
  expect(await isConnected()).toBe(true)
  const renewed = await row()
  renewed.forEach((text, index) => void expect(text).not.toBe(before[index]))
  expect(await isConnected()).toBe(true)
  expect(await row()).toEqual(renewed)
  use('new')
  const asked = server().asked.length
  await ada('POST', `${connect}/disconnect`)
  expect(
    server()
      .asked.slice(asked)
      .filter((line) => line === 'POST /token/revocation'),
  ).toHaveLength(2)
})

test('a storage that only reads keeps the older form', async () => {
  const { use, row, isConnected, onlyRead, failures } = await openSite('old')
  const before = await row()
  use(['new', 'old'])
  onlyRead(true)
  expect(await isConnected()).toBe(true)
  expect(await row()).toEqual(before)
  onlyRead(false)
  expect(await isConnected()).toBe(true)
  expect(await row()).not.toEqual(before)
  expect(failures).toEqual([])
})

test('an empty secret is refused: a variable of the environment may be missing', () => {
  expect(() => createOAuth({ issuer: 'https://accounts.example', secret: '' })).toThrow(TypeError)
  expect(() => createOAuth({ issuer: 'https://accounts.example', secret: ['a', ''] })).toThrow(TypeError)
})
