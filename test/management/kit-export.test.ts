/** A site that is written as a kit, taken over by an empty site, and written again. */
import { expect, onTestFinished, test } from 'vitest'
import { blankPost } from '../../src/contract/fields/blank.ts'
import { full } from '../../src/profiles/full.ts'
import { readZip } from '../../src/services/zip.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { containerElement, widgetElement } from '../support/documents.ts'
import type { Parsed } from '../support/parsed.ts'
import { baseUrl, createTestSite, type TestSite, type TestSiteOptions } from '../support/site.ts'
import type { OpenStorage } from '../support/storage.ts'

async function openSite(storage: NonNullable<TestSiteOptions['storage']> = (opened) => opened) {
  const site = await createTestSite({ profile: full, seed: false, storage })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return site
}

async function* pieces(bytes: Uint8Array, size = 5000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const textsOf = (kit: Uint8Array) =>
  new Map(
    readZip(kit, { files: 500, fileBytes: 1e8, totalBytes: 1e8, ratio: 1000 }).map(({ name, bytes }) => [
      name,
      new TextDecoder().decode(bytes),
    ]),
  )
const jsonOf = (kit: Uint8Array, name: string) => JSON.parse(textsOf(kit).get(name) ?? 'null')

const picture = {
  file: '2024/05/pier.jpg',
  mimeType: 'image/jpeg',
  title: 'Pier',
  width: 1200,
  height: 800,
  alt: 'A pier',
}

/** A site with each kind of thing that a kit has, and some that it has not. */
async function harbour() {
  const site = await openSite()
  const { api } = site
  const call = async (method: string, path: string, body: { readonly [name: string]: unknown } = {}): Promise<Parsed> =>
    (await api.call<Parsed>(method, path, body, { as: 'system' })).data
  // Rows that are removed again: the ids of this site are not those of a copy.
  const gone = await call('POST', '/cms/v2/posts', { title: 'Gone', status: 'publish' })
  await call('DELETE', `/cms/v2/posts/${gone.id}`, { force: true })
  await api.site.options.write({ name: 'Harbour & quay', menu_locations: { primary: 'Top' } })
  const pier = await api.site.media.create(picture)
  const boats = await call('POST', '/cms/v2/categories', { name: 'Boats', description: 'All that floats' })
  const sails = await call('POST', '/cms/v2/categories', { name: 'Sails', parent: boats.id })
  const tag = await call('POST', '/cms/v2/tags', { name: 'Low tide' })
  const author = await api.site.users.create({ login: 'anneke', email: 'anneke@people.example', roles: ['author'] })
  await call('POST', '/cms/v2/posts', {
    ...{
      title: 'Tide table ]]> & more',
      status: 'publish',
      content: `<!-- cms:paragraph --><p>High at ten</p><!-- /cms:paragraph -->[gallery ids="${pier.id}"]`,
    },
    ...{
      excerpt: 'In short',
      categories: [sails.id],
      tags: [tag.id],
      featured_media: pier.id,
      author: author.id,
      format: 'aside',
    },
    ...{ date: '2024-05-01T10:00:00', sticky: true },
  })
  await call('POST', '/cms/v2/posts', { title: 'Secret draft', content: 'Nobody reads this' })
  const document = (elements: unknown[], settings: object = {}) => ({
    meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements), _builder_page_settings: settings },
  })
  const front = await call('POST', '/cms/v2/pages', {
    ...{ title: 'Welcome', slug: 'start', status: 'publish', featured_media: pier.id },
    ...document(
      [
        containerElement('aaaaaa1', {}, [
          widgetElement('aaaaaa2', 'heading', { title: 'Hello harbour' }),
          widgetElement('aaaaaa3', 'image', { image: { id: pier.id, url: `${baseUrl}/uploads/2024/05/pier.jpg` } }),
        ]),
      ],
      { hide_title: 'yes' },
    ),
  })
  const news = await call('POST', '/cms/v2/pages', { title: 'News', status: 'publish', content: 'All news' })
  await call('POST', '/cms/v2/pages', {
    title: 'Crew',
    parent: news.id,
    status: 'publish',
    menu_order: 4,
    template: '',
  })
  await api.site.options.write({ show_on_front: 'page', page_on_front: front.id, page_for_posts: news.id })
  const menu = await call('POST', '/cms/v2/menus', { name: 'Top menu', locations: ['primary'] })
  const item = await call('POST', '/cms/v2/menu-items', {
    title: 'News',
    menus: menu.id,
    type: 'post_type',
    object: 'page',
    object_id: news.id,
    status: 'publish',
    menu_order: 1,
  })
  await call('POST', '/cms/v2/menu-items', {
    title: 'Boats',
    menus: menu.id,
    type: 'taxonomy',
    object: 'category',
    object_id: boats.id,
    status: 'publish',
    parent: item.id,
    menu_order: 2,
    classes: ['wide'],
  })
  await call('POST', '/cms/v2/menu-items', {
    title: 'Afar',
    menus: menu.id,
    type: 'custom',
    url: 'https://afar.example/',
    status: 'publish',
    menu_order: 3,
    target: '_blank',
  })
  const template = async (type: string, title: string, elements: unknown[], conditions?: string[][]) => {
    const made = await call('POST', '/builder/v1/template-library/templates', { title, type, content: elements })
    if (conditions)
      await call('PUT', `/builder/v1/site-editor/templates-conditions/${made.template_id}`, { conditions })
    return made.template_id
  }
  await template(
    'header',
    'Top',
    [widgetElement('bbbbbb1', 'heading', { title: 'Top of all' })],
    [['include', 'general']],
  )
  await template(
    'single-post',
    'One post',
    [widgetElement('bbbbbb2', 'theme-post-title', {})],
    [
      ['include', 'singular', 'page', String(news.id)],
      ['exclude', 'singular', 'in_category', String(sails.id)],
    ],
  )
  await template('section', 'Kept', [widgetElement('bbbbbb3', 'button', { text: 'Go' })])
  await call('POST', '/builder/v1/components', {
    status: 'publish',
    items: [
      {
        uid: 'card-1',
        title: 'Card',
        elements: [{ id: 'cccccc1', elType: 'e-div-block', settings: {}, styles: {}, elements: [] }],
      },
    ],
  })
  await call('POST', '/builder/v1/globals/colors/sea', { title: 'Sea', value: '#004466' })
  await call('POST', '/builder/v1/globals/typography/quote', {
    title: 'Quote',
    value: { typography_typography: 'custom', typography_font_family: 'Lora' },
  })
  await api.site.options.write({
    builder_kit_settings: {
      container_width: { unit: 'px', size: 980 },
      site_logo: { id: pier.id, url: '' },
      custom_css: '.tide { color: teal }',
    },
  })
  return { site, api, call }
}

