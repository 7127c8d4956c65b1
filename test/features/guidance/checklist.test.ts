import { expect, onTestFinished, test } from 'vitest'
import { d2 } from '../../../src/profiles/d2.ts'
import { baseUrl, createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

const root = '/builder/v1/checklist'
const names = ['add_logo', 'set_fonts_and_colors', 'create_pages', 'setup_header', 'assign_homepage']

interface StepView {
  readonly is_marked_completed: boolean
  readonly is_immutable_completed: boolean
  readonly is_absolute_completed: boolean
  readonly config: { readonly id: string; readonly promotion_data: unknown; readonly is_completion_immutable: boolean }
}

const builtPages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{
      key: `built-${index}`,
      slug: `built-${index}`,
      title: 'Built',
      content: '',
      status: index ? 'draft' : 'publish',
    },
    ...{ author: 'admin', date: '2024-02-01T10:00:00', meta: { _builder_edit_mode: 'builder' } },
  }))

async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite(options)
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  return {
    ...site,
    ada,
    steps: async (): Promise<StepView[]> => (await ada('GET', `${root}/steps`)).body.data,
    done: async () => {
      const steps: StepView[] = (await ada('GET', `${root}/steps`)).body.data
      return steps.filter((step) => step.is_absolute_completed).map(({ config }) => config.id)
    },
    progress: async () => (await ada('GET', `${root}/user-progress`)).body.data,
  }
}

test('lists the steps in order with all members', async () => {
  const { steps } = await openSite()
  const all = await steps()
  expect(all.map(({ config }) => config.id)).toEqual(names)
  expect(all[0]).toEqual({
    is_marked_completed: false,
    is_immutable_completed: false,
    is_absolute_completed: false,
    config: {
      id: 'add_logo',
      title: expect.any(String),
      description: expect.any(String),
      learn_more_text: 'Learn more',
      learn_more_url: expect.stringMatching(/^https:/),
      is_completion_immutable: false,
      cta_text: expect.any(String),
      cta_url: expect.stringMatching(/^https:/),
      image_src: expect.any(String),
      promotion_data: null,
    },
  })
  expect(all.map(({ config }) => config.is_completion_immutable)).toEqual([false, false, true, false, false])
  expect(all[3]?.config.promotion_data).toEqual({ url: expect.any(String), text: 'Upgrade', icon: 'default' })
})

test('omits the header step when the profile includes the add-on', async () => {
  const { ada, steps } = await openSite({ profile: d2 })
  const shown = names.filter((name) => name !== 'setup_header')
  expect((await steps()).map(({ config }) => config.id)).toEqual(shown)
  expect((await ada('GET', `${root}/4`)).body.data.config.id).toBe('assign_homepage')
  const hidden = await ada('POST', `${root}/steps/setup_header`, { body: {} })
  expect([hidden.status, hidden.body.code]).toEqual([400, 'rest_invalid_param'])
})

test('reads a step by its position in the list', async () => {
  const { ada, steps } = await openSite()
  const all = await steps()
  for (const [index, step] of all.entries()) {
    expect((await ada('GET', `${root}/${index + 1}`)).body).toEqual({ data: step })
    expect((await ada('GET', `${root}/steps/${index + 1}`)).body).toEqual({ data: step })
  }
  for (const place of ['0', '6', '99999999999999999999']) {
    expect((await ada('GET', `${root}/steps/${place}`)).status).toBe(404)
    expect((await ada('GET', `${root}/${place}`)).body.code).toBe('not-found')
  }
})

test('steps complete and reopen with the state of the site', async () => {
  const { api, ada, ids, done } = await openSite()
  expect(await done()).toEqual(['assign_homepage'])
  await api.site.options.write({ site_logo: ids['media.pier'] ?? 0, page_on_front: 0 })
  expect(await done()).toEqual(['add_logo'])
  await api.site.options.write({ site_logo: ids['post.hello'] ?? 0 })
  expect(await done()).toEqual([])
  await ada('POST', '/builder/v1/globals/colors/sea', { body: { title: 'Sea', value: '#000' } })
  expect(await done()).toEqual([])
  await ada('POST', '/builder/v1/globals/typography/text2', { body: { title: 'Text', value: {} } })
  expect(await done()).toEqual(['set_fonts_and_colors'])
  await ada('DELETE', '/builder/v1/globals/colors/sea')
  expect(await done()).toEqual([])
})

test('the page step needs three builder pages', async () => {
  for (const [count, isEnough] of [
    [2, false],
    [3, true],
  ] as const) {
    const { done } = await openSite({ seed: { ...smallSite, pages: [...smallSite.pages, ...builtPages(count)] } })
    expect((await done()).includes('create_pages')).toBe(isEnough)
  }
})

test('a header counts once it has conditions', async () => {
  const template = (type: string, more: object) => ({
    ...{ key: 'top', type: 'builder_library', title: 'Top', slug: 'top', status: 'publish', author: 'admin' },
    ...{ date: '2024-02-01T10:00:00', content: '', meta: { _builder_template_type: type, ...more } },
  })
  const conditions = { _builder_conditions: ['include/general'] }
  const cases: [object, boolean][] = [
    [template('header', {}), false],
    [template('header', { _builder_conditions: [] }), false],
    [template('footer', conditions), false],
    [template('header', conditions), true],
  ]
  for (const [document, isThere] of cases) {
    const { done } = await openSite({ seed: { ...smallSite, documents: [document] } })
    expect((await done()).includes('setup_header')).toBe(isThere)
  }
})

