import { expect, onTestFinished, test } from 'vitest'
import type { Profile } from '../../../src/core/declare/profile.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createTestSite, type Received } from '../../support/site.ts'

const items = '/builder/v1/globals'
const refusalOf = ({ status, body }: Received) => [status, body.code]

async function openSite(profile: Profile = d1) {
  const site = await createTestSite({ profile })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, ada: site.as('ada'), connie: site.as('connie'), sam: site.as('sam') }
}

test('a new site has four system colors and fonts', async () => {
  const { connie } = await openSite()
  const { status, body } = await connie('GET', items)
  expect(status).toBe(200)
  expect(Object.keys(body.colors)).toEqual(['primary', 'secondary', 'text', 'accent'])
  expect(body.colors.primary).toEqual({ id: 'primary', title: 'Primary', value: '#6EC1E4' })
  expect(body.typography.secondary).toEqual({
    id: 'secondary',
    title: 'Secondary',
    value: {
      typography_typography: 'custom',
      typography_font_family: 'Roboto Slab',
      typography_font_weight: '400',
    },
  })
  expect((await connie('GET', `${items}/colors`)).body).toEqual(body.colors)
  expect((await connie('GET', `${items}/typography`)).body).toEqual(body.typography)
})

test('authors read, only administrators write', async () => {
  const { as } = await openSite()
  const body = { title: 'Seaweed', value: '#2F6B4F' }
  const expected: [string | null, number, number][] = [
    [null, 401, 401],
    ['sam', 403, 403],
    ['connie', 200, 403],
    ['arthur', 200, 403],
    ['edith', 200, 403],
    ['ada', 200, 200],
  ]
  for (const [login, reading, writing] of expected) {
    const send = as(login)
    for (const path of ['', '/colors', '/typography', '/colors/primary', '/typography/text']) {
      expect([login, path, (await send('GET', items + path)).status]).toEqual([login, path, reading])
    }
    for (const kind of ['colors', 'typography']) {
      const value = kind === 'colors' ? body.value : {}
      const created = await send('POST', `${items}/${kind}/seaweed`, { body: { ...body, value } })
      expect([login, kind, created.status]).toEqual([login, kind, writing])
      const removed = await send('DELETE', `${items}/${kind}/seaweed`)
      expect([login, kind, removed.status]).toEqual([login, kind, writing])
    }
  }
})

test('lists custom items after the system items, in the order of creation', async () => {
  const { ada } = await openSite()
  for (const id of ['sea', 'foam', 'a1b2c3d']) {
    await ada('POST', `${items}/colors/${id}`, { body: { title: id, value: '#2F6B4F' } })
  }
  const { body } = await ada('GET', `${items}/colors`)
  expect(Object.keys(body).slice(4)).toEqual(['sea', 'foam', 'a1b2c3d'])
})

test('adding responds with 200, the whole body and the id of the path', async () => {
  const { ada } = await openSite()
  const created = await ada('POST', `${items}/colors/sea`, {
    body: { title: '<b>Sea</b>', value: 'rgba(1, 2, 3, .5)', id: 'other', group: 'blues' },
  })
  expect(created.status).toBe(200)
  expect(created.body).toEqual({ title: 'Sea', value: 'rgba(1, 2, 3, .5)', id: 'sea', group: 'blues' })
  expect((await ada('GET', `${items}/colors/sea`)).body).toEqual({
    id: 'sea',
    title: 'Sea',
    value: 'rgba(1, 2, 3, .5)',
  })
})

test('adding under an existing id replaces the item, also a system item until the custom one is removed', async () => {
  const { ada } = await openSite()
  await ada('POST', `${items}/colors/primary`, { body: { title: 'Mine', value: '#000' } })
  await ada('POST', `${items}/colors/primary`, { body: { title: 'Mine', value: '#111' } })
  expect((await ada('GET', `${items}/colors/primary`)).body.value).toBe('#111')
  expect(Object.keys((await ada('GET', `${items}/colors`)).body)).toHaveLength(4)
  expect((await ada('DELETE', `${items}/colors/primary`)).body).toEqual({ id: 'primary', title: 'Mine', value: '#111' })
  expect((await ada('GET', `${items}/colors/primary`)).body.title).toBe('Primary')
})

test('responds with 404 for an unknown item and for removing a system item', async () => {
  const { ada } = await openSite()
  for (const kind of ['colors', 'typography']) {
    expect(refusalOf(await ada('GET', `${items}/${kind}/nowhere`))).toEqual([404, 'global_not_found'])
    expect(refusalOf(await ada('DELETE', `${items}/${kind}/nowhere`))).toEqual([404, 'global_not_found'])
    expect(refusalOf(await ada('DELETE', `${items}/${kind}/primary`))).toEqual([404, 'global_not_found'])
    expect(refusalOf(await ada('PUT', `${items}/${kind}/primary`))).toEqual([404, 'rest_no_route'])
  }
})

test('removing returns the removed item', async () => {
  const { ada } = await openSite()
  const value = { typography_font_family: 'Lora', typography_font_size: { unit: 'px', size: 16, sizes: [] } }
  await ada('POST', `${items}/typography/body`, { body: { title: 'Body', value } })
  expect((await ada('DELETE', `${items}/typography/body`)).body).toEqual({ id: 'body', title: 'Body', value })
  expect((await ada('GET', `${items}/typography/body`)).status).toBe(404)
  expect((await ada('DELETE', `${items}/typography/body`)).status).toBe(404)
})

