import { expect, onTestFinished, test } from 'vitest'
import { createTestSite } from '../../support/site.ts'

const path = '/builder/v1/settings'

async function openSite() {
  const site = await createTestSite()
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, ada: site.as('ada') }
}

test('a setting that was never stored is returned as false', async () => {
  const { ada } = await openSite()
  const { status, body } = await ada('GET', `${path}/builder_onboarded`)
  expect([status, body]).toEqual([200, { success: true, data: { value: false } }])
})

test.each([
  ['a text', 'yes'],
  ['a number', 12],
  ['no', false],
  ['a list', [1, 'two', null]],
  ['an object', { step: 3, seen: { intro: true } }],
])('returns the stored value: %s', async (_, value) => {
  const { ada } = await openSite()
  for (const [index, method] of ['POST', 'PUT', 'PATCH'].entries()) {
    const written = await ada(method, `${path}/builder_key${index}`, { body: { value } })
    expect([written.status, written.body.success, typeof written.body.data.message]).toEqual([200, true, 'string'])
    expect((await ada('GET', `${path}/builder_key${index}`)).body.data).toEqual({ value })
  }
})

test('returns no data when the value does not change', async () => {
  const { ada, api } = await openSite()
  const events: unknown[] = []
  api.on('setting.changed', (payload) => events.push(payload))
  await ada('POST', `${path}/builder_x`, { body: { value: { a: 1, b: [2] } } })
  const same = await ada('POST', `${path}/builder_x`, { body: { value: { b: [2], a: 1 } } })
  expect([same.status, same.body]).toEqual([200, { success: true }])
  expect((await ada('POST', `${path}/builder_x`, { body: { value: { a: '1', b: [2] } } })).body.data).toBeDefined()
  expect(events).toEqual([{ key: 'builder_x' }, { key: 'builder_x' }])
})

test.each([
  ['missing', {}],
  ['null', { value: null }],
])('rejects a value that is %s', async (_, body) => {
  const { ada } = await openSite()
  const response = await ada('POST', `${path}/builder_x`, { body })
  expect([response.status, response.body.code, response.body.data]).toEqual([
    400,
    'rest_invalid_params',
    { status: 400 },
  ])
})

test('options of the site are not accessible, also for administrators', async () => {
  const { ada, api } = await openSite()
  // Scheduled tasks store when they are due next.
  await api.site.runDue()
  const before = await api.site.options.read()
  const foreign = ['siteurl', 'url', 'home', 'roles', 'default_role', 'users_can_register', '__proto__', 'constructor']
  for (const key of [...foreign, 'toString', 'Builder_x', '_builder', 'next_due']) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      const { status, body } = await ada(method, `${path}/${key}`, method === 'GET' ? {} : { body: { value: 'taken' } })
      expect([key, method, status, body.code]).toEqual([key, method, 400, 'rest_invalid_params'])
    }
  }
  expect(await api.site.options.read()).toEqual(before)
})

test('a key that looks like a part of the kit does not reach it', async () => {
  const { ada } = await openSite()
  await ada('POST', '/builder/v1/globals/colors/ink', { body: { title: 'Ink', value: '#000' } })
  const globals = (await ada('GET', '/builder/v1/globals')).body
  expect((await ada('GET', `${path}/builder_kit_colors`)).body.data.value).toBe(false)
  await ada('POST', `${path}/builder_kit_colors`, { body: { value: 'gone' } })
  expect((await ada('GET', '/builder/v1/globals')).body).toEqual(globals)
})

test('rejects a key that is too long', async () => {
  const { ada } = await openSite()
  const { status, body } = await ada('POST', `${path}/builder_${'x'.repeat(300)}`, { body: { value: 1 } })
  expect([status, body.code]).toEqual([400, 'rest_invalid_params'])
})

test('a key with other characters matches no route', async () => {
  const { ada } = await openSite()
  expect((await ada('GET', `${path}/builder.x`)).body.code).toBe('rest_no_route')
})

test('only administrators read and write settings', async () => {
  const { as } = await openSite()
  for (const [login, status] of [
    [null, 401],
    ['sam', 403],
    ['connie', 403],
    ['arthur', 403],
    ['edith', 403],
    ['ada', 200],
  ] as const) {
    const send = as(login)
    const responses = [
      await send('GET', `${path}/builder_x`),
      await send('POST', `${path}/builder_x`, { body: { value: 1 } }),
    ]
    expect([login, ...responses.map((response) => response.status)]).toEqual([login, status, status])
  }
})

