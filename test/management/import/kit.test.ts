/** The kit of an imported site: colours, fonts, widths and custom CSS. */
import { expect, test } from 'vitest'
import { openEmptySite } from '../empty-site.ts'
import { fileEnd, fileStart, inPieces, item } from './export-file.ts'

const written = (...items: readonly string[]) => inPieces(`${fileStart}${items.join('')}${fileEnd}`, 999)

const kitOf = (id: number, settings: string, more: object = {}) =>
  item({
    ...{ id, type: 'elementor_library', title: `Kit ${id}`, slug: `kit-${id}` },
    meta: [
      ['_elementor_edit_mode', 'builder'],
      ['_elementor_template_type', 'kit'],
      ['_elementor_page_settings', settings],
    ],
    ...more,
  })

const settings = {
  system_colors: [{ _id: 'primary', title: 'Primary', color: '#102A43' }],
  custom_colors: [
    { _id: 'ab12cd3', title: 'Moss', color: '#335544' },
    { _id: 'evil', title: 'Evil', color: 'red;}body{display:none' },
  ],
  system_typography: [{ _id: 'text', title: 'Text', typography_typography: 'custom', typography_font_family: 'Lora' }],
  container_width: { unit: 'px', size: 970 },
  button_background_background: 'classic',
  button_background_color: '#AA0011',
  form_field_text_color: '#220033',
  viewport_mobile: 600,
  active_breakpoints: ['viewport_mobile', 'viewport_tablet'],
  custom_css: 'selector .tide { color: teal }',
}
const json = JSON.stringify(settings)
const serialized = `a:1:{s:13:"system_colors";a:1:{i:0;a:3:{s:3:"_id";s:7:"primary";s:5:"title";s:7:"Primary";s:5:"color";s:7:"#ABCDEF";}}}`

const heading = [
  {
    ...{ id: 'a1b2c3d', elType: 'widget', widgetType: 'heading', elements: [] },
    settings: { title: 'Hi', align_mobile: 'center', __globals__: { title_color: 'globals/colors?id=ab12cd3' } },
  },
]
const page = item({
  ...{ id: 5, type: 'page', slug: 'home' },
  meta: [
    ['_elementor_edit_mode', 'builder'],
    ['_elementor_data', JSON.stringify(heading)],
  ],
})

type Api = Awaited<ReturnType<typeof openEmptySite>>

async function cssOf(api: Api): Promise<string> {
  const [{ id = 0 } = {}] = (await api.call<{ id: number }[]>('GET', '/cms/v2/pages', {}, { as: 'system' })).data
  return JSON.stringify((await api.render.document(id))?.css)
}

const optionsOf = (api: Api) =>
  api.site.options.read(['builder_active_kit', 'builder_kit_colors', 'builder_kit_typography', 'builder_kit_settings'])

test('becomes the kit of an empty site, with what its settings say', async () => {
  const api = await openEmptySite()
  const report = await api.site.import(written(kitOf(3, json), page))
  const stored = await optionsOf(api)
  expect(report.settings).toMatchObject({ builder_active_kit: stored['builder_active_kit'] })
  const left = report.problems.filter(({ kind }) => kind !== 'user-made')
  expect(left).toMatchObject([{ kind: 'invalid-setting', what: 'custom_colors', count: 1 }])
  expect(stored['builder_kit_colors']).toMatchObject({
    system: [{ id: 'primary', value: '#102A43' }, { id: 'secondary' }, { id: 'text' }, { id: 'accent' }],
    custom: [{ id: 'ab12cd3', title: 'Moss', value: '#335544' }],
  })
  const css = (await cssOf(api)).toLowerCase()
  const values = ['#102a43', '#335544', 'lora', '970px', '#aa0011', '#220033', '.tide', 'max-width:600px']
  expect(values.filter((value) => !css.includes(value))).toEqual([])
  expect(css.includes('body{display')).toBe(false)
})

test('is read from serialized settings, and the last published one with settings counts', async () => {
  const api = await openEmptySite()
  const kits = [kitOf(3, json), kitOf(4, serialized), kitOf(6, 'a:0:{}'), kitOf(7, json, { status: 'draft' })]
  await api.site.import(written(...kits, page))
  expect(JSON.stringify((await optionsOf(api))['builder_kit_colors'])).toContain('#ABCDEF')
})

test('stays out of a site that has content or a kit, unless the caller asks; the report says how', async () => {
  const api = await openEmptySite()
  await api.call('POST', '/builder/v1/globals/colors/sea', { title: 'Sea', value: '#00f' }, { as: 'system' })
  const { settings, problems } = await api.site.import(written(kitOf(3, json), page))
  expect(settings).not.toHaveProperty('builder_active_kit')
  const told = problems.find(({ kind }) => kind === 'kit-not-used')
  expect(told?.examples).toMatchObject([{ what: 'Kit 3' }])
  expect(JSON.stringify((await optionsOf(api))['builder_kit_colors'])).not.toContain('#102A43')
  expect(await api.site.kit.use(Number(told?.what))).toEqual({ problems: ['custom_colors'], undrawn: [] })
  expect(/#102a43/i.test(await cssOf(api))).toBe(true)
  // The file again: the site has its kit already.
  const again = await api.site.import(written(kitOf(3, json), page))
  expect(again.problems.map(({ kind }) => kind)).not.toContain('kit-not-used')
  await api.site.import(written(kitOf(4, serialized)), { kit: true })
  expect(/#abcdef/i.test(await cssOf(api))).toBe(true)
})

test('is a stored kit document: other rows are refused', async () => {
  const api = await openEmptySite()
  await api.site.import(written(page))
  const [{ id = 0 } = {}] = (await api.call<{ id: number }[]>('GET', '/cms/v2/pages', {}, { as: 'system' })).data
  await expect(api.site.kit.use(id)).rejects.toThrow(`there is no kit ${id}`)
  await expect(api.site.kit.use(999)).rejects.toThrow(TypeError)
  expect(await optionsOf(api)).toEqual({})
})

test('comes along to a site that is seeded with the document of this one', async () => {
  const [api, other] = [await openEmptySite(), await openEmptySite()]
  await api.site.import(written(page, kitOf(3, json)))
  const document = await api.site.export()
  expect(document.options).toMatchObject({ builder_active_kit: 'kit-3' })
  const ids = await other.site.seed(document)
  expect(await optionsOf(other)).toEqual({ ...(await optionsOf(api)), builder_active_kit: ids['document.kit-3'] })
})
