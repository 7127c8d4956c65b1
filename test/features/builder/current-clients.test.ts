/** Two generations of front ends of the page builder use one site: what each sends tells which answer it gets. */
import { expect, onTestFinished, test } from 'vitest'
import { full, profile, withCurrentClients } from '../../../src/index.ts'
import { createTestSite } from '../../support/site.ts'

const path = '/builder/v1/global-classes'
const classOf = (id: string, label: string) => ({
  ...{ id, label, type: 'class' },
  variants: [
    {
      meta: { breakpoint: 'desktop', state: null },
      props: { color: { $$type: 'color', value: '#222' } },
      custom_css: null,
    },
  ],
})

async function openSite(served: typeof full = full) {
  const site = await createTestSite({ profile: served })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const nothing = { added: [], deleted: [], modified: [] }
  const save = (changes: object, items: object = {}, more: object = {}) =>
    ada('PUT', path, { body: { changes: { ...nothing, order: false, ...changes }, items, ...more } })
  const saveWhole = (changes: object, items: object, more: object = { order: Object.keys(items) }) =>
    ada('PUT', path, { body: { changes: { ...nothing, ...changes }, items, ...more } })
  const items = { 'g-1': classOf('g-1', 'card'), 'g-2': classOf('g-2', 'wall'), 'g-3': classOf('g-3', 'tile') }
  await save({ added: Object.keys(items), order: true }, items, { order: Object.keys(items) })
  const labels = async () =>
    (await ada('GET', path, { query: 'view=labels' })).body.data.map(({ label }: { label: string }) => label)
  return { ...site, ada, save, saveWhole, items, labels }
}

test('classes are listed by id and label in their order with view=labels, and else as a map', async () => {
  const { ada, items } = await openSite()
  const order = ['g-1', 'g-2', 'g-3']
  const { body, headers } = await ada('GET', path, { query: 'view=labels' })
  expect(headers.get('link')).toContain('rel="stylesheet"')
  expect(body).toEqual({
    data: [
      { id: 'g-1', label: 'card' },
      { id: 'g-2', label: 'wall' },
      { id: 'g-3', label: 'tile' },
    ],
    meta: { order },
  })
  for (const query of ['', 'view=map']) {
    expect([query, (await ada('GET', path, { query })).body]).toEqual([query, { data: items, meta: { order } }])
  }
  expect((await ada('GET', path, { query: 'view=none' })).body.code).toBe('rest_invalid_param')
})

test('withCurrentClients lists labels where a request does not say which view it wants', async () => {
  const features = withCurrentClients(full.features)
  const { ada, items } = await openSite(profile({ ...full, features }) as unknown as typeof full)
  expect((await ada('GET', path)).body.data[0]).toEqual({ id: 'g-1', label: 'card' })
  expect((await ada('GET', path, { query: 'view=map' })).body.data).toEqual(items)
})

test('an older client saves all classes with their order beside one that saves the changed ones', async () => {
  const { save, saveWhole, items, labels } = await openSite()
  const all = { ...items, 'g-1': classOf('g-1', 'door') }
  expect((await saveWhole({ modified: ['g-1'] }, all, { order: ['g-3', 'g-1', 'g-2'] })).status).toBe(204)
  expect(await labels()).toEqual(['tile', 'door', 'wall'])
  const unordered = await saveWhole({ modified: ['g-1'] }, all, {})
  expect(unordered.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['order'] } })
  expect((await saveWhole({ modified: ['g-1'] }, all, { order: ['g-1'] })).body.code).toBe('invalid_order')
  expect((await save({ modified: ['g-2'] }, { 'g-2': classOf('g-2', 'fence') })).status).toBe(204)
  expect(await labels()).toEqual(['tile', 'door', 'fence'])
})

test('a save with the changed class alone leaves the others and their order', async () => {
  const { save, labels } = await openSite()
  expect((await save({ modified: ['g-2'] }, { 'g-2': classOf('g-2', 'fence') })).status).toBe(204)
  expect(await labels()).toEqual(['card', 'fence', 'tile'])
  expect((await save({ added: ['g-4'] }, { 'g-4': classOf('g-4', 'roof') })).status).toBe(204)
  expect(await labels()).toEqual(['card', 'fence', 'tile', 'roof'])
  const taken = await save({ added: ['g-5'] }, { 'g-5': classOf('g-5', 'roof') })
  expect(taken.body.data.modifiedLabels).toEqual({ 'g-5': { original: 'roof', modified: 'DUP_roof' } })
})

test('the order changes when the save says so, without items', async () => {
  const { save, labels } = await openSite()
  const order = ['g-3', 'g-1', 'g-2']
  await save({ order: false }, {}, { order })
  expect(await labels()).toEqual(['card', 'wall', 'tile'])
  await save({ order: true }, {}, { order })
  expect(await labels()).toEqual(['tile', 'card', 'wall'])
})

test('invalid classes and unknown changes are refused', async () => {
  const { save, labels } = await openSite()
  const bad = await save({ modified: ['g-1'] }, { 'g-1': { ...classOf('g-1', 'container') } })
  expect([bad.status, bad.body.code]).toEqual([400, 'invalid_items'])
  expect((await save({ other: [] })).status).toBe(400)
  expect((await save({ order: 'x' })).status).toBe(400)
  expect(await labels()).toEqual(['card', 'wall', 'tile'])
})