test('an immutable step stays done and loses its mark', async () => {
  const seed = { ...smallSite, pages: [...smallSite.pages, ...builtPages(3)] }
  const { ada, steps, progress } = await openSite({ seed })
  await ada('POST', `${root}/steps/create_pages`, { body: { is_marked_completed: true } })
  await ada('HEAD', `${root}/steps`)
  const stepProgress = (isMarked: boolean, isImmutable: boolean) => ({
    create_pages: { is_marked_completed: isMarked, is_immutable_completed: isImmutable },
  })
  expect((await progress()).steps).toEqual(stepProgress(true, false))
  const [, , pages] = await steps()
  expect(pages).toMatchObject({ is_marked_completed: false, is_immutable_completed: true, is_absolute_completed: true })
  expect((await progress()).steps).toEqual(stepProgress(false, true))
})

test('marks and unmarks a step; absent or null members do not change', async () => {
  const { ada, steps } = await openSite()
  const send = (method: string, body: object) => ada(method, `${root}/steps/add_logo`, { body })
  expect((await send('POST', { is_marked_completed: true, other: 1 })).body).toEqual({ data: 'success' })
  await send('PUT', { is_marked_completed: null, is_immutable_completed: true, is_absolute_completed: true })
  expect((await steps())[0]).toMatchObject({
    is_marked_completed: true,
    is_immutable_completed: true,
    is_absolute_completed: false,
  })
  await send('PATCH', { is_marked_completed: false })
  expect((await steps())[0]).toMatchObject({ is_marked_completed: false, is_immutable_completed: true })
  const unknown = await ada('POST', `${root}/steps/fly`, { body: {} })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'rest_invalid_param'])
  expect((await send('POST', { is_marked_completed: 'maybe' })).body.code).toBe('rest_invalid_param')
})

test('all administrators share the progress', async () => {
  const { ada, clock, progress } = await openSite()
  const send = (body: object) => ada('POST', `${root}/user-progress`, { body })
  const fresh = {
    last_opened_timestamp: null,
    first_closed_checklist_in_editor: false,
    is_popup_minimized: false,
    steps: [],
    should_open_in_editor: false,
  }
  expect(await progress()).toEqual(fresh)
  expect((await send({ e_editor_counter: 2 })).body).toEqual({ data: 'success' })
  expect(await progress()).toEqual({ ...fresh, should_open_in_editor: true })
  await send({ e_editor_counter: 3 })
  expect(await progress()).toEqual(fresh)
  await send({ e_editor_counter: 2, last_opened_timestamp: 5, is_popup_minimized: true })
  const opened = { ...fresh, last_opened_timestamp: Math.floor(clock.now / 1000), is_popup_minimized: true }
  expect(await progress()).toEqual(opened)
  await send({ first_closed_checklist_in_editor: true })
  expect(await progress()).toEqual({ ...opened, first_closed_checklist_in_editor: true })
  await send({ last_opened_timestamp: false })
  expect((await progress()).last_opened_timestamp).toBeNull()
  expect((await send({ e_editor_counter: -1 })).body.code).toBe('rest_invalid_param')
})

test('describes the routes of the checklist', async () => {
  const { ada } = await openSite()
  const { body } = await ada('GET', root, { query: { context: 'view', page: 1, per_page: 10, search: 'x' } })
  expect([body.namespace, body.controller]).toEqual(['builder/v1', 'builder/v1/checklist'])
  expect(Object.keys(body.routes)).toEqual([
    '/builder/v1/checklist',
    '/builder/v1/checklist/(?P<id>[\\d]+)',
    '/builder/v1/checklist/steps',
    '/builder/v1/checklist/steps/(?P<id>[\\d]+)',
    '/builder/v1/checklist/steps/(?P<id>[\\w\\-\\_]+)',
    '/builder/v1/checklist/user-progress',
  ])
  expect(body._links.up).toEqual([{ href: `${baseUrl}/api/` }])
  expect((await ada('GET', root, { query: { per_page: 101 } })).status).toBe(400)
})

test('who may', async () => {
  const { as } = await openSite()
  const requests: [string, string][] = [
    ['GET', ''],
    ['GET', '/1'],
    ['GET', '/steps'],
    ['GET', '/steps/1'],
    ['POST', '/steps/add_logo'],
    ['GET', '/user-progress'],
    ['PATCH', '/user-progress'],
  ]
  const expected: [string | null, number][] = [
    [null, 401],
    ['sam', 403],
    ['connie', 403],
    ['arthur', 403],
    ['edith', 403],
    ['ada', 200],
  ]
  for (const [login, status] of expected) {
    for (const [method, path] of requests) {
      expect([login, path, (await as(login)(method, root + path)).status]).toEqual([login, path, status])
    }
  }
})
