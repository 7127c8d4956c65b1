/** Each route that stores what no page shows says so in its answer. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { widgetElement } from '../../support/documents.ts'
import { withDocuments } from '../../support/documents-profile.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: withDocuments })
})
afterEach(() => site.dispose())

const settings = {
  hide_title: 'yes',
  background_background: 'classic',
  hide_title_tablet: '#fff',
  scroll_snap: 'yes',
}
const named = (param: string, names = '"hide_title_tablet" or "scroll_snap"') => ({
  ...{ code: 'undrawn_setting', param, message: `Settings are kept, but no page changes with ${names}.` },
})
const file = (body: object) => btoa(JSON.stringify({ title: 'File', type: 'header', content: [], ...body }))

const send = async (path: string, body: object, method = 'POST') => {
  const answer = await site.as('ada')(method, path, { body })
  expect([path, answer.status < 300]).toEqual([path, true])
  return answer.body
}

test('posts, pages and their autosaves', async () => {
  const meta = { _builder_page_settings: settings }
  for (const path of ['/cms/v2/posts', '/cms/v2/pages']) {
    const made = await send(path, { title: 'Built', status: 'publish', meta })
    expect(made._warnings).toEqual([named('meta._builder_page_settings')])
    expect((await send(`${path}/${made.id}`, { meta }))._warnings).toEqual([named('meta._builder_page_settings')])
    expect((await send(`${path}/${made.id}/autosaves`, { title: 'Auto', meta }))._warnings).toEqual([
      named('meta._builder_page_settings'),
    ])
    const drawn = { _builder_page_settings: { hide_title: 'yes', preview_id: 3, margin: { unit: 'px', top: 1 } } }
    expect((await send(`${path}/${made.id}`, { meta: drawn }))._warnings).toBeUndefined()
  }
})

test('templates: saved, imported, and as documents', async () => {
  const own = { settings: { ...settings, content_wrapper_html_tag: 'aside' } }
  expect(
    (await send('/builder/v1/template-library/templates', { type: 'page', page_settings: settings }))._warnings,
  ).toEqual([named('page_settings')])
  const [imported] = await send('/builder/v1/site-editor/templates', {
    fileName: 'file.json',
    fileData: file({ page_settings: settings }),
  })
  expect(imported._warnings).toEqual([named('page_settings')])
  const part = await send('/site-api/v1/documents', { kind: 'template', type: 'header', title: 'Top' })
  expect((await send(`/site-api/v1/documents/${part.id}`, own))._warnings).toEqual([
    named('meta._builder_page_settings'),
  ])
  const page = await send('/site-api/v1/documents', { kind: 'page', title: 'Page' })
  expect((await send(`/site-api/v1/documents/${page.id}`, own))._warnings).toEqual([
    named('meta._builder_page_settings', '"hide_title_tablet" or "scroll_snap" or "content_wrapper_html_tag"'),
  ])
})

test('settings in groups: references to the kit, dynamic values, and rules of popups', async () => {
  const popup = await send('/site-api/v1/documents', {
    ...{ kind: 'template', type: 'popup', title: 'Popup' },
    settings: {
      ...{ triggers: { page_load: 'yes', page_load_delay: 3 }, timing: { schedule: 'yes' } },
      ...{ __globals__: { background_color: 'globals/colors?id=text', border_color_hover: '' }, __dynamic__: [] },
    },
  })
  expect(popup._warnings[0].message).toContain('"schedule" or "border_color_hover"')
})

test('a kit that is saved, and the kit that the site takes', async () => {
  const kit = await send('/site-api/v1/documents', {
    ...{ kind: 'template', type: 'kit', title: 'Kit' },
    settings: { h1_color: '#123456', lightbox_color: '#000' },
  })
  expect(kit._warnings.map(({ code }: { code: string }) => code)).toEqual(['kit_not_used', 'undrawn_setting'])
  const { kit: kits } = (site.api as unknown as { site: { kit: { use(id: number): Promise<unknown> } } }).site
  expect(await kits.use(kit.id)).toEqual({ problems: [], undrawn: ['lightbox_color'] })
})

test('widgets that the site never draws, until its host supplies what they need', async () => {
  const meta = {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify([widgetElement('a', 'wc-products'), widgetElement('b', 'sidebar', { sidebar: 'x' })]),
  }
  const { _warnings } = await send('/cms/v2/posts', { title: 'Shop', meta })
  expect(_warnings).toEqual([
    {
      code: 'undrawn_widget',
      param: 'meta._builder_data',
      message: expect.stringMatching(/^No page shows "wc-products" or "sidebar"\. .*shop.* service `sidebar`/),
    },
  ])
  await site.dispose()
  site = await createTestSite({ profile: full, render: { services: { sidebar: () => '<p>Side</p>' } } })
  const again = await send('/cms/v2/posts', { title: 'Shop', meta })
  expect(again._warnings[0].message).toMatch(/^No page shows "wc-products"\. /)
})

test('a setting of the builder that nothing reads', async () => {
  const write = (key: string) => send(`/builder/v1/settings/${key}`, { value: 'yes' })
  expect((await write('builder_lightbox'))._warnings).toMatchObject([{ code: 'unused_setting', param: 'key' }])
  for (const key of ['builder_css_print_method', 'builder_experiment-container', 'builder_theme_settings_skip_link'])
    expect((await write(key))._warnings).toBeUndefined()
})

test('colours and fonts of the kit leave the widgets of a site that switches them off', async () => {
  const meta = {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify([widgetElement('a', 'heading', { title: 'Plain' })]),
  }
  const { id } = await send('/cms/v2/posts', { title: 'Plain', status: 'publish', meta })
  const sheet = async () => (await site.api.render.document(id))?.css.map(({ css }) => css).join('') ?? ''
  const [color, font] = [
    '.builder-heading-title{color:var( --e-global-color-primary',
    '--e-global-typography-primary-font-family )',
  ]
  expect([(await sheet()).includes(color), (await sheet()).includes(font)]).toEqual([true, true])
  await send('/builder/v1/settings/builder_disable_color_schemes', { value: 'yes' })
  await send('/builder/v1/settings/builder_disable_typography_schemes', { value: 'yes' })
  expect([(await sheet()).includes(color), (await sheet()).includes(font)]).toEqual([false, false])
})
