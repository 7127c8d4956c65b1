/** Site kits and template kits: zip archives that are taken over whole or not at all. */
import { expect, test } from 'vitest'
import { writeZip } from '../../../src/services/zip.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { baseUrl } from '../../support/site.ts'
import { openEmptySite } from '../empty-site.ts'
import { fileEnd, fileStart, item } from './export-file.ts'

type Api = Awaited<ReturnType<typeof openEmptySite>>

const text = new TextEncoder()
const zipOf = (files: { readonly [name: string]: unknown }) =>
  writeZip(
    Object.entries(files).map(([name, value]) => ({
      name,
      bytes: text.encode(typeof value === 'string' ? value : JSON.stringify(value)),
    })),
  )

async function* pieces(bytes: Uint8Array, size = 700) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const heading = (id: string, title: string, more: object = {}) => ({
  ...{ id, elType: 'widget', widgetType: 'heading', elements: [], settings: { title, ...more } },
})
const colors = { system_colors: [{ _id: 'primary', title: 'Primary', color: '#102A43' }] }

const siteKit = {
  'manifest.json': {
    ...{ name: 'harbour', title: 'Harbour', version: '2.0', site: 'https://kit.example' },
    content: { page: { 12: { title: 'Welcome', doc_type: 'wp-page', show_on_front: true } } },
    templates: {
      13: {
        title: 'Top',
        doc_type: 'header',
        conditions: [{ type: 'include', name: 'general', sub_name: '', sub_id: '' }],
      },
    },
    taxonomies: { post: ['category'] },
  },
  'site-settings.json': { content: [], settings: { ...colors, custom_css: '.tide { color: teal }' }, metadata: [] },
  'content/page/12.json': {
    content: [heading('a1b2c3d', 'Hello harbour')],
    settings: { hide_title: 'yes' },
    metadata: [],
  },
  'templates/13.json': { content: [heading('b1b2c3d', 'Top of all')], settings: [], metadata: [] },
  'taxonomies/category.json': [
    { term_id: 4, name: 'Boats', slug: 'boats', taxonomy: 'category', parent: 0 },
    { term_id: 5, name: 'Sails', slug: 'sails', taxonomy: 'category', parent: 4 },
  ],
  'wp-content/post/post.xml': `${fileStart}${item({ id: 20, slug: 'tide-table', title: 'Tide table', terms: [['category', 'boats', 'Boats']] })}${fileEnd}`,
}

const rows = async (api: Api, path: string) =>
  (
    await api.call<{ id: number; title: { raw: string }; slug: string }[]>(
      'GET',
      path,
      { context: 'edit' },
      { as: 'system' },
    )
  ).data

const countsOf = async (api: Api) => [
  (await rows(api, '/cms/v2/pages')).length,
  (await rows(api, '/cms/v2/posts')).length,
  Object.keys(await api.site.options.read(['builder_active_kit', 'page_on_front'])).length,
]

