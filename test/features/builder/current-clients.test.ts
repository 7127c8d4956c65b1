import { expect, onTestFinished, test } from 'vitest'
import { withDocuments } from '../../support/documents-profile.ts'
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

async function openSite() {
  const site = await createTestSite({ profile: withDocuments })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const nothing = { added: [], deleted: [], modified: [] }
  const save = (changes: object, items: object = {}, more: object = {}) =>
    ada('PUT', path, { body: { changes: { ...nothing, ...changes }, items, ...more } })
  const items = { 'g-1': classOf('g-1', 'card'), 'g-2': classOf('g-2', 'wall'), 'g-3': classOf('g-3', 'tile') }
  await save({ added: Object.keys(items), order: true }, items, { order: Object.keys(items) })
  const labels = async () => (await ada('GET', path)).body.data.map(({ label }: { label: string }) => label)
  return { ...site, ada, save, items, labels }
}

test('classes are listed by id and label in their order, and with view=map as a map', async () => {
  const { ada, items } = await openSite()
  const order = ['g-1', 'g-2', 'g-3']
  const { body, headers } = await ada('GET', path)
  expect(headers.get('link')).toContain('rel="stylesheet"')
  expect(body).toEqual({
    data: [
      { id: 'g-1', label: 'card' },
      { id: 'g-2', label: 'wall' },
      { id: 'g-3', label: 'tile' },
    ],
    meta: { order },
  })
  expect((await ada('GET', path, { query: 'view=map' })).body).toEqual({ data: items, meta: { order } })
  expect((await ada('GET', path, { query: 'view=none' })).body.code).toBe('rest_invalid_param')
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
  await ada('POST', `/site-api/v1/documents/${id}`, { body: { elements: [element] } })
  const used = await ada('GET', `${path}/post`, { query: `post_id=${id}` })
  expect(used.body).toEqual({ data: { 'g-2': items['g-2'] }, meta: { order: ['g-2'] } })
  const some = await ada('GET', `${path}/styles`, { query: 'ids[]=g-3&ids[]=g-9' })
  expect(some.body).toEqual({ data: { 'g-3': items['g-3'] }, meta: { order: ['g-3'] } })
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
  expect((await read('')).body.code).toBe('invalid_component_id')
})
