import { expect, test } from 'vitest'
import { libraryToken } from '../../support/authorization-server.ts'
import { now } from '../../support/small-site.ts'
import { openConnected, withServer } from '../account/connections/fixture.ts'
import { openSite, refusalOf } from '../add-ons/packages/fixture.ts'

const server = withServer()

const base = '/builder/v1/onboarding'
const progress = `${base}/user-progress`
const choices = `${base}/user-choices`
const library = '/builder/v1/library/connect'

/** Lisbon is at UTC+1 in June. */
const localNow = now / 1000 + 3600

const begun = {
  current_step: 0,
  current_step_index: 0,
  current_step_id: null,
  completed_steps: [],
  exit_type: null,
  last_active_timestamp: null,
  started_at: null,
  starter_dismissed: false,
}

test('only administrators read and report steps', async () => {
  const { as } = await openSite()
  const reads = ['', '/user-progress', '/user-choices', '/pro-install-screen', '/install-pro', '/install-theme']
  for (const login of [null, 'sam', 'connie', 'arthur', 'edith', 'ada']) {
    const expected = login === null ? 401 : login === 'ada' ? 200 : 403
    for (const path of reads)
      expect([login, path, (await as(login)('GET', base + path)).status]).toEqual([login, path, expected])
    for (const method of ['POST', 'PUT', 'PATCH']) {
      for (const path of [progress, choices]) {
        expect((await as(login)(method, path, { body: {} })).status).toBe(expected)
      }
    }
  }
})

test('describes its routes for any query', async () => {
  const { ada } = await openSite()
  const { body } = await ada('GET', base, { query: 'page=3&per_page=1&search=zzz' })
  expect(body).toMatchObject({
    namespace: 'builder/v1',
    controller: 'builder/v1/onboarding',
    _links: { up: [{ href: 'https://quay.example/api/' }] },
  })
  expect(Object.keys(body.routes).sort()).toEqual(
    ['', '/install-pro', '/install-theme', '/pro-install-screen', '/user-choices', '/user-progress'].map(
      (path) => `/builder/v1/onboarding${path}`,
    ),
  )
  expect(body.routes['/builder/v1/onboarding/user-progress'].methods).toEqual(['GET', 'POST', 'PUT', 'PATCH'])
})

// ---------------------------------------------------------------- progress

test('a new site has initial progress', async () => {
  const { ada } = await openSite()
  const { status, body } = await ada('GET', progress)
  expect([status, body]).toEqual([200, { data: begun, meta: { had_unexpected_exit: false } }])
})

test('reports advance the steps from start to end', async () => {
  const { ada, events, ids } = await openSite({ listen: ['onboarding.finished'] })
  const report = async (body: object) => {
    const response = await ada('POST', progress, { body })
    expect([response.status, response.body.data]).toEqual([200, 'success'])
    return response.body.progress
  }
  const active = { ...begun, last_active_timestamp: localNow }
  expect(await report({ start: true })).toEqual({ ...active, started_at: localNow })
  const first = {
    ...active,
    started_at: localNow,
    current_step: 1,
    current_step_index: 1,
    completed_steps: ['building_for'],
  }
  expect(await report({ complete_step: 'building_for', step_index: 0 })).toEqual(first)
  expect(await report({ complete_step: 'building_for', step_index: 0 })).toEqual(first)
  expect((await report({ skip_step: true })).current_step).toBe(2)
  expect((await report({ complete_step: 3, step_index: 3, total_steps: 4 })).current_step).toBe(2)
  expect((await ada('GET', progress)).body.meta).toEqual({ had_unexpected_exit: true })
  expect(await report({ complete: true })).toMatchObject({
    exit_type: 'user_exit',
    completed_steps: ['building_for', 3],
  })
  expect((await ada('GET', progress)).body.meta).toEqual({ had_unexpected_exit: false })
  expect((await ada('GET', '/builder/v1/settings/builder_onboarded')).body.data).toEqual({ value: true })
  expect(events).toEqual([['onboarding.finished', { by: ids['user.admin'] }]])
  // A restart after the end is no unexpected exit.
  expect(await report({ start: true })).toMatchObject({ exit_type: null })
  expect((await ada('GET', progress)).body.meta).toEqual({ had_unexpected_exit: false })
})

