import { expect, onTestFinished, test } from 'vitest'
import { d2 } from '../../../src/profiles/d2.ts'
import { createTestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

const template = (key: string, elements: object[], more: object = {}) => ({
  ...{ type: 'builder_library', key, slug: key, title: key, status: 'publish', author: 'editor' },
  ...{ date: '2024-02-20T09:00:00', content: '' },
  meta: { _builder_edit_mode: 'builder', _builder_template_type: 'widget', _builder_data: JSON.stringify(elements) },
  ...more,
})

const heading = {
  id: 'a1b2c3d',
  elType: 'widget',
  widgetType: 'heading',
  settings: { title: 'Hi' },
  elements: [],
  extra: 1,
}
const box = { id: 'b1b2c3d', elType: 'container', elements: [heading] }

const documents = [
  template('one', [heading, box]),
  template('two', [box]),
  template('empty', []),
  template('draft', [heading], { status: 'draft' }),
  template('mine', [heading], { status: 'draft', author: 'contributor' }),
  template('locked', [heading], { password: 'sesame' }),
  template('binned', [heading], { status: 'trash', status_before_trash: 'publish' }),
]

async function openSite() {
  const site = await createTestSite({ profile: d2, seed: { ...smallSite, documents } })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, id: (key: string) => site.ids[`document.${key}`] as number }
}

const path = '/builder/v1/global-widget/templates'

test('reads global widgets by id, each with its first element under a new id', async () => {
  const { as, id } = await openSite()
  const ids = [id('two'), id('one'), id('empty'), 999_999, 'x'].join()
  const { status, body } = await as('connie')('GET', path, { query: { ids } })
  expect([status, Object.keys(body)]).toEqual([200, [String(id('one')), String(id('two'))]])
  const [first, second] = [body[id('one')], body[id('two')]]
  expect(first).toEqual({
    id: first.id,
    elType: 'widget',
    widgetType: 'heading',
    settings: { title: 'Hi' },
    elements: [],
  })
  expect(first.id).toMatch(/^[0-9a-f]{7}$/)
  expect([first.id === heading.id, second.id === box.id, second.elements[0].id === heading.id]).toEqual([
    false,
    false,
    false,
  ])
  expect(Object.keys(second)).toEqual(['id', 'elType', 'settings', 'elements'])
})

test('returns global widgets that are public or editable by the user', async () => {
  const { as, id, ids } = await openSite()
  const wanted = ['one', 'draft', 'mine', 'locked', 'binned'].map(id)
  const got = async (login: string) =>
    Object.keys((await as(login)('GET', path, { query: { ids: [...wanted, ids['post.hello']].join() } })).body).map(
      Number,
    )
  expect(await got('connie')).toEqual([id('one'), id('mine')])
  expect(await got('arthur')).toEqual([id('one')])
  for (const login of ['edith', 'ada']) {
    expect(await got(login)).toEqual(['one', 'draft', 'mine', 'locked'].map(id))
  }
})

test('returns an empty list when no template matches', async () => {
  const { as, id } = await openSite()
  for (const query of ['', 'ids=', 'ids=999', `ids=${id('binned')}`, 'ids[a]=1', 'ids=1e3,-1']) {
    expect([query, (await as('connie')('GET', path, { query })).body]).toEqual([query, []])
  }
  const many = Array.from({ length: 101 }, (_, n) => n + 1).join()
  const { status, body } = await as('connie')('GET', path, { query: { ids: many } })
  expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', ['ids']])
})

test('authors read global widgets and taxonomies; any signed-in user reads the license', async () => {
  const { as } = await openSite()
  const logins = [null, 'sam', 'connie', 'arthur', 'edith', 'ada']
  const writers = [401, 403, 200, 200, 200, 200]
  const members = [401, 200, 200, 200, 200, 200]
  for (const [index, login] of logins.entries()) {
    const send = as(login)
    const statuses = [
      (await send('GET', path)).status,
      (await send('POST', '/builder-pro/v1/get-post-type-taxonomies', { body: { post_type: 'post' } })).status,
      (await send('GET', '/builder-pro/v1/license/tier-features')).status,
      (await send('GET', '/builder-pro/v1/license/get-license-status')).status,
    ]
    expect([login, ...statuses]).toEqual([login, writers[index], writers[index], members[index], members[index]])
  }
  expect((await as('sam')('GET', path)).body.code).toBe('rest_forbidden')
  expect((await as(null)('GET', '/builder-pro/v1/license/tier-features')).body.code).toBe('rest_forbidden')
})

test('lists the taxonomies of a content type', async () => {
  const { as } = await openSite()
  const ask = async (body: object) => as('connie')('POST', '/builder-pro/v1/get-post-type-taxonomies', { body })
  expect((await ask({ post_type: 'post' })).body).toEqual({ category: 'Categories', post_tag: 'Tags' })
  for (const post_type of ['page', 'unheard_of', 'toString']) expect((await ask({ post_type })).body).toEqual([])
  expect((await ask({ post_type: '' })).body).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } })
  expect((await ask({ post_type: ['post'] })).body.code).toBe('rest_invalid_param')
  expect((await ask({})).body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['post_type'] } })
})

test('the license includes all features unless the host restricts it', async () => {
  const { as, api } = await openSite()
  const read = async () => [
    (await as('sam')('GET', '/builder-pro/v1/license/tier-features')).body,
    (await as('sam')('GET', '/builder-pro/v1/license/get-license-status')).body,
  ]
  const [{ features }, status] = await read()
  expect([features.includes('form-submissions'), features.includes('editor_comments'), status]).toEqual([
    ...[true, true],
    { isExpired: false },
  ])
  const stored = [
    [{ features: ['popup', 5] }, { features: ['popup'] }, { isExpired: false }],
    [{ features: ['popup'], error: 'expired' }, { features: ['popup'] }, { isExpired: true }],
    [{ error: 'cancelled' }, { features: [] }, { isExpired: false }],
    [{}, { features: [] }, { isExpired: false }],
    [null, { features }, { isExpired: false }],
  ] as const
  for (const [value, ...expected] of stored) {
    await api.site.options.write({ builder_license: value })
    expect(await read()).toEqual(expected)
  }
})
