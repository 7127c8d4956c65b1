import { expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { base, openSite, refusalOf } from './fixture.ts'

const themes = `${base}/themes`
const activeTheme = async (ada: Awaited<ReturnType<typeof openSite>>['ada']) =>
  (await ada('GET', `${base}/settings`)).body.activeTheme

test('installs a theme and activates it', async () => {
  const { ada, hooks, events } = await openSite({ listen: ['package.installed', 'package.activated'] })
  expect(await activeTheme(ada)).toBe('Builder Theme')
  const installed = await ada('POST', themes, { body: { slug: 'builder-theme-biz' } })
  expect(installed).toMatchObject({ status: 200, body: { status: 'success', message: expect.any(String) } })
  expect(await activeTheme(ada)).toBe('Builder Theme')
  const switched = await ada('POST', `${themes}/builder-theme-biz/activate`)
  expect(switched).toMatchObject({ status: 200, body: { status: 'success' } })
  expect(await activeTheme(ada)).toBe('builder-theme-biz')
  expect((await ada('POST', `${themes}/builder-theme/activate`)).status).toBe(200)
  expect(await activeTheme(ada)).toBe('Builder Theme')
  expect(hooks).toEqual(['install builder-theme-biz', 'activate builder-theme-biz', 'activate builder-theme'])
  expect(events).toHaveLength(3)
})

test('the list of themes and the settings of the account name the same one', async () => {
  const { ada, as } = await openSite({ profile: full, changes: { 'builder-theme-biz': { initially: 'inactive' } } })
  const listed = async (query: string, by = ada) =>
    (await by('GET', '/cms/v2/themes', { query })).body.map((theme: { stylesheet: string; status: string }) => [
      ...[theme.stylesheet, theme.status],
    ])
  expect(await listed('status=active')).toEqual([['builder-theme', 'active']])
  expect((await ada('POST', `${themes}/builder-theme-biz/activate`)).status).toBe(200)
  const both = [
    ['builder-theme', 'inactive'],
    ['builder-theme-biz', 'active'],
  ]
  expect(await listed('')).toEqual(both)
  expect(await listed('status=inactive')).toEqual([both[0]])
  expect(await listed('', as('connie'))).toEqual([both[1]])
  expect(await activeTheme(ada)).toBe('builder-theme-biz')
})

test('installs and activates in one request', async () => {
  const { ada } = await openSite()
  expect((await ada('POST', themes, { body: { slug: 'builder-theme-biz', status: 'active' } })).status).toBe(200)
  expect(await activeTheme(ada)).toBe('builder-theme-biz')
})

test('refuses a theme that is installed, unknown or active', async () => {
  const { ada, hooks } = await openSite()
  expect(refusalOf(await ada('POST', themes, { body: { slug: 'builder-theme' } }))).toEqual([409, 'conflict'])
  expect(refusalOf(await ada('POST', themes, { body: { slug: 'other' } }))).toEqual([404, 'not_found'])
  expect(refusalOf(await ada('POST', `${themes}/other/activate`))).toEqual([404, 'not_found'])
  expect(refusalOf(await ada('POST', `${themes}/builder-theme-biz/activate`))).toEqual([404, 'not_found'])
  expect(refusalOf(await ada('POST', `${themes}/builder-theme/activate`))).toEqual([400, 'bad_request'])
  expect(hooks).toEqual([])
})

test('a failing activation leaves the old theme active', async () => {
  const activate = () => {
    throw new Error('broken')
  }
  const { ada } = await openSite({ changes: { 'builder-theme-biz': { activate, initially: 'inactive' } }, failures: 1 })
  expect(refusalOf(await ada('POST', `${themes}/builder-theme-biz/activate`))).toEqual([502, 'internal_server_error'])
  expect(await activeTheme(ada)).toBe('Builder Theme')
})

test('the active theme of a site without themes is empty', async () => {
  const { createTestSite } = await import('../../../support/site.ts')
  const site = await createTestSite()
  expect((await site.as('ada')('GET', `${base}/settings`)).body.activeTheme).toBe('')
  await site.dispose()
})
