import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { colored, styled, tag, text, variant } from '../../../support/atomic.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let storage: Storage
beforeAll(async () => {
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
})
afterAll(() => site.dispose())

/** Stored as the features of components do: a post of their type. */
async function storeComponent(elements: readonly object[], values: object = {}): Promise<number> {
  const like = await storeDocument(site, [])
  const [post] = await storage.posts.read([like])
  if (!post) throw new Error('the post was not stored')
  const { id: _id, version: _version, ...columns } = post
  const [id = 0] = await storage.posts.insert([
    { ...columns, type: 'builder_component', slug: `component-${like}`, ...values },
  ])
  const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) }
  await storage.meta.write(
    'post',
    Object.entries(meta).map(([key, value]) => ({ id, key, value })),
  )
  return id
}

const override = (key: string, value: unknown) => tag('override', { override_key: key, override_value: value })
const open = (key: string, origin: unknown) => tag('overridable', { override_key: key, origin_value: origin })
const instance = (component: number, overrides: readonly unknown[] = []) =>
  widgetElement(`i${component}`, 'e-component', {
    component_instance: tag('component-instance', {
      component_id: tag('number', component),
      overrides: tag('overrides', overrides),
    }),
  })
const titled = (title: unknown) => widgetElement('t', 'e-heading', { title })

const rendered = async (elements: readonly object[]) => {
  const result = await site.api.render.document(await storeDocument(site, elements))
  if (!result) throw new Error('the document was not rendered')
  const titles = [...result.html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title)
  return { ...result, titles, sheet: (key: string) => result.css.find((one) => one.key === key)?.css ?? '' }
}

describe('an instance', () => {
  test('replaces what the component lets it replace, and nothing else', async () => {
    const id = await storeComponent([
      titled(open('name', text('Own'))),
      titled(text('Fixed')),
      titled(open('none', null)),
    ])
    const { titles, dependencies } = await rendered([
      instance(id),
      instance(id, [override('name', text('Given')), override('other', text('x')), 'x', null]),
    ])
    expect(titles).toEqual(['Own', 'Fixed', 'This is a title', 'Given', 'Fixed', 'This is a title'])
    expect(dependencies).toContain(`post:${id}`)
  })

  test('reaches an inner component only through what the outer one passes on', async () => {
    const inner = await storeComponent([titled(open('name', text('Inner')))])
    const outer = await storeComponent([
      instance(inner, [open('passed', override('name', text('Outer')))]),
      instance(inner),
      titled(open('name', text('Beside'))),
    ])
    expect((await rendered([instance(outer)])).titles).toEqual(['Outer', 'Inner', 'Beside'])
    expect((await rendered([instance(outer, [override('passed', text('Page'))])])).titles).toEqual([
      'Page',
      'Inner',
      'Beside',
    ])
    expect((await rendered([instance(outer, [override('name', text('Page'))])])).titles).toEqual([
      'Outer',
      'Inner',
      'Page',
    ])
  })

  test('an override that names itself is absent', async () => {
    const id = await storeComponent([titled(open('name', text('Own')))])
    const { titles } = await rendered([instance(id, [override('name', open('name', open('name', text('x'))))])])
    expect(titles).toEqual(['x'])
  })

  test('of a component that is a draft, protected, missing or no component gives nothing', async () => {
    const draft = await storeComponent([titled(text('x'))], { status: 'draft' })
    const locked = await storeComponent([titled(text('x'))], { password: 'rope' })
    const post = await storeDocument(site, [titled(text('x'))])
    const { titles, warnings, dependencies } = await rendered([draft, locked, post, 99_999].map((id) => instance(id)))
    expect(titles).toEqual([])
    expect(warnings.map(({ code }) => code)).toEqual(Array(4).fill('missing_reference'))
    expect(dependencies).toEqual(expect.arrayContaining([`post:${draft}`, 'post:99999']))
  })

  test('of a component inside of itself ends', async () => {
    const id = await storeComponent([])
    const meta = [{ id, key: '_builder_data', value: JSON.stringify([titled(text('Once')), instance(id)]) }]
    await storage.meta.write('post', meta)
    const { titles, warnings } = await rendered([instance(id)])
    expect(titles).toEqual(['Once'])
    expect(warnings).toEqual([{ code: 'circular' }])
  })
})

test('styles of components are written once, before those of the documents that use them', async () => {
  const inner = await storeComponent([styled('in', 'e-divider', [variant({ color: colored('#000001') })])])
  const outer = await storeComponent([
    styled('out', 'e-divider', [variant({ color: colored('#000002') })]),
    instance(inner),
  ])
  const { sheet } = await rendered([
    styled('page', 'e-divider', [variant({ color: colored('#000003') })]),
    instance(outer),
    instance(outer),
    instance(inner),
  ])
  expect(sheet('local')).toBe(
    '.builder .e-in-1{color:#000001}.builder .e-out-1{color:#000002}.builder .e-page-1{color:#000003}',
  )
})

test('classic elements of a component have rules that hold in every document', async () => {
  const id = await storeComponent([widgetElement('old', 'heading', { title: 'x', title_color: 'red' })])
  const { css } = await rendered([instance(id)])
  expect(css.map((sheet) => sheet.css).join('')).toContain(
    '.builder .builder-element.builder-element-old .builder-heading-title{color:red}',
  )
})
