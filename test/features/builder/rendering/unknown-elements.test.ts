import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { h, widget } from '../../../../src/render/builder/entry.ts'
import { containerElement, widgetElement } from '../../../support/documents.ts'
import { withDocuments } from '../../../support/documents-profile.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ render: { widgets: { 'opening-hours': widget({ html: () => h('p', {}, 'Nine') }) } } })
})
afterAll(() => site.dispose())

const save = async (elements: unknown, path = '/cms/v2/posts') => {
  const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) }
  const { status, body } = await site.as('edith')('POST', path, { body: { title: 'Built', status: 'publish', meta } })
  return { status, body, warnings: body._warnings }
}

describe('a saved document', () => {
  test('is stored whole with a warning that names the widgets and elements that nothing draws', async () => {
    const elements = [
      containerElement('a', {}, [widgetElement('b', 'hedding', { title: 'Kept' }), widgetElement('c', 'hedding')]),
      { id: 'd', elType: 'e-carousel', elements: [widgetElement('e', 'lantern')] },
    ]
    const { status, body, warnings } = await save(elements)
    expect(status).toBe(201)
    expect(warnings).toEqual([
      {
        code: 'unknown_widget',
        param: 'meta._builder_data',
        message:
          'No widget is called "hedding" or "lantern": its texts, links and images are shown without its own form.',
      },
      {
        code: 'unknown_element',
        param: 'meta._builder_data',
        message: 'No element is called "e-carousel": only the elements inside are shown.',
      },
    ])
    expect(body.content.rendered).toContain('Kept')
    expect(JSON.parse(body.meta._builder_data)).toEqual(elements)
  })

  test('has no warning for what the engine, its new generation and the host draw', async () => {
    const { warnings } = await save([
      {
        id: 'a',
        elType: 'section',
        elements: [{ id: 'b', elType: 'column', elements: [widgetElement('c', 'heading')] }],
      },
      { id: 'd', elType: 'e-flexbox', elements: [widgetElement('e', 'e-heading'), { id: 'f', elType: 'e-heading' }] },
      widgetElement('g', 'opening-hours'),
      { ...widgetElement('h', 'global'), templateID: 7 },
    ])
    expect(warnings).toBeUndefined()
  })

  test('names at most ten types, whatever a document holds', async () => {
    const { warnings } = await save([
      null,
      7,
      { elType: 'widget' },
      { elType: 'widget', widgetType: { x: 1 } },
      ...Array.from({ length: 12 }, (_, index) => widgetElement(`w${index}`, `kind-${index}`)),
    ])
    expect(warnings).toHaveLength(1)
    expect(warnings[0].message).toMatch(/^No widget is called "" or "kind-0" or .*"kind-8", and 3 more: /)
  })

  test('is warned of when it is saved automatically too', async () => {
    const { body } = await save([widgetElement('a', 'heading')])
    const autosave = await site.as('ada')('POST', `/cms/v2/posts/${body.id}/autosaves`, {
      body: { meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify([widgetElement('b', 'lantern')]) } },
    })
    expect(autosave.body._warnings).toMatchObject([{ code: 'unknown_widget' }])
  })
})