test.each([undefined, null, '', '  ', '<i></i>', 7, ['a'], 'x'.repeat(201)])(
  'a title has 1 to 200 characters, not %j',
  async (title) => {
    const { ada } = await openSite()
    const created = await ada('POST', `${items}/colors/sea`, { body: { title, value: '#000' } })
    expect(refusalOf(created)).toEqual([400, 'invalid_title'])
    expect((await ada('GET', `${items}/colors/sea`)).status).toBe(404)
  },
)

test('a missing value becomes an empty color or empty settings', async () => {
  const { ada } = await openSite()
  expect((await ada('POST', `${items}/colors/sea`, { body: { title: 'Sea' } })).body.value).toBe('')
  expect((await ada('POST', `${items}/typography/body`, { body: { title: 'Body' } })).body.value).toEqual({})
  expect((await ada('POST', `${items}/typography/list`, { body: { title: 'List', value: [] } })).body.value).toEqual({})
})

test.each([
  'red;}body{display:none}',
  'red}',
  '{',
  'red; color: blue',
  '@import "x"',
  'url(javascript:alert(1))',
  'URL (//evil.example)',
  'image-set("a" 1x)',
  'expression(alert(1))',
  'rgb(1, 2, 3',
  'rgb 1)',
  '"open',
  "it's",
  '/* open',
  'red\\3b',
  'a < b',
  'red\ngreen',
  'x'.repeat(10_000),
  7,
  { a: 1 },
])('rejects %j as a color', async (value) => {
  const { ada } = await openSite()
  const created = await ada('POST', `${items}/colors/sea`, { body: { title: 'Sea', value } })
  expect(refusalOf(created)).toEqual([400, 'rest_invalid_param'])
  expect(Object.keys(created.body.data.params)).toEqual(['value'])
  expect((await ada('GET', `${items}/colors/sea`)).status).toBe(404)
})

test.each([
  '#2F6B4F',
  '#2F6B4F80',
  'rebeccapurple',
  'hsl(120deg 50% 50% / 0.5)',
  'var(--sea)',
  'color-mix(in srgb, red 10%, blue)',
])('accepts %s as a color', async (value) => {
  const { ada } = await openSite()
  expect((await ada('POST', `${items}/colors/sea`, { body: { title: 'Sea', value } })).body.value).toBe(value)
})

test('removes markup from values, so it cannot end a style sheet', async () => {
  const { ada } = await openSite()
  const color = await ada('POST', `${items}/colors/sea`, { body: { title: 'Sea', value: 'red</style><script>' } })
  expect(color.body.value).toBe('red')
  const value = { typography_font_family: '"Open Sans"</style>', deep: { list: ['<b>x</b>', 1, null, true] } }
  const font = await ada('POST', `${items}/typography/body`, { body: { title: 'Body', value } })
  expect(font.body.value).toEqual({ typography_font_family: '"Open Sans"', deep: { list: ['x', 1, null, true] } })
})

test.each([
  'text',
  ['a'],
  7,
  { typography_font_family: 'x;}body{' },
  { deep: { list: ['a', '}'] } },
  { 'a b': 'x' },
  { 'a}': 'x' },
  Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`name_${index}`, 'x'])),
])('rejects %j as typography', async (value) => {
  const { ada } = await openSite()
  const created = await ada('POST', `${items}/typography/body`, { body: { title: 'Body', value } })
  expect(refusalOf(created)).toEqual([400, 'rest_invalid_param'])
})

test('accepts hyphens in ids in D1 only', async () => {
  const first = await openSite(d1)
  const second = await openSite(d2)
  const body = { title: 'Sea', value: '#000' }
  expect((await first.ada('POST', `${items}/colors/deep-sea`, { body })).status).toBe(200)
  expect(refusalOf(await second.ada('POST', `${items}/colors/deep-sea`, { body }))).toEqual([404, 'rest_no_route'])
  expect((await second.ada('POST', `${items}/colors/deep_sea`, { body })).status).toBe(200)
})

test('treats an id named like an Object.prototype member as an ordinary id', async () => {
  const { ada } = await openSite()
  for (const id of ['constructor', '__proto__', 'toString']) {
    expect((await ada('GET', `${items}/colors/${id}`)).status).toBe(404)
    await ada('POST', `${items}/colors/${id}`, { body: { title: 'Odd', value: '#000' } })
    expect((await ada('GET', `${items}/colors/${id}`)).body).toEqual({ id, title: 'Odd', value: '#000' })
  }
  expect(({} as { title?: string }).title).toBeUndefined()
})

test('parallel writes are all stored', async () => {
  const { ada } = await openSite()
  const ids = Array.from({ length: 30 }, (_, index) => `tone_${index}`)
  await Promise.all(ids.map((id) => ada('POST', `${items}/colors/${id}`, { body: { title: id, value: '#000' } })))
  const { body } = await ada('GET', `${items}/colors`)
  expect(Object.keys(body).slice(4).sort()).toEqual([...ids].sort())
})

test('emits an event after a committed change, and none after a rejected one', async () => {
  const { api, ada, connie } = await openSite()
  const events: unknown[] = []
  api.on('globals.changed', (payload) => events.push(payload))
  await ada('POST', `${items}/colors/sea`, { body: { title: 'Sea', value: '#000' } })
  await ada('POST', `${items}/colors/foam`, { body: { value: '#000' } })
  await connie('POST', `${items}/colors/foam`, { body: { title: 'Foam', value: '#000' } })
  await ada('DELETE', `${items}/colors/sea`)
  expect(events).toEqual([
    { kind: 'colors', id: 'sea' },
    { kind: 'colors', id: 'sea' },
  ])
})
