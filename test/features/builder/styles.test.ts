/** Generated style sheets: written with a version, invalidated with their sources, cleared on request. */

import { expect, onTestFinished, test } from 'vitest'
import { str } from '../../../src/core/declare/args.ts'
import { endpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { profile } from '../../../src/core/declare/profile.ts'
import { clearStyleSheets, readStyleSheet, writeStyleSheet } from '../../../src/features/builder/styles/model.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { type CreateMedia, createMedia } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { createTestSite } from '../../support/site.ts'

/** A feature that generates sheets, as features of the profile do. */
const maker = feature('maker', 'test/v1', [
  endpoint({
    path: '/sheet',
    methods: ['POST'],
    args: { key: str({ default: 'design' }), css: str({ default: '' }) },
    permission: anyone,
    atomic: false,
    handler: (context) => writeStyleSheet(context, context.args.key, context.args.css),
  }),
  endpoint({
    path: '/sheet',
    methods: ['GET'],
    args: { key: str({ default: 'design' }) },
    permission: anyone,
    handler: async (context) => (await readStyleSheet(context, context.args.key)) ?? null,
  }),
  endpoint({
    path: '/sheet',
    methods: ['DELETE'],
    args: {},
    permission: anyone,
    atomic: false,
    handler: (context) => clearStyleSheets(context),
  }),
])

async function openSite(options: CreateMedia = {}) {
  const media = createMedia({ driver: memoryMedia(), ...options })
  const site = await createTestSite({
    profile: profile({ ...d1, features: [...d1.features, maker] }),
    services: { media },
  })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const put = async (css: string, key = 'design') =>
    (await site.visitor('POST', '/test/v1/sheet', { body: { key, css } })).body
  const get = async (key = 'design') => (await site.visitor('GET', '/test/v1/sheet', { query: { key } })).body
  const file = async (key = 'design') => {
    const bytes = await media.read(`builder/css/${key}.css`)
    return bytes && new TextDecoder().decode(bytes)
  }
  return { ...site, ada: site.as('ada'), media, put, get, file }
}

const start = Date.parse('2024-06-15T12:00:00Z') / 1000

test('writes a sheet once and returns its address and version', async () => {
  const { put, get, file, clock } = await openSite()
  expect(await get()).toBeNull()
  const sheet = { url: 'https://quay.example/uploads/builder/css/design.css', version: start }
  expect(await put('a{}')).toEqual(sheet)
  clock.now += 5000
  expect([await put('a{}'), await get(), await file()]).toEqual([sheet, sheet, 'a{}'])
})

test('a changed sheet gets a new version, also within a second', async () => {
  const { put, file, clock } = await openSite()
  await put('a{}')
  expect((await put('b{}')).version).toBe(start + 1)
  clock.now += 60_000
  expect([(await put('c{}')).version, await file()]).toEqual([start + 60, 'c{}'])
})

test('parallel writers of a sheet leave one row', async () => {
  const { put, get } = await openSite()
  const created = await Promise.all(Array.from({ length: 8 }, (_, index) => put(`a{order:${index}}`)))
  expect(created.map(({ url }) => url)).toEqual(Array(8).fill('https://quay.example/uploads/builder/css/design.css'))
  expect(await get()).toMatchObject({ url: created[0].url })
})

test('uses the address under which the host serves files', async () => {
  const { put } = await openSite({ address: 'https://cdn.example/files/' })
  expect((await put('a{}')).url).toBe('https://cdn.example/files/builder/css/design.css')
})

test('DELETE cache removes all sheets and their files, and can be repeated', async () => {
  const { ada, put, get, file, api } = await openSite()
  await put('a{}')
  await put('b{}', 'other')
  const events: unknown[] = []
  api.on('cache.cleared', (payload) => events.push(payload))
  for (let times = 0; times < 2; times++) {
    const { status, body } = await ada('DELETE', '/builder/v1/cache')
    expect([status, body]).toEqual([200, null])
  }
  expect([await get(), await get('other'), await file(), await file('other')]).toEqual([
    null,
    null,
    undefined,
    undefined,
  ])
  expect(events).toHaveLength(2)
})

test.each<[string, string, string, object]>([
  ['a global color', 'POST', '/builder/v1/globals/colors/ink', { title: 'Ink', value: '#000' }],
  ['typography', 'POST', '/builder/v1/globals/typography/big', { title: 'Big', value: {} }],
  [
    'a variable',
    'POST',
    '/builder/v1/variables/create',
    { type: 'global-color-variable', label: 'ink', value: '#000000' },
  ],
])('a write of %s invalidates the sheets', async (_, method, path, body) => {
  const { ada, put, get } = await openSite()
  await put('a{}')
  expect((await ada(method, path, { body })).status).toBeLessThan(300)
  expect(await get()).toBeNull()
  expect((await put('a{}')).version).toBe(start)
})

test('a rejected write does not invalidate sheets', async () => {
  const { ada, connie, put, get } = await openSite().then((site) => ({ ...site, connie: site.as('connie') }))
  await put('a{}')
  await ada('POST', '/builder/v1/globals/colors/ink', { body: { title: '' } })
  await connie('POST', '/builder/v1/globals/colors/ink', { body: { title: 'Ink', value: '#000' } })
  expect(await get()).not.toBeNull()
})

test('an export does not contain sheets', async () => {
  const { put, api } = await openSite()
  await put('a{}')
  expect(JSON.stringify(await api.site.export())).not.toContain('builder/css')
})

test('only administrators clear the cache', async () => {
  const { as } = await openSite()
  for (const [login, status] of [
    [null, 401],
    ['sam', 403],
    ['connie', 403],
    ['arthur', 403],
    ['edith', 403],
    ['ada', 200],
  ] as const) {
    expect([login, (await as(login)('DELETE', '/builder/v1/cache')).status]).toEqual([login, status])
  }
})