test('a site kit brings its design, pages, templates with conditions, terms, export files and front page', async () => {
  const api = await openEmptySite()
  const report = await api.site.import(pieces(zipOf(siteKit)))
  expect(report.problems.filter(({ kind }) => !['no-author', 'user-made'].includes(kind))).toEqual([])
  const [page] = await rows(api, '/cms/v2/pages')
  expect(page?.title.raw).toBe('Welcome')
  expect(report.settings).toMatchObject({ page_on_front: page?.id })
  const rendered = await api.render.document(page?.id ?? 0)
  expect(rendered?.html).toContain('Hello harbour')
  expect(/#102a43/i.test(JSON.stringify(rendered?.css))).toBe(true)
  expect((await rows(api, '/cms/v2/posts')).map(({ slug }) => slug)).toEqual(['tide-table'])
  const terms = (
    await api.call<{ id: number; slug: string; parent: number }[]>('GET', '/cms/v2/categories', {}, { as: 'system' })
  ).data
  const boats = terms.find(({ slug }) => slug === 'boats')
  expect(terms.find(({ slug }) => slug === 'sails')?.parent).toBe(boats?.id)
  const front = await (await createSitePages(api).fetch(new Request(`${baseUrl}/`))).text()
  expect([front.includes('Hello harbour'), front.includes('Top of all')]).toEqual([true, true])
  // Again: no duplicates.
  const again = await api.site.import(pieces(zipOf(siteKit), 1_000_000))
  expect(Object.values(again.counts).filter(({ created }) => created > 0)).toEqual([])
  expect(again.problems.map(({ kind }) => kind)).not.toContain('kit-not-used')
})

test('a template kit brings its templates and its global settings', async () => {
  const api = await openEmptySite()
  const kit = {
    'manifest.json': {
      title: 'Shop front',
      templates: [
        { name: 'Global', source: 'templates/global.json', metadata: { template_type: 'global-styles' } },
        { name: 'Landing', source: 'templates/landing.json' },
      ],
    },
    'templates/global.json': { content: [], page_settings: colors },
    'templates/landing.json': { type: 'page', content: [heading('c1b2c3d', 'Buy here')], page_settings: [] },
  }
  const { settings } = await api.site.import(pieces(zipOf(kit)))
  expect(settings).toHaveProperty('builder_active_kit')
  const { templates } = (
    await api.call<{ templates: { title: string }[] }>(
      'GET',
      '/builder/v1/template-library/templates',
      {},
      { as: 'system' },
    )
  ).data
  expect(templates.map(({ title }) => title)).toEqual(['Landing'])
})

test('a site kit without templates has its pages, with the addresses, excerpts and terms that its manifest names', async () => {
  const api = await openEmptySite()
  const more = {
    ...{ name: 'quay', title: 'Quay', description: '', author: 'ann', version: '3.0', created: '2024-05-01 10:00:00' },
    ...{ site: 'https://kit.example', 'site-settings': ['global-colors', 'custom-css'], templates: [] },
    plugins: [{ name: 'Forms', plugin: 'forms/forms', pluginUri: 'https://forms.example', version: '2.1' }],
    taxonomies: { post: ['category'] },
    content: {
      page: [],
      post: {
        31: {
          ...{ title: 'High water', excerpt: 'Twice a day', doc_type: 'wp-post', thumbnail: false },
          url: 'https://kit.example/2024/05/the-tide/',
          terms: [{ term_id: 4, taxonomy: 'category', slug: 'boats' }],
        },
      },
    },
    'wp-content': { post: [], nav_menu_item: [] },
  }
  const kit = {
    ...{ '__MACOSX/quay/._manifest.json': 'x', 'quay/manifest.json': more },
    'quay/site-settings.json': {
      content: [],
      settings: colors,
      metadata: [],
      experiments: [],
      theme: { name: 'Quay' },
    },
    'quay/content/post/31.json': { content: [heading('d1b2c3d', 'Tides')], settings: [], metadata: [] },
    'quay/taxonomies/category.json': siteKit['taxonomies/category.json'],
  }
  const { settings } = await api.site.import(pieces(zipOf(kit)))
  expect(settings).toHaveProperty('builder_active_kit')
  const posts = (await rows(api, '/cms/v2/posts')) as unknown as {
    readonly id: number
    readonly slug: string
    readonly excerpt: { readonly raw: string }
    readonly categories: readonly number[]
  }[]
  const [boats] = await rows(api, '/cms/v2/categories?slug=boats')
  expect(posts).toMatchObject([{ slug: 'the-tide', excerpt: { raw: 'Twice a day' }, categories: [boats?.id] }])
  expect((await api.render.document(posts[0]?.id ?? 0))?.html).toContain('Tides')
})

test('a template kit brings the display conditions of its parts', async () => {
  const api = await openEmptySite()
  const part = (name: string, type: string, condition: string) => ({
    ...{ name, type, screenshot: `screenshots/${name}.jpg`, source: `templates/${name}.json`, category: 'section' },
    metadata: { template_type: `section-${type}`, include_in_zip: '1', elementor_pro_conditions: [condition] },
    elementor_pro_required: true,
  })
  const kit = {
    'manifest.json': {
      ...{ manifest_version: '1.0.23', title: 'Bakery', page_builder: 'elementor', kit_version: '1.0.1' },
      templates: [part('header', 'header', 'include/general'), part('footer', 'footer', 'include/general')],
      required_plugins: [{ name: 'Elementor', version: '3.0', file: 'elementor/elementor.php', author: 'x' }],
      images: [{ filename: 'bread.jpg', image_urls: 'https://kit.example/bread', dimensions: [600, 400] }],
    },
    'screenshots/header.jpg': 'no picture',
    'templates/header.json': { version: '0.4', type: 'header', content: [heading('e1', 'Bread')], page_settings: [] },
    'templates/footer.json': { version: '0.4', type: 'footer', content: [heading('f1', 'Flour')], page_settings: [] },
  }
  await api.site.import(pieces(zipOf(kit)))
  const { data } = await api.call<{ id: number }>(
    'POST',
    '/cms/v2/pages',
    { title: 'Rolls', slug: 'rolls', status: 'publish' },
    { as: 'system' },
  )
  expect(data.id).toBeGreaterThan(0)
  const page = await (await createSitePages(api).fetch(new Request(`${baseUrl}/rolls/`))).text()
  expect(['Bread', 'Rolls', 'Flour'].map((word) => page.includes(word))).toEqual([true, true, true])
})

test('an archive of exported templates has no manifest', async () => {
  const api = await openEmptySite()
  const template = (title: string) => ({
    ...{ version: '0.4', title, type: 'section', content: [heading('a1', title)], page_settings: [] },
  })
  const kit = { 'one-12-2024-05-01.json': template('One'), 'two-13-2024-05-01.json': template('Two') }
  const { counts } = await api.site.import(pieces(zipOf(kit)))
  expect(Object.values(counts).reduce((sum, { created }) => sum + created, 0)).toBe(2)
  const again = await api.site.import(pieces(zipOf(kit)))
  expect(Object.values(again.counts).reduce((sum, { created }) => sum + created, 0)).toBe(0)
})

const broken: readonly (readonly [string, { readonly [name: string]: unknown }])[] = [
  ['without a manifest', { 'readme.txt': 'x' }],
  ['with a file that is missing', { ...siteKit, 'content/page/12.json': undefined }],
  ['with a file that is no JSON', { ...siteKit, 'templates/13.json': '{"content":[' }],
  [
    'with settings nested too deep',
    { ...siteKit, 'site-settings.json': `{"settings":${'['.repeat(300)}${']'.repeat(300)}}` },
  ],
  ['with an export file that breaks off', { ...siteKit, 'wp-content/post/post.xml': `${fileStart}<item><title>` }],
  ['with a number that is none', { ...siteKit, 'manifest.json': { content: { page: { '../x': {} } } } }],
]

test.each(broken)('an archive %s is refused, and nothing is stored', async (_, files) => {
  const api = await openEmptySite()
  const given = Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined))
  await expect(api.site.import(pieces(zipOf(given)))).rejects.toMatchObject({ code: 'import_kit' })
  expect(await countsOf(api)).toEqual([0, 0, 0])
})

