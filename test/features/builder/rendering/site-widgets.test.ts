import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { storeDocument, storeTemplate, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let storage: Storage

beforeAll(async () => {
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
    render: {
      services: {
        menu: (name) =>
          name === 'main'
            ? [
                { title: 'Home', url: 'https://quay.example/' },
                {
                  title: 'About',
                  url: 'https://quay.example/about/',
                  children: [{ title: 'Crew', url: 'javascript:x' }],
                },
              ]
            : undefined,
        shortcode: (name, { of }, inner) => (name === 'tide' ? `<b data-of="${of}">${inner ?? 'high'}</b>` : undefined),
      },
    },
  })
})
afterAll(() => site.dispose())

const rendered = async (elements: unknown[], context = {}) => {
  const result = await site.api.render.document(await storeDocument(site, elements), context)
  if (!result) throw new Error('the document was not rendered')
  return { ...result, css: result.css.map(({ css }) => css).join('\n') }
}
const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
  warnings.map(({ code }) => code)

const template = (type: string, elements: unknown, options = {}) =>
  storeTemplate(storage, type, elements, { author: site.ids['user.admin'] ?? 0, ...options })

const title = (text: string) => widgetElement('abc0001', 'heading', { title: text, title_color: '#ff8800' })

test('a template is drawn with its own wrapper, by widget and by shortcode', async () => {
  const id = await template('section', [title('Banner')])
  const page = await rendered([
    widgetElement('a1', 'template', { template_id: id }),
    widgetElement('a2', 'shortcode', { shortcode: `before [builder-template id="${id}"] [[builder-template id="1"]]` }),
  ])
  expect(page.html.match(new RegExp(`data-builder-id="${id}"`, 'g'))).toHaveLength(2)
  expect(page.html).toContain('<div class="builder-template"><div data-builder-type="section"')
  expect(page.html).toContain('before ')
  expect(page.html).toContain('[builder-template id=&quot;1&quot;]')
  expect(page.dependencies).toContain(`post:${id}`)
  // Its rules are written once.
  expect(page.css.match(/#ff8800/g)).toHaveLength(1)
})

test('a template that is missing, a draft or locked is left out, and stays a dependency', async () => {
  const draft = await template('section', [title('Draft')], { status: 'draft' })
  const locked = await template('section', [title('Locked')], { password: 'x' })
  const page = await rendered(
    [draft, locked, 999_999].map((id, at) => widgetElement(`a${at}`, 'template', { template_id: id })),
  )
  expect(page.text).toBe('')
  expect(page.dependencies).toEqual(expect.arrayContaining([`post:${draft}`, `post:${locked}`, 'post:999999']))
  expect(codes(page)).toEqual(['missing_reference'])
})

test('templates that show each other end with a warning', async () => {
  const [first, second] = [await template('section', []), await template('section', [])]
  const shows = (text: string, id: number) =>
    JSON.stringify([title(text), widgetElement('b', 'template', { template_id: id })])
  await storage.meta.write('post', [
    { id: first, key: '_builder_data', value: shows('First', second) },
    { id: second, key: '_builder_data', value: shows('Second', first) },
  ])
  const page = await rendered([widgetElement('a', 'template', { template_id: first })])
  expect(page.text).toBe('First\nSecond\n')
  expect(codes(page)).toEqual(['circular'])
})

test('a shortcode of the host is written as it answers; unknown ones stay as typed', async () => {
  const { html, dependencies } = await rendered([
    widgetElement('a', 'shortcode', { shortcode: '[tide of="x"]low[/tide] [nobody knows="me"] <script>1</script>' }),
  ])
  expect(html).toContain('<b data-of="x">low</b> [nobody knows=&quot;me&quot;]')
  expect(html).not.toContain('<script')
  expect(dependencies).toContain('shortcode:tide')
})

test('global widgets keep their own ids and share the rules of their template', async () => {
  const id = await template('widget', [title('Shared')])
  const instance = (name: string, templateID: number) => ({
    ...widgetElement(name, 'global', { title: 'own' }),
    templateID,
  })
  const page = await rendered([instance('aa1', id), instance('aa2', id), instance('aa3', 424_242)])
  expect(page.text).toBe('Shared\nShared\n')
  expect(page.html).toContain(`builder-element-aa1 builder-global-${id}`)
  expect(page.html).toContain(`builder-element-aa2 builder-global-${id}`)
  expect(page.css.match(/#ff8800/g)).toHaveLength(1)
  expect(page.css).toContain(`.builder-element.builder-global-${id} .builder-heading-title{color:#ff8800}`)
})

test('the content of a post is written once, with its blocks or its document', async () => {
  const content = widgetElement('c1', 'theme-post-content')
  const plain = await template('single-post', [content])
  const tide = site.ids['post.tide']
  expect((await site.api.render.document(plain, { post: tide }))?.html).toContain('<p>Plain words of tide.</p>')
  const locked = await site.api.render.document(plain, { post: site.ids['post.locked'] })
  expect(locked?.html).not.toContain('Hidden.')
  // A document that would show itself shows itself once.
  expect((await rendered([title('Once'), content])).text).toBe('Once\n')
})

test('a template shows nothing of a draft that only its preview setting names', async () => {
  const elements = [widgetElement('a', 'theme-post-title'), title('x')]
  const pageSettings = { preview_type: 'single/post', preview_id: site.ids['post.draft'] ?? 0 }
  const single = await template('single-post', elements, { pageSettings })
  expect((await site.api.render.document(single))?.text).toBe('x\n')
  const forAdmin = await site.api.render.document(single, { user: site.ids['user.admin'] })
  expect(forAdmin?.text).toBe('Draft of an author\nx\n')
})

test('titles of places come from the archive', async () => {
  const elements = [widgetElement('a', 'theme-archive-title'), widgetElement('b', 'theme-page-title')]
  const at = async (templateContext: object, url?: string) => (await rendered(elements, { templateContext, url })).text
  expect(await at({ archive: 'term', term: site.ids['category.guides'] })).toBe(
    'Category: Guides & tips\nGuides & tips\n',
  )
  expect(await at({ archive: 'author', user: site.ids['user.editor'] })).toBe('Author: Edith Editor\nEdith Editor\n')
  expect(await at({ archive: 'search' }, 'https://quay.example/?s=%3Cb%3Etide')).toBe(
    'Search Results for: <b>tide\n'.repeat(2),
  )
  expect(await at({ notFound: true })).toBe('Page Not Found\n')
})

test('a form names its fields, and says nothing of what happens with them', async () => {
  const { html, text } = await rendered([
    widgetElement('f1', 'form', {
      form_name: 'Crew "list"',
      email_to: 'owner@example.test',
      mark_required: 'yes',
      show_labels: '',
      form_fields: [
        { _id: 'x1', custom_id: 'name', field_type: 'text', field_label: 'Name <script>1</script>', required: 'true' },
        {
          _id: 'x2',
          custom_id: 'seat',
          field_type: 'select',
          field_options: 'Bow|1\n\n<i>Stroke</i>|"8"',
          allow_multiple: 'true',
        },
        { _id: 'x3', custom_id: 'days', field_type: 'radio', field_options: 'Mon\nTue', field_value: 'Tue' },
        { _id: 'x4', custom_id: 'trap', field_type: 'honeypot' },
        { _id: 'x5', custom_id: 'ok"><b>', field_type: 'acceptance', acceptance_text: 'I <b>agree</b>' },
        'no field',
      ],
    }),
  ])
  expect(html).toContain('name="Crew &quot;list&quot;"')
  expect(html).toContain('<input type="hidden" name="form_id" value="f1">')
  expect(html).toContain('<label for="form-field-name" class="builder-field-label builder-screen-only">')
  expect(html).toContain('<select name="form_fields[seat][]"')
  expect(html).toContain('<option value="&quot;8&quot;">Stroke</option>')
  expect(html).toContain('value="Tue" id="form-field-days-1" name="form_fields[days]" checked')
  expect(html).toContain('id="form-field-okb"')
  expect(html).toContain(
    '<input type="text" name="form_fields[trap]" id="form-field-trap" tabindex="-1" autocomplete="off">',
  )
  expect(html).toMatch(/<div class="builder-field-type-honeypot [^"]*" aria-hidden="true">/)
  expect(html).not.toMatch(/owner@|<script/)
  expect(text).toBe('')
})

test('a menu marks the current page and links only to safe addresses', async () => {
  const elements = [
    widgetElement('m1', 'nav-menu', { menu: 'main' }),
    widgetElement('m2', 'nav-menu', { menu: 'none' }),
  ]
  const { html, dependencies, text } = await rendered(elements, { url: 'https://quay.example/about/?x=1' })
  expect(html).toContain('<li class="menu-item menu-item-has-children current-menu-item">')
  expect(html).toContain('<a class="builder-sub-item">Crew</a>')
  expect(html).not.toContain('builder-element-m2')
  expect(dependencies).toEqual(expect.arrayContaining(['menu:main', 'menu:none']))
  expect(text).toBe('')
})

test('the search form leads home and shows what was searched for', async () => {
  const { html } = await rendered([widgetElement('s1', 'search-form', { placeholder: 'Find "it"' })], {
    templateContext: { archive: 'search' },
    url: 'https://quay.example/?s=ropes+%22',
  })
  expect(html).toContain('<form class="builder-search-form" action="https://quay.example" method="get">')
  expect(html).toContain('placeholder="Find &quot;it&quot;"')
  expect(html).toContain('name="s" value="ropes &quot;"')
})

test('facts of a post, its author and its neighbours have links', async () => {
  const { html } = await rendered(
    [
      widgetElement('p1', 'post-info', {
        icon_list: [
          { _id: 'i1', type: 'author' },
          { _id: 'i2', type: 'date' },
          { _id: 'i3', type: 'terms' },
          { type: 'moon' },
        ],
      }),
      widgetElement('p2', 'author-box', { show_link: 'yes' }),
      widgetElement('p3', 'post-navigation'),
    ],
    { post: site.ids['post.tide'] },
  )
  expect(html).toContain('builder-repeater-item-i1')
  expect(html).toContain('href="https://quay.example/author/aiko-author/"')
  expect(html).toContain('January 14, 2024')
  expect(html).toContain('href="https://quay.example/category/news/news-harbour/"')
  expect(html).toContain('<h4 class="builder-author-box__name">Aiko Author</h4>')
  expect(html).toContain('<a href="https://quay.example/ferry/" rel="prev">')
  expect(html).toContain('<a href="https://quay.example/knots/" rel="next">')
  expect(html).not.toContain('@example.test')
})