test('the classes of a document, and those with given ids', async () => {
  const { ada, ids, items } = await openSite()
  const element = {
    ...{ id: '1a2b3c4', elType: 'widget', widgetType: 'e-heading', elements: [] },
    settings: { classes: { $$type: 'classes', value: ['e-1', 'g-2'] } },
  }
  const id = ids['post.built']
  await ada('POST', `/cms/v2/posts/${id}`, { body: { meta: { _builder_data: JSON.stringify([element]) } } })
  const used = await ada('GET', `${path}/post`, { query: `post_id=${id}` })
  expect(used.body).toEqual({ data: { 'g-2': items['g-2'] }, meta: { order: ['g-2'] } })
  const some = await ada('GET', `${path}/styles`, { query: 'ids[]=g-3&ids[]=g-9' })
  expect(some.body).toEqual({ data: { 'g-3': items['g-3'], 'g-9': null }, meta: { order: ['g-3'] } })
  const none = await ada('GET', `${path}/post`, { query: 'post_id=99999' })
  expect([none.status, none.body.code]).toEqual([404, 'document_not_found'])
})

test('the properties of several components are read at once', async () => {
  const { ada } = await openSite()
  const elements = [{ id: '1a2b3c4', elType: 'widget', widgetType: 'e-heading', settings: {}, elements: [] }]
  const items = ['one', 'two'].map((uid) => ({ uid, title: `Card ${uid}`, elements }))
  const { body: made } = await ada('POST', '/builder/v1/components', { body: { status: 'publish', items } })
  const { one, two } = made.data
  const read = (query: string) => ada('GET', '/builder/v1/components/overridable-props', { query })
  const several = await read(`componentIds[]=${one}&componentIds[]=${two}&componentIds[]=99999`)
  expect(several.body).toEqual({ data: { [one]: null, [two]: null }, meta: [] })
  expect((await read(`componentId=${one}`)).body).toEqual({ data: null, meta: [] })
  expect((await read('componentId=99999')).body.code).toBe('component_not_found')
  expect((await read('componentId=0')).body.code).toBe('invalid_component_id')
  expect((await read('')).body).toMatchObject({
    code: 'rest_missing_callback_param',
    data: { params: ['componentId'] },
  })
  const elementsOf = (query: string) => ada('GET', '/builder/v1/components/elements', { query })
  expect((await elementsOf(`componentId=${one}`)).body).toEqual({ data: elements, meta: [] })
  expect((await elementsOf(`componentIds[]=${two}`)).body).toEqual({ data: { [two]: elements }, meta: [] })
  expect((await elementsOf('componentId=99999')).body.code).toBe('component_not_found')
})

test('a document is copied under another title, with its elements or its text', async () => {
  const { ada, as, ids } = await openSite()
  const copy = (post_id: number, by = ada) =>
    by('POST', '/builder/v1/site-navigation/duplicate-post', { body: { post_id, title: 'Second' } })
  const { body: page } = await ada('POST', '/cms/v2/pages', { body: { title: 'Plain', content: '<p>Words.</p>' } })
  const read = async (route: string, id: number) =>
    (await ada('GET', `/cms/v2/${route}/${id}`, { query: 'context=edit' })).body
  const plain = await copy(page.id)
  expect([plain.status, Object.keys(plain.body)]).toEqual([200, ['post_id']])
  expect(await read('pages', plain.body.post_id)).toMatchObject({
    ...{ status: 'draft', title: { raw: 'Second' }, content: { raw: '<p>Words.</p>' } },
    meta: expect.not.objectContaining({ _builder_edit_mode: 'builder' }),
  })
  const built = await read('posts', (await copy(ids['post.built'] ?? 0)).body.post_id)
  const { meta } = await read('posts', ids['post.built'] ?? 0)
  expect(built.meta).toMatchObject({ _builder_edit_mode: 'builder', _builder_data: meta._builder_data })
  expect((await copy(99_999)).body.code).toBe('document_not_found')
  expect((await copy(page.id, as('sam'))).status).toBe(403)
})

test('the front page is named by its id, and pages say what the caller may do', async () => {
  const { ada, as, visitor } = await openSite()
  const homepage = async () => (await ada('GET', '/builder/v1/site-navigation/homepage')).body
  const { body: page } = await ada('POST', '/cms/v2/pages', { body: { title: 'Front', status: 'publish' } })
  await ada('POST', '/cms/v2/settings', { body: { show_on_front: 'page', page_on_front: page.id } })
  expect(await homepage()).toBe(page.id)
  await ada('POST', '/cms/v2/settings', { body: { show_on_front: 'posts' } })
  expect(await homepage()).toBe(0)
  const listed = async (by: typeof ada) =>
    (await by('GET', '/cms/v2/pages', { query: `include=${page.id}&_fields=id,user_can` })).body
  expect(await listed(ada)).toEqual([{ id: page.id, user_can: { edit: true, delete: true } }])
  expect(await listed(as('connie'))).toEqual([{ id: page.id, user_can: { edit: false, delete: false } }])
  expect(await listed(visitor)).toEqual([{ id: page.id, user_can: { edit: false, delete: false } }])
})