test('ids inside the contents of its export files lead to the new rows', async () => {
  const api = await openEmptySite()
  // The next ids of this site are others than those of the kit.
  for (const title of ['One', 'Two']) await api.call('POST', '/cms/v2/posts', { title }, { as: 'system' })
  const content = (post: number, template: number, category: number) =>
    `[elementor-template id="${template}"]<!-- cms:latest-posts {"categories":[{"id":${category}}]} /--><a href="/?p=${post}">x</a>`
  const written = content(21, 13, 5).replace('cms:', 'wp:')
  const more = [item({ id: 20, slug: 'shows', content: written }), item({ id: 21, slug: 'shown' })]
  await api.site.import(pieces(zipOf({ ...siteKit, 'wp-content/post/post.xml': fileStart + more.join('') + fileEnd })))
  const idOf = async (path: string) => (await rows(api, path))[0]?.id ?? 0
  const sails = await idOf('/cms/v2/categories?slug=sails')
  const [shows] = (await rows(api, '/cms/v2/posts?slug=shows')) as unknown as {
    readonly content: { readonly raw: string }
  }[]
  const templates = await api.call<{ readonly templates: readonly { readonly template_id: number }[] }>(
    'GET',
    '/builder/v1/template-library/templates',
    {},
    { as: 'system' },
  )
  const [template] = templates.data.templates
  expect(shows?.content.raw).toBe(content(await idOf('/cms/v2/posts?slug=shown'), template?.template_id ?? 0, sails))
})