test('the progress of the checklist is a setting, read and written either way', async () => {
  const { ada } = await openSite()
  const key = `${path}/builder_checklist`
  const progress = '/builder/v1/checklist/user-progress'
  await ada('POST', progress, { body: { is_popup_minimized: true, e_editor_counter: 2 } })
  await ada('POST', '/builder/v1/checklist/steps/add_logo', { body: { is_marked_completed: true } })
  const stored = {
    last_opened_timestamp: null,
    first_closed_checklist_in_editor: false,
    is_popup_minimized: true,
    e_editor_counter: 2,
    steps: { add_logo: { is_marked_completed: true, is_immutable_completed: false } },
  }
  expect((await ada('GET', key)).body.data.value).toEqual(stored)
  await ada('POST', key, { body: { value: { ...stored, is_popup_minimized: false, steps: { x: 5 }, other: 1 } } })
  expect((await ada('GET', progress)).body.data).toEqual({
    ...{ last_opened_timestamp: null, first_closed_checklist_in_editor: false, is_popup_minimized: false },
    ...{ steps: [], should_open_in_editor: true },
  })
})

test('the progress and the choices of the onboarding are settings, read and written either way', async () => {
  const { ada } = await openSite()
  const root = '/builder/v1/onboarding'
  await ada('POST', `${root}/user-progress`, { body: { complete_step: 'building_for', complete: true } })
  const { data } = (await ada('GET', `${root}/user-progress`)).body
  expect((await ada('GET', `${path}/builder_onboarding_progress`)).body.data.value).toEqual(data)
  expect((await ada('GET', `${path}/builder_onboarded`)).body.data.value).toBe(true)
  const value = { ...data, current_step_index: 3, completed_steps: ['a', 'a', {}], exit_type: 'other' }
  await ada('PUT', `${path}/builder_onboarding_progress`, { body: { value } })
  expect((await ada('GET', `${root}/user-progress`)).body.data).toEqual({
    ...data,
    ...{ current_step: 3, current_step_index: 3, completed_steps: ['a'], exit_type: null },
  })

  await ada('POST', `${root}/user-choices`, { body: { building_for: 'me' } })
  const choices = (await ada('GET', `${root}/user-choices`)).body.data
  expect((await ada('GET', `${path}/builder_onboarding_choices`)).body.data.value).toEqual(choices)
  await ada('PATCH', `${path}/builder_onboarding_choices`, { body: { value: { site_about: ['boats', 5], theme: 1 } } })
  expect((await ada('GET', `${root}/user-choices`)).body.data).toEqual({
    ...choices,
    ...{ building_for: null, site_about: ['boats'] },
  })
})

test.each<[string, unknown]>([
  ['a text', 'x'],
  ['a list', [1]],
  ['an object of other members', { steps: [], current_step_index: -1, site_about: 'x' }],
])('%s under the key of a state leaves the state as at the start', async (_, value) => {
  const { ada } = await openSite()
  const routes = ['checklist/user-progress', 'onboarding/user-progress', 'onboarding/user-choices']
  const read = () => Promise.all(routes.map(async (route) => (await ada('GET', `/builder/v1/${route}`)).body.data))
  const before = await read()
  for (const key of ['builder_checklist', 'builder_onboarding_progress', 'builder_onboarding_choices']) {
    await ada('POST', `${path}/${key}`, { body: { value } })
  }
  expect(await read()).toEqual(before)
})

test('what an earlier version stored is read until it is written again', async () => {
  const { ada, api } = await openSite()
  const former = { steps: {}, lastOpened: 5, isFirstClosed: true, isMinimized: false, editorOpenings: 1 }
  await api.site.options.write({ builder_checklist: former })
  const progress = '/builder/v1/checklist/user-progress'
  expect((await ada('GET', progress)).body.data.first_closed_checklist_in_editor).toBe(true)
  await ada('POST', progress, { body: { is_popup_minimized: true } })
  expect((await ada('GET', progress)).body.data).toMatchObject({ is_popup_minimized: true, last_opened_timestamp: 5 })
})