async function copyOf(kit: Uint8Array) {
  const copy = await openSite()
  await copy.api.site.options.write({ name: 'Harbour & quay', menu_locations: { primary: 'Top' } })
  const report = await copy.api.site.import(pieces(kit))
  return { copy, report }
}

const pageOf = async ({ api }: Pick<TestSite, 'api'>, path: string) =>
  (await createSitePages(api).fetch(new Request(`${baseUrl}${path}`))).text()

/** Ids differ from site to site, and users stay. */
const withoutIds = (page: string) =>
  page
    .replace(/\b(document|cms-image|builder-page|builder-kit|builder|post|page|item)-\d+(?:\.[0-9a-f]+)?/g, '$1')
    .replace(/data-builder-id="\d+"| · by <a [^>]*>[^<]*<\/a>/g, '')

const titlesOf = async ({ api }: Pick<TestSite, 'api'>, type: string) => {
  const { data } = await api.call<{ title: { raw: string } }[]>(
    ...(['GET', `/cms/v2/${type}`, { context: 'edit', orderby: 'title', order: 'asc' }, { as: 'system' }] as const),
  )
  return data.map(({ title }) => title.raw)
}

test('a copy has the same design, templates, pages, terms, menus, media and front page, and writes the same kit', async () => {
  const { site, api } = await harbour()
  const kit = await api.site.kit.export()
  const { copy, report } = await copyOf(kit)
  // A kit has no authors, and no page shows its logo.
  expect(report.problems.map(({ kind }) => kind)).toEqual(['no-author', 'undrawn-setting'])
  const again = await copy.api.site.kit.export()
  expect(Object.fromEntries(textsOf(again))).toEqual(Object.fromEntries(textsOf(kit)))
  expect(again).toEqual(kit)
  for (const path of ['/', '/news/', '/news/crew/', '/category/boats/sails/', '/tide-table-more/']) {
    expect([path, withoutIds(await pageOf(copy, path))]).toEqual([path, withoutIds(await pageOf(site, path))])
  }
  const conditions = Object.values(jsonOf(kit, 'manifest.json').templates as object).map(
    ({ title, conditions: of }) => [title, of.length],
  )
  expect(conditions.sort()).toEqual([
    ['Kept', 0],
    ['One post', 2],
    ['Top', 1],
  ])
  const { data: menus } = await copy.api.call<Parsed>('GET', '/cms/v2/menus', {}, { as: 'system' })
  expect(menus).toMatchObject([{ name: 'Top menu', locations: ['primary'] }])
  const options = await copy.api.site.options.read(['page_on_front', 'page_for_posts', 'builder_kit_settings'])
  expect(options['page_on_front']).not.toBe(options['page_for_posts'])
  expect(options['builder_kit_settings']).toMatchObject({ custom_css: '.tide { color: teal }' })
})

