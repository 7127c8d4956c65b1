/** The styles of components, and the sheet with them, are those with which pages show the components. */
import { expect, test } from 'vitest'
import { box, instance, item, openSite, root } from './fixture.ts'

const value = ($$type: string, value: unknown) => ({ $$type, value })
const length = (number: number) => value('size', { size: number, unit: 'px' })
const name = 'e-9f8e7d6-1a2b3c4'

const styled = (color: string, more: object = {}) => {
  const meta = { breakpoint: 'desktop', state: null }
  const hover = { meta: { breakpoint: 'desktop', state: 'hover' }, props: { opacity: length(1) }, custom_css: null }
  const props = { color: value('color', color), ...more }
  const style = { id: name, label: 'local', type: 'class', variants: [{ meta, props, custom_css: null }, hover] }
  return box([], { settings: { classes: value('classes', [name]) }, styles: { [name]: style } })
}

async function openStyles() {
  const site = await openSite()
  const read = async () => (await site.ada('GET', `${root}/styles`)).body.data
  const sheet = () => site.files.get('builder/css/components.css')
  return { ...site, read, sheet }
}

test('the sheet has the rules of a page that shows the component', async () => {
  const { ada, api, create, read, sheet } = await openStyles()
  const variable = { type: 'global-color-variable', label: 'sea', value: '#123456' }
  const sea = (await ada('POST', '/builder/v1/variables/create', { body: variable })).body.data.variable.id
  const stops = value('gradient-color-stop', [
    value('color-stop', { color: value('color', '#111111'), offset: value('number', 0) }),
    value('color-stop', { color: value('global-color-variable', sea), offset: value('number', 100) }),
  ])
  const gradient = { type: value('string', 'linear'), angle: value('number', 45), stops }
  const id = await create({
    elements: [
      styled('red', {
        background: value('background', {
          'background-overlay': value('background-overlay', [value('background-gradient-overlay', gradient)]),
        }),
        padding: value('dimensions', { 'block-start': length(4), 'inline-end': length(8) }),
        'border-radius': length(3),
      }),
    ],
  })
  const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify([instance(id)]) }
  const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'Page', status: 'publish', meta } })
  await read()
  const css = (await api.render.document(body.id))?.css ?? []
  const ofPage = (key: string) => css.find((part) => part.key === key)?.css ?? ''
  expect(ofPage('local')).toContain('linear-gradient(45deg')
  expect(sheet()).toBe(ofPage('variables') + ofPage('local').replaceAll('.builder .', '.'))
})

test('the sheet follows every change of a component', async () => {
  const { ada, create, read, sheet } = await openStyles()
  const id = await create({ elements: [styled('#aa0011')] }, 'draft')
  await read()
  expect(sheet()).toContain('#aa0011')
  const path = `/site-api/v1/documents/${id}`
  expect((await ada('POST', path, { body: { elements: [styled('#123456')] } })).status).toBe(200)
  expect(JSON.stringify(await read())).toContain('#123456')
  expect(sheet()).toContain('#123456')
  await create({ elements: [styled('#00bb00')] })
  expect((await ada('DELETE', path)).status).toBe(200)
  expect(Object.keys(await read())).not.toContain(String(id))
  expect(sheet()).not.toContain('#123456')
})

test('archived components are there, which documents still show', async () => {
  const { post, read } = await openStyles()
  const many = async () => {
    const { body } = await post('', { status: 'publish', items: Array.from({ length: 60 }, () => item()) })
    return Object.values(body.data)
  }
  const first = await many()
  await post('/archive', { componentIds: first, status: 'publish' })
  const second = await many()
  expect(Object.keys(await read())).toEqual([...first, ...second].map(String))
})