test.each<[object, object]>([
  [{ current_step: 3 }, { current_step: 3, current_step_index: 3 }],
  [{ completed_steps: ['a', 1, null, { b: 1 }, 'a'] }, { completed_steps: ['a', 1] }],
  [{ exit_type: 'unexpected' }, { exit_type: 'unexpected' }],
  [{ exit_type: '' }, { exit_type: null }],
  [{ exit_type: null }, { exit_type: null }],
  [{ user_exit: true }, { exit_type: 'user_exit' }],
  [
    { user_exit: false, start: false, complete: false, skip_step: false },
    { exit_type: null, current_step: 0 },
  ],
  [{ skip_step: true, total_steps: 1 }, { current_step: 0 }],
  [
    { complete_step: 'x', step_index: 9 },
    { current_step: 0, completed_steps: ['x'] },
  ],
  [{ starter_dismissed: true }, { starter_dismissed: true }],
  [{ unknown: 'key' }, { last_active_timestamp: localNow }],
])('report %j results in %j', async (body, expected) => {
  const { ada } = await openSite()
  expect((await ada('PATCH', progress, { body })).body.progress).toMatchObject(expected)
})

test('the starter stays dismissed', async () => {
  const { ada } = await openSite()
  await ada('PUT', progress, { body: { starter_dismissed: true } })
  expect((await ada('PUT', progress, { body: { starter_dismissed: false } })).body.progress.starter_dismissed).toBe(
    true,
  )
})

test.each([
  ['current_step', 'two'],
  ['current_step', null],
  ['current_step', -1],
  ['completed_steps', 'a'],
  ['completed_steps', new Array(101).fill('a')],
  ['exit_type', 'other'],
  ['exit_type', 5],
  ['complete_step', null],
  ['complete_step', { a: 1 }],
  ['complete_step', 'x'.repeat(201)],
  ['skip_step', 'yes'],
  ['step_index', '1'],
  ['total_steps', []],
  ['start', 1],
  ['complete', 'true'],
  ['user_exit', null],
  ['starter_dismissed', 'no'],
])('rejects an invalid %s with its own code and changes nothing', async (key, value) => {
  const { ada } = await openSite()
  const body = { start: true, [key]: value }
  expect(refusalOf(await ada('POST', progress, { body }))).toEqual([400, `invalid_${key}`])
  expect((await ada('GET', progress)).body.data).toEqual(begun)
})

test.each([['[]'], ['"text"'], [undefined]])('rejects a body that is no object (%s)', async (body) => {
  const { ada } = await openSite()
  const headers = { 'content-type': 'application/json' }
  for (const path of [progress, choices]) {
    const request = body === undefined ? {} : { body, headers }
    expect(refusalOf(await ada('POST', path, request))).toEqual([400, 'invalid_params'])
  }
})

test('applies all parallel reports', async () => {
  const { ada } = await openSite()
  const steps = Array.from({ length: 12 }, (_, index) => `step-${index}`)
  await Promise.all(steps.map((complete_step) => ada('POST', progress, { body: { complete_step } })))
  expect((await ada('GET', progress)).body.data.completed_steps.sort()).toEqual(steps.sort())
})

// ---------------------------------------------------------------- choices

test('stores choices one member at a time', async () => {
  const { ada } = await openSite()
  const none = { building_for: null, site_about: [], experience_level: null, theme_selection: null, site_features: [] }
  expect((await ada('GET', choices)).body).toEqual({ data: none })
  const chosen = { building_for: 'myself', site_about: ['blog', 5, null, 'shop'], other: true }
  const expected = { ...none, building_for: 'myself', site_about: ['blog', 'shop'] }
  expect((await ada('POST', choices, { body: chosen })).body).toEqual({ data: 'success', choices: expected })
  const more = { building_for: null, experience_level: 'new', theme_selection: '', site_features: ['forms'] }
  expect((await ada('PATCH', choices, { body: more })).body.choices).toEqual({
    ...expected,
    ...{ experience_level: 'new', theme_selection: '', site_features: ['forms'] },
  })
})

