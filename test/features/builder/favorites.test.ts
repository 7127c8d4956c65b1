import { expect, onTestFinished, test } from 'vitest'
import type { Profile } from '../../../src/core/declare/profile.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { classicWidgets } from '../../../src/profiles/widgets.ts'
import { createTestSite, type Requester } from '../../support/site.ts'

const path = '/builder/v1/favorites'
const widgets = `${path}/widgets`

async function openSite(profile: Profile = d1) {
  const site = await createTestSite({ profile })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, connie: site.as('connie') }
}

const add = (send: Requester, favorite: string) => send('POST', widgets, { body: { favorite } })

test('adding returns the whole list, without duplicates, in the order of insertion', async () => {
  const { connie } = await openSite()
  expect((await add(connie, 'image')).body).toEqual(['image'])
  expect((await add(connie, 'heading')).body).toEqual(['image', 'heading'])
  const again = await add(connie, 'image')
  expect([again.status, again.body]).toEqual([200, ['image', 'heading']])
})

test('removing returns the whole list; removing an absent favorite succeeds', async () => {
  const { connie } = await openSite()
  await add(connie, 'image')
  await add(connie, 'heading')
  const removed = await connie('DELETE', widgets, { query: { favorite: 'image' } })
  expect([removed.status, removed.body]).toEqual([200, ['heading']])
  expect((await connie('DELETE', widgets, { body: { favorite: 'image' } })).body).toEqual(['heading'])
  expect((await connie('DELETE', widgets, { body: { favorite: 'heading' } })).body).toEqual([])
})

test('ignores slugs that are no widgets', async () => {
  const { connie } = await openSite()
  for (const favorite of ['', 'no-such-widget', '__proto__', 'constructor', '<b>heading</b>']) {
    const { status, body } = await add(connie, favorite)
    expect([favorite, status, body]).toEqual([favorite, 200, []])
  }
})

test('accepts widgets of the new generation in D1 only', async () => {
  const first = await openSite(d1)
  const second = await openSite(d2)
  expect((await add(first.connie, 'e-heading')).body).toEqual(['e-heading'])
  expect((await add(second.connie, 'e-heading')).body).toEqual([])
  expect((await add(second.connie, 'heading')).body).toEqual(['heading'])
})

test('stores favorites per user', async () => {
  const { as, connie } = await openSite()
  await add(connie, 'image')
  expect((await as('ada')('GET', path)).body).toEqual([])
  expect((await add(as('ada'), 'heading')).body).toEqual(['heading'])
  expect((await connie('GET', path)).body).toEqual([{ type: 'widgets', favorite: 'image' }])
})

test('rejects users who may not edit posts', async () => {
  const { as } = await openSite()
  const expected: [string | null, number][] = [
    [null, 401],
    ['sam', 403],
    ['connie', 200],
    ['arthur', 200],
    ['edith', 200],
    ['ada', 200],
  ]
  for (const [login, status] of expected) {
    const send = as(login)
    const statuses = [
      (await send('GET', path)).status,
      (await add(send, 'image')).status,
      (await send('DELETE', widgets, { query: { favorite: 'image' } })).status,
    ]
    expect([login, ...statuses]).toEqual([login, status, status, status])
  }
})

test('accepts only the type widgets', async () => {
  const { connie } = await openSite()
  for (const method of ['POST', 'DELETE']) {
    const { status, body } = await connie(method, `${path}/blocks`, { body: { favorite: 'heading' } })
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', ['id']])
  }
})

test('requires the favorite as a string', async () => {
  const { connie } = await openSite()
  const missing = await connie('POST', widgets, { body: {} })
  expect([missing.status, missing.body.code]).toEqual([400, 'rest_missing_callback_param'])
  const wrong = await connie('POST', widgets, { body: { favorite: 7 } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_param'])
})

test('paginates and searches the list', async () => {
  const { connie } = await openSite()
  for (const favorite of classicWidgets.slice(0, 12)) await add(connie, favorite)
  const first = await connie('GET', path)
  expect(first.body).toHaveLength(10)
  expect(first.headers.get('x-cms-total')).toBe('12')
  expect(first.headers.get('x-cms-totalpages')).toBe('2')
  expect(first.headers.get('link')).toContain('rel="next"')
  const second = await connie('GET', path, { query: { page: 2 } })
  expect(second.body.map(({ favorite }: { favorite: string }) => favorite)).toEqual(classicWidgets.slice(10, 12))
  const results = await connie('GET', path, { query: { search: 'IMAGE' } })
  expect(results.body.map(({ favorite }: { favorite: string }) => favorite)).toEqual(['image', 'image-box'])
  expect(results.headers.get('x-cms-total')).toBe('2')
  expect((await connie('GET', path, { query: { search: '%' } })).body).toEqual([])
})
