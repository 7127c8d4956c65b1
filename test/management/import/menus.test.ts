/** Imports menus and terms of other taxonomies from a file, and reads them back through the api. */
import { expect, onTestFinished, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite } from '../../support/site.ts'
import { author, category, cdata, exportFile, inPieces, item } from './export-file.ts'

async function openSite() {
  const site = await createTestSite({ profile: content })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const imported = (...parts: readonly string[]) =>
    site.api.site.import(inPieces(exportFile(author('ann', 'ann@old.example', 'Ann'), ...parts), 999))
  const read = async (path: string, query: object = {}) =>
    (await ada('GET', `/cms/v2/${path}`, { query: { context: 'edit', ...query } })).body
  const items = async () => read('menu-items', { order: 'asc', orderby: 'menu_order', per_page: 100 })
  return { ...site, imported, read, items }
}

const term = (id: number, taxonomy: string, slug: string, name: string, parent = ''): string =>
  `<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${taxonomy}</wp:term_taxonomy><wp:term_slug>${slug}</wp:term_slug><wp:term_parent>${parent}</wp:term_parent><wp:term_name>${cdata(name)}</wp:term_name></wp:term>`

type Fields = Readonly<Record<string, string | number>>

const menuItem = (id: number, fields: Fields, title = '') =>
  item({
    ...{ id, title, type: 'nav_menu_item', slug: String(id), terms: [['nav_menu', 'main', 'Main']] },
    // The id is that of the target's parent.
    parent: 77,
    content: 'A note',
    meta: Object.entries({ classes: 'a:2:{i:0;s:3:"big";i:1;s:0:"";}', ...fields }).map(([name, value]) => [
      `_menu_item_${name}`,
      String(value),
    ]),
  })

const menu = term(9, 'nav_menu', 'main', 'Main')
const page = (id: number) => item({ id, type: 'page', slug: `page-${id}`, title: `Page ${id}` })

test('imports a menu with its items, their order, targets and parents', async () => {
  const { imported, items, read } = await openSite()
  const { counts, problems } = await imported(
    category('boats', 'Boats'),
    menu,
    menuItem(20, { type: 'post_type', object: 'page', object_id: 5 }),
    menuItem(21, { type: 'taxonomy', object: 'category', object_id: 3, menu_item_parent: 20 }),
    menuItem(
      22,
      {
        type: 'custom',
        object: 'custom',
        url: 'https://tides.example/',
        target: '_blank',
        xfn: 'friend',
        menu_item_parent: 21,
      },
      'Tides',
    ),
    page(5),
  )
  expect(problems).toEqual([])
  expect(counts).toMatchObject({ nav_menu: { created: 1 }, nav_menu_item: { created: 3 } })
  const [main] = await read('menus')
  const [target] = await read('pages', { slug: 'page-5' })
  const [boats] = await read('categories', { slug: 'boats' })
  const listed = await items()
  const byUrl = listed.find(({ type }: { type: string }) => type === 'custom')
  const toPage = listed.find(({ type }: { type: string }) => type === 'post_type')
  const toTerm = listed.find(({ type }: { type: string }) => type === 'taxonomy')
  expect(toPage).toMatchObject({
    object: 'page',
    object_id: target.id,
    parent: 0,
    menus: main.id,
    classes: ['big'],
    description: 'A note',
  })
  expect(toPage.title.rendered).toBe('Page 5')
  expect(toTerm).toMatchObject({ object: 'category', object_id: boats.id, parent: toPage.id })
  expect(byUrl).toMatchObject({
    url: 'https://tides.example/',
    target: '_blank',
    xfn: ['friend'],
    parent: toTerm.id,
    title: { raw: 'Tides' },
  })
})

test('completes targets and parents from a later file, and imports nothing twice', async () => {
  const { imported, items } = await openSite()
  const first = await imported(
    menu,
    menuItem(21, { type: 'post_type', object: 'page', object_id: 5, menu_item_parent: 20 }),
  )
  expect(first.problems.map(({ kind, what }) => [kind, what])).toEqual([
    ['missing-post', 'parent'],
    ['missing-post', 'menu target'],
  ])
  await imported(menu, page(5), menuItem(20, { type: 'custom', url: '/tides' }, 'Tides'), menuItem(21, {}))
  const listed = await items()
  expect(listed).toHaveLength(2)
  const [tides, toPage] = ['custom', 'post_type'].map((type) =>
    listed.find((one: { type: string }) => one.type === type),
  )
  expect(toPage).toMatchObject({ parent: tides.id, title: { rendered: 'Page 5' } })
})

test('completes a target that is a term of a later file', async () => {
  const { imported, items, read } = await openSite()
  const { problems } = await imported(menu, menuItem(20, { type: 'taxonomy', object: 'category', object_id: 3 }))
  expect(problems).toMatchObject([{ kind: 'missing-post', what: 'menu target', examples: [{ what: '3' }] }])
  await imported(category('boats', 'Boats'), page(5))
  const [boats] = await read('categories', { slug: 'boats' })
  expect(await items()).toMatchObject([{ type: 'taxonomy', object_id: boats.id }])
})

test('takes no scripts from an item', async () => {
  const { imported, items } = await openSite()
  await imported(
    menu,
    menuItem(
      20,
      {
        type: 'custom',
        url: 'javascript:alert(1)',
        target: '"><script>',
        classes: 'a:1:{i:0;s:9:"x"onclick=";}',
        xfn: '<b>',
      },
      'Bad',
    ),
  )
  expect(await items()).toMatchObject([{ url: '', target: '', classes: [''], xfn: [''] }])
})

test('imports the terms of every taxonomy that the profile has', async () => {
  const { imported, read } = await openSite()
  const { problems } = await imported(
    term(30, 'wp_pattern_category', 'hero', 'Heroes'),
    term(31, 'genre', 'crime', 'Crime'),
    item({ id: 40, type: 'wp_block', slug: 'banner', terms: [['wp_pattern_category', 'hero', 'Heroes']] }),
  )
  expect(problems.map(({ kind, what }) => [kind, what])).toEqual([['other-taxonomy', 'genre']])
  const [hero] = await read('wp_pattern_category'.replace('wp_', 'cms_'), {})
  expect(hero).toMatchObject({ slug: 'hero', name: 'Heroes', count: 1 })
  expect(await read('blocks')).toMatchObject([{ slug: 'banner', cms_pattern_category: [hero.id] }])
})