test.each([
  ['building_for', 5],
  ['experience_level', ['a']],
  ['theme_selection', 'x'.repeat(201)],
  ['site_about', 'blog'],
  ['site_about', null],
  ['site_features', { a: 'b' }],
  ['site_features', new Array(101).fill('a')],
])('rejects an invalid %s with its own code', async (key, value) => {
  const { ada } = await openSite()
  expect(refusalOf(await ada('POST', choices, { body: { [key]: value } }))).toEqual([400, `invalid_${key}`])
})

// ---------------------------------------------------------------- installing

test('checks library, connection and declaration of the add-on, in this order', async () => {
  const install = `${base}/install-pro`
  const waiting = async (ada: Awaited<ReturnType<typeof openSite>>['ada']) =>
    (await ada('GET', `${base}/pro-install-screen`)).body.data.shouldShowProInstallScreen
  const alone = await openSite()
  expect(refusalOf(await alone.ada('POST', install))).toEqual([409, 'connect_unavailable'])
  expect(await waiting(alone.ada)).toBe(false)

  const site = await openConnected(server())
  expect(refusalOf(await site.ada('POST', install))).toEqual([400, 'not_connected'])
  expect(await waiting(site.ada)).toBe(false)
  await site.ada('POST', library, { body: { token: libraryToken } })
  expect(await waiting(site.ada)).toBe(true)
  site.declare({ 'builder-pro': { slug: 'manage' } })
  expect(refusalOf(await site.ada('POST', install))).toEqual([400, 'no_subscription'])
  expect(await waiting(site.ada)).toBe(false)
  site.declare()

  const done = (message: string) => ({ status: 200, body: { data: { success: true, message } } })
  expect(await site.ada('POST', install)).toMatchObject(done('installed'))
  expect(await site.ada('POST', install)).toMatchObject(done('already_installed'))
  expect(await waiting(site.ada)).toBe(false)
  expect(site.hooks).toEqual(['install builder-pro'])
})

test('responds with 502 when the install hook of the add-on fails, and does not install it', async () => {
  const install = () => {
    throw new Error('no')
  }
  const site = await openConnected(server(), { changes: { 'builder-pro': { install } }, failures: 1 })
  await site.ada('POST', library, { body: { token: libraryToken } })
  expect(refusalOf(await site.ada('POST', `${base}/install-pro`))).toEqual([502, 'install_failed'])
  expect((await site.ada('GET', `${base}/install-pro`)).body.data.installed).toBe(false)
})

test('installs an absent theme and always activates it', async () => {
  const { ada, hooks } = await openSite()
  const install = (theme_slug: unknown) => ada('POST', `${base}/install-theme`, { body: { theme_slug } })
  for (const slug of ['builder-theme-biz', 'builder-theme-biz', 'builder-theme']) {
    const { status, body } = await install(slug)
    expect([status, body]).toEqual([200, { data: { success: true, message: 'theme_installed' } }])
  }
  expect(hooks).toEqual(['install builder-theme-biz', 'activate builder-theme-biz', 'activate builder-theme'])
  for (const slug of ['builder-theme-plus', '', 5, null, undefined]) {
    expect(refusalOf(await install(slug))).toEqual([400, 'invalid_theme'])
  }
})

test('responds with 502 when the hook of the theme fails', async () => {
  const activate = () => {
    throw new Error('no')
  }
  const { ada, events } = await openSite({
    ...{ changes: { 'builder-theme-biz': { activate } }, failures: 1, listen: ['package.installed'] },
  })
  const response = await ada('POST', `${base}/install-theme`, { body: { theme_slug: 'builder-theme-biz' } })
  expect(refusalOf(response)).toEqual([502, 'theme_install_failed'])
  expect(events).toHaveLength(1)
})
