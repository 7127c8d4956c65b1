/** The global classes and variables of template files. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type Requester } from '../../support/site.ts'

const path = '/builder/v1/template-library/templates'

async function openSite() {
  const site = await createTestSite({ profile: full })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const css = async (id: number) => JSON.stringify((await site.api.render.document(id))?.css).toLowerCase()
  return { ...site, ada, css, save: (body: object, send: Requester = ada) => send('POST', path, { body }) }
}

const variable = (label: string, value: string) => ({ type: 'global-color-variable', label, value, order: 1 })
const colorOf = (id: string) => ({ color: { $$type: 'global-color-variable', value: id } })
const classOf = (id: string, label: string, props: object) => ({
  ...{ id, type: 'class', label },
  variants: [{ meta: { breakpoint: 'desktop', state: null }, props, custom_css: null }],
})
const heading = (...classes: readonly string[]) => ({
  ...{ id: '2b3c4d5', elType: 'widget', widgetType: 'e-heading', elements: [], styles: [], version: '0.0' },
  settings: { classes: { $$type: 'classes', value: classes }, title: { $$type: 'html', value: 'Hello' } },
})
const file = (color = '#f60707', label = 'big') => ({
  ...{ title: 'Mixed', type: 'page', content: [heading('g-1234567', 'e-own')] },
  global_classes: {
    items: {
      'g-1234567': classOf('g-1234567', label, colorOf('e-gv-7654321')),
      'g-7777777': classOf('g-7777777', 'unused', {}),
    },
    order: ['g-1234567', 'g-7777777'],
  },
  global_variables: { data: { 'e-gv-7654321': variable('red', color), 'e-gv-0000000': variable('unused', '#000') } },
})

const classesOf = async (send: Requester) => (await send('GET', '/builder/v1/global-classes')).body.data
const variablesOf = async (send: Requester) => (await send('GET', '/builder/v1/variables/list')).body.data.variables

const fileOf = async (send: Requester, id: number) => (await send('GET', `${path}/${id}/export`)).body

test('come along where the elements name them, and are used again where the site has them', async () => {
  const { ada, save, css } = await openSite()
  const { body } = await save(file())
  expect((await css(body.template_id)).includes('#f60707')).toBe(true)
  expect(Object.keys(await variablesOf(ada))).toEqual(['e-gv-7654321'])
  const exported = await fileOf(ada, body.template_id)
  expect(exported.global_classes).toMatchObject({ items: { 'g-1234567': { label: 'big' } }, order: ['g-1234567'] })
  expect(exported.global_variables).toEqual({ data: { 'e-gv-7654321': variable('red', '#f60707') } })
  const again = (await save(exported)).body
  expect(again).not.toHaveProperty('_warnings')
  expect((await fileOf(ada, again.template_id)).content[0].settings.classes.value).toEqual(['g-1234567', 'e-own'])
  expect(Object.keys(await variablesOf(ada))).toHaveLength(1)
  const other = await openSite()
  const moved = (await other.save(exported)).body
  expect((await other.css(moved.template_id)).includes('#f60707')).toBe(true)
})

test('get another id and label where the site has others of theirs, which stay', async () => {
  const { ada, save, css } = await openSite()
  const first = (await save(file())).body.template_id
  const second = (await save(file('#0000fe'))).body.template_id
  expect([(await css(first)).includes('#0000fe'), (await css(second)).includes('#0000fe')]).toEqual([true, true])
  const labels = (all: object) => Object.values(all).map(({ label }: { label: string }) => label)
  expect(labels(await variablesOf(ada)).sort()).toEqual(['red', 'red-2'])
  expect(labels(await classesOf(ada)).sort()).toEqual(['DUP_big', 'big'])
  const [name, own] = (await fileOf(ada, second)).content[0].settings.classes.value
  expect([name === 'g-1234567', own]).toEqual([false, 'e-own'])
})

test('that a user may not add, or that are none, are left out with a warning; another of their id is not shown', async () => {
  const { as, ada, save } = await openSite()
  await save(file())
  const { status, body } = await save(file('#0000fe'), as('arthur'))
  expect(status).toBe(200)
  expect(body._warnings.map(({ param }: { param: string }) => param)).toEqual([
    'global_variables.e-gv-7654321',
    'global_classes.g-1234567',
  ])
  expect((await fileOf(ada, body.template_id)).content[0].settings.classes.value).toEqual(['e-own'])
  const wrong = { ...file(), global_variables: { data: { 'e-gv-7654321': variable('x', 'red;}') } } }
  expect((await save(wrong)).body._warnings).toMatchObject([{ param: 'global_variables.e-gv-7654321' }])
  for (const odd of [[], 'x', { items: 3 }, { items: { 'g-1234567': 4 } }, null]) {
    expect((await save({ ...file(), global_classes: odd, global_variables: odd })).status).toBe(200)
  }
})

test('beyond the limit of classes refuse the file, and nothing is stored', async () => {
  const { ada, save } = await openSite()
  const ids = Array.from({ length: 101 }, (_, at) => `g-${String(at).padStart(7, '0')}`)
  const items = Object.fromEntries(ids.map((id, at) => [id, classOf(id, `label-${at}`, {})]))
  const many = { ...file(), content: [heading(...ids)], global_classes: { items, order: ids } }
  expect(await save(many)).toMatchObject({ status: 400, body: { code: 'global_classes_limit_exceeded' } })
  expect(await classesOf(ada)).toEqual({})
  expect((await ada('GET', path)).body.templates).toEqual([])
})

test('come along with files of the site editor', async () => {
  const { ada, api } = await openSite()
  const fileData = btoa(JSON.stringify({ ...file(), type: 'header' }))
  const body = { fileName: 'one.json', fileData }
  expect((await ada('POST', '/builder/v1/site-editor/templates', { body })).status).toBe(200)
  expect(Object.keys(await variablesOf(ada))).toEqual(['e-gv-7654321'])
  expect(api.root).toBeDefined()
})