test('has nothing that is not published, and nobody', async () => {
  const { api } = await harbour()
  const texts = [...textsOf(await api.site.kit.export()).values()].join('\n')
  expect(['Tide table', 'Welcome', 'Card'].filter((word) => !texts.includes(word))).toEqual([])
  expect(
    ['Secret draft', 'Nobody reads', 'anneke', 'people.example', 'Gone'].filter((word) => texts.includes(word)),
  ).toEqual([])
})

test('a later kit of the same site adds what is new to the copy, and doubles nothing', async () => {
  const { api, call } = await harbour()
  const { copy } = await copyOf(await api.site.kit.export())
  await call('POST', '/cms/v2/pages', { title: 'Arrivals', status: 'publish' })
  const { counts } = await copy.api.site.import(pieces(await api.site.kit.export()))
  const created = Object.entries(counts).flatMap(([kind, { created: count }]) => (count > 0 ? [[kind, count]] : []))
  expect(created).toEqual([['pages', 1]])
})

test('rows of a copy beside the imported ones have numbers of their own', async () => {
  const { api } = await harbour()
  const { copy } = await copyOf(await api.site.kit.export())
  for (const title of ['One', 'Two', 'Three']) {
    await copy.api.call('POST', '/cms/v2/posts', { title, status: 'publish' }, { as: 'system' })
  }
  const { copy: third } = await copyOf(await copy.api.site.kit.export())
  expect(await titlesOf(third, 'posts')).toEqual(await titlesOf(copy, 'posts'))
  expect(await titlesOf(third, 'pages')).toEqual(await titlesOf(copy, 'pages'))
})

test('a front page without a document comes along, and without content the design and the templates do', async () => {
  const { api } = await openSite()
  const page = await api.call<Parsed>('POST', '/cms/v2/pages', { title: 'Plain', status: 'publish' }, { as: 'system' })
  await api.site.options.write({ show_on_front: 'page', page_on_front: page.data.id })
  const { copy, report } = await copyOf(await api.site.kit.export())
  expect(await titlesOf(copy, 'pages')).toEqual(['Plain'])
  expect(report.settings).toMatchObject({ show_on_front: 'page', page_on_front: expect.any(Number) })
  const whole = await harbour()
  const design = await whole.api.site.kit.export({ content: false })
  expect([...textsOf(design).keys()].filter((name) => !name.startsWith('templates/'))).toEqual([
    'manifest.json',
    'site-settings.json',
  ])
  const { copy: bare } = await copyOf(design)
  expect(await titlesOf(bare, 'pages')).toEqual([])
  expect(await bare.api.site.options.read(['builder_kit_settings'])).toMatchObject({
    builder_kit_settings: { container_width: { size: 980 } },
  })
})

test('a site that no import would take is refused', async () => {
  let storage: OpenStorage['storage'] | undefined
  const site = await openSite((opened) => {
    storage = opened
    return opened
  })
  const rows = Array.from({ length: 10_001 }, (_, index) => ({
    ...{ ...blankPost, author: 0, type: 'post', status: 'publish', slug: `s-${index}`, title: `S ${index}` },
    ...{ date: '2024-01-01T00:00:00', dateGmt: '2024-01-01T00:00:00' },
    ...{ modified: '2024-01-01T00:00:00', modifiedGmt: '2024-01-01T00:00:00' },
  }))
  for (let from = 0; from < rows.length; from += 500) await storage?.posts.insert(rows.slice(from, from + 500))
  await expect(site.api.site.kit.export()).rejects.toMatchObject({ code: 'export_kit' })
  expect((await site.api.site.kit.export({ content: false })).length).toBeGreaterThan(0)
})