describe('every route that saves elements warns of unknown widgets', () => {
  const content = [containerElement('a000001', {}, [widgetElement('b000001', 'lantern')])]
  const unknown = (param: string) => [
    { code: 'unknown_widget', param, message: expect.stringMatching(/"(e-)?lantern"/) },
  ]

  test('of the template library and the site editor', async () => {
    const { api, dispose, as } = await createTestSite({ profile: full })
    const saved = await as('ada')('POST', '/builder/v1/template-library/templates', {
      body: { title: 'T', type: 'archive', content },
    })
    expect(saved.body._warnings).toEqual(unknown('content'))
    const file = (type: string, elements: unknown) => ({
      fileName: 'a.json',
      fileData: btoa(JSON.stringify({ title: 'F', type, content: elements })),
    })
    const send = (type: string, elements: unknown) =>
      as('ada')('POST', '/builder/v1/site-editor/templates', { body: file(type, elements) })
    expect((await send('header', content)).body[0]._warnings).toEqual(unknown('content'))
    expect((await send('popup', content)).body[0]._warnings).toEqual(unknown('content'))
    expect((await send('header', [])).body[0]).not.toHaveProperty('_warnings')
    expect(api.root).toBe('/api')
    await dispose()
  })

  test('of components and their drafts', async () => {
    const { dispose, as } = await createTestSite({ profile: withDocuments })
    const elements = [
      {
        id: 'c000001',
        elType: 'e-div-block',
        settings: {},
        styles: {},
        elements: [widgetElement('b000001', 'e-lantern')],
      },
    ]
    const made = await as('ada')('POST', '/builder/v1/components', {
      body: { status: 'publish', items: [{ uid: 'card', title: 'Card', elements }] },
    })
    expect(made.body._warnings).toEqual(unknown('items'))
    const draft = await as('ada')('POST', `/site-api/v1/documents/${made.body.data.card}/autosave`, {
      body: { elements },
    })
    expect(draft.body._warnings).toEqual(unknown('elements'))
    await dispose()
  })
})

test('shortcodes that nothing draws are named once for each page, other words in brackets are text', async () => {
  const elements = [
    widgetElement('s1', 'shortcode', { shortcode: '[acme-form id="3"]' }),
    widgetElement('s2', 'text-editor', {
      editor: '<p>[acme-form id="4"] [mail]Write[/mail] as [sic] typed, [[gallery]]</p>',
    }),
    widgetElement('s3', 'shortcode', { shortcode: '[lonely]' }),
    widgetElement('s4', 'html', { html: '<div>[in-html]</div>' }),
    widgetElement('s5', 'heading', { title: 'A [in_heading a=1]' }),
    widgetElement('s6', 'blockquote', { blockquote_content: 'Say [in-quote]' }),
    widgetElement('s7', 'acme-box', { text: 'See [in-unknown id="3"]' }),
  ]
  const { body } = await save(elements)
  const { warnings = [] } = (await site.api.render.document(body.id)) ?? {}
  const named = warnings.filter(({ code }) => code === 'unknown_shortcode').map(({ message }) => message)
  const isNone = (name: string) => `[${name}] is no shortcode of this site: render.shortcodes can define it`
  expect(named).toEqual(['acme-form', 'mail', 'lonely', 'in-html', 'in_heading', 'in-quote', 'in-unknown'].map(isNone))
})

test('an unknown widget has its links on their texts, its files in their form, and no code', async () => {
  const link = (url: string) => ({ url, is_external: '', nofollow: '' })
  const file = (name: string) => ({ url: `https://files.example/${name}`, id: '' })
  const html = async (settings: object) => {
    const { body } = await save([widgetElement('u1', 'acme-all', settings)])
    return (await site.api.render.document(body.id))?.html ?? ''
  }
  const twoLinks = await html({
    title: 'Boats',
    link: link('https://a.example/'),
    btn_text: 'Hire',
    btn_link: link('https://b.example/'),
  })
  expect(twoLinks).toMatch(/<a href="https:\/\/a\.example\/"><h3>Boats<\/h3><\/a>/)
  expect(twoLinks).toMatch(/<a href="https:\/\/b\.example\/"><p>Hire<\/p><\/a>/)
  expect(await html({ ib_title: 'Fair', ib_more: 'directions', ib_url: link('https://map.example/') })).toMatch(
    /<a href="https:\/\/map\.example\/"><p>directions/,
  )
  expect(await html({ text: '<p>Fine</p><script>alert(1)</script>', custom_onclick: "alert('x');" })).not.toContain(
    'alert',
  )
  const files = await html({
    clip: file('a.mp4'),
    menu: { ...file('menu.pdf'), id: 7 },
    bg_image: file('b.jpg'),
    photo: file('c.jpg'),
    photo_tablet: file('c.jpg'),
  })
  expect(files.match(/src="[^"]*"/g)).toEqual([
    'src="https://files.example/a.mp4"',
    'src="https://files.example/c.jpg"',
  ])
  expect(await html({ title: 'Small', title_size: 'h5', sub_title: 'Below' })).toMatch(/<h5>Small<\/h5><p>Below<\/p>/)
})
