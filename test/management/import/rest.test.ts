/** Imports a running site over REST: another site of ours with the words of the preset, behind `fetch`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { int, str } from '../../../src/core/declare/args.ts'
import { profile } from '../../../src/core/declare/profile.ts'
import { metaFields } from '../../../src/features/content/meta-fields.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { full } from '../../../src/profiles/full.ts'
import { createHttpClient } from '../../../src/services/http-client/index.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, type Requester, type TestSite, type TestSiteOptions } from '../../support/site.ts'
import { passwordOf, smallSite } from '../../support/small-site.ts'

type ImportFrom = TestSite['api']['site']['importFrom']
type Options = Parameters<ImportFrom>[1]

let old: TestSite
let here: TestSite
let asked: string[]
let waits: number[]

const front = 'https://quay.example'

async function open(options: TestSiteOptions): Promise<TestSite> {
  return createTestSite({ profile: full, names: wordpress, root: '/wp-json', ...options })
}

beforeEach(async () => {
  asked = []
  waits = []
  old = await open({})
  here = await open({ seed: { users: smallSite.users.slice(0, 1) }, services: { outbound: createHttpClient() } })
})
afterEach(async () => {
  const failures = [...old.failures, ...here.failures]
  await old.dispose()
  await here.dispose()
  expect(failures).toEqual([])
})

/** The front page is the host's, which names the interface by a link. */
const answer = async (address: string, init?: RequestInit): Promise<Response> => {
  const url = new URL(address)
  if (url.pathname === '/' && !url.searchParams.has('rest_route')) {
    return new Response('<h1>Quay</h1>', {
      headers: {
        link: '<https://other.example/x.css>; rel=preload, <https://quay.example/wp-json/>; rel="https://api.w.org/"',
      },
    })
  }
  if (url.pathname === '/') url.pathname = '/wp-json/'
  return old.api.fetch(new Request(url, init))
}

const counted = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
  asked.push(decodeURIComponent(`${address}`).replace(front, ''))
  return answer(`${address}`, init)
}

const importFrom = (address = `${front}/wp-json`, options: Partial<Options> = {}) =>
  here.api.site.importFrom(address, {
    ...{ user: 'ada', password: passwordOf('ada'), fetch: counted },
    wait: async (ms) => void waits.push(ms),
    ...options,
  })

/** Everything that the small site has not. */
async function fill(ada: Requester): Promise<void> {
  const create = async (path: string, body: object): Promise<Parsed> => {
    const { status, body: made } = await ada('POST', `/wp/v2/${path}`, { body })
    expect([path, status, status === 201 ? '' : made]).toEqual([path, 201, ''])
    return made
  }
  const guides = await create('categories', { name: 'Guides & <b>maps</b>', description: 'Where to go' })
  const cooking = await create('categories', { name: 'Cooking', slug: 'cooking-guides', parent: guides.id })
  const top = await create('pages', { title: 'Harbour', status: 'publish', content: '<p>A</p>' })
  const below = await create('pages', { title: 'Tides', status: 'publish', parent: top.id, menu_order: 3 })
  const post = await create('posts', {
    ...{ title: 'Fish soup', status: 'publish', categories: [cooking.id], sticky: true, format: 'aside' },
    content:
      '<!-- wp:paragraph {"dropCap":true} --><p class="wp-block-paragraph">a &amp; b ]]></p><!-- /wp:paragraph -->',
    excerpt: 'Soup',
  })
  await create('posts', { title: 'Hidden', status: 'publish', password: 'sesame', content: 'x' })
  await create('posts', { title: 'Not yet', status: 'draft', content: 'x' })
  const gone = await create('posts', { title: 'Gone', status: 'publish' })
  await ada('DELETE', `/wp/v2/posts/${gone.id}`)
  await create('posts', {
    ...{ title: 'Built', status: 'publish' },
    meta: {
      _elementor_edit_mode: 'builder',
      _elementor_data: '[{"id":"a1b2c3d","elType":"container","elements":[],"settings":{}}]',
    },
  })
  const meta = { wp_pattern_sync_status: 'unsynced' }
  await create('blocks', { title: 'Opening hours', status: 'publish', content: '<p>9 to 5</p>', meta })
  const first = await create('comments', {
    post: post.id,
    content: 'First',
    author_name: 'Bo',
    author_email: 'bo@x.example',
  })
  const reply = await create('comments', { post: post.id, parent: first.id, content: 'Reply' })
  await ada('POST', `/wp/v2/comments/${reply.id}`, { body: { status: 'hold' } })
  await create('comments', { post: post.id, parent: reply.id, content: 'Deep' })
  const menu = await create('menus', { name: 'Main' })
  const item = await create('menu-items', {
    ...{ title: 'Harbour', type: 'post_type', object: 'page', object_id: top.id, menus: menu.id, status: 'publish' },
    menu_order: 1,
  })
  await create('menu-items', {
    ...{ title: 'Soup', type: 'taxonomy', object: 'category', object_id: cooking.id, menus: menu.id, parent: item.id },
    ...{
      status: 'publish',
      menu_order: 2,
      attr_title: 'Hot',
      description: 'Soups',
      target: '_blank',
      classes: ['big'],
    },
  })
  await create('menu-items', {
    ...{
      title: 'Away',
      type: 'custom',
      url: 'https://away.example/',
      menus: menu.id,
      status: 'publish',
      menu_order: 3,
    },
  })
  await ada('POST', '/wp/v2/settings', { body: { title: 'Old quay', page_on_front: below.id, show_on_front: 'page' } })
}

const lists = {
  posts: 'posts?status=publish,future,draft,pending,private,trash',
  pages: 'pages?status=publish,future,draft,pending,private,trash',
  blocks: 'blocks?status=publish,draft',
  media: 'media?status=inherit,private',
  categories: 'categories?',
  tags: 'tags?',
  menus: 'menus?',
  'menu-items': 'menu-items?status=publish,draft',
  comments: 'comments?status=approve,hold',
  users: 'users?',
} as const

async function allOf(site: TestSite, path: string): Promise<Parsed[]> {
  const query = `${path.split('?')[1]}&context=edit&per_page=100&orderby=id&order=asc`
  if (path.startsWith('comments')) {
    const statuses = ['approve', 'hold']
    const found = await Promise.all(
      statuses.map((status) =>
        site.as('ada')('GET', '/wp/v2/comments', { query: `context=edit&per_page=100&status=${status}` }),
      ),
    )
    return found.flatMap(({ body }) => body).sort((one, other) => one.id - other.id)
  }
  const { status, body } = await site.as('ada')('GET', `/wp/v2/${path.split('?')[0]}`, { query })
  expect([path, status]).toEqual([path, 200])
  return body
}

/** A site by what its routes show, with names in place of ids. */
async function shown(site: TestSite): Promise<Parsed> {
  const rows: { [list: string]: Parsed[] } = {}
  for (const [list, path] of Object.entries(lists)) rows[list] = await allOf(site, path)
  const names = new Map<string, string>()
  const nameOf = (row: Parsed) => `${row.slug || row.title?.raw || row.content?.raw || row.username}`
  for (const [list, found] of Object.entries(rows)) for (const row of found) names.set(`${list} ${row.id}`, nameOf(row))
  const named = (list: string, id: number) => (id ? (names.get(`${list} ${id}`) ?? `no ${list} ${id}`) : 0)
  const anyOf = (id: number, ...of: string[]) => named(of.find((list) => names.has(`${list} ${id}`)) ?? 'any', id)
  const references: { readonly [member: string]: (value: Parsed, list: string, row: Parsed) => unknown } = {
    parent: (id, list) => named(list, id),
    author: (id) => named('users', id),
    featured_media: (id) => named('media', id),
    post: (id) => anyOf(id, 'posts', 'pages'),
    categories: (ids) => ids.map((id: number) => named('categories', id)).sort(),
    tags: (ids) => ids.map((id: number) => named('tags', id)).sort(),
    menus: (id) => named('menus', id),
    object_id: (id, _list, { object }) =>
      named({ page: 'pages', category: 'categories' }[object as string] ?? 'menu-items', id),
    // The frame of a built post has its id.
    content: (content) => ({ ...content, rendered: content.rendered?.replace(/elementor-(id=")?\d+/g, 'elementor-') }),
  }
  const others = [
    'id',
    '_links',
    'guid',
    'link',
    'author_avatar_urls',
    'avatar_urls',
    'generated_slug',
    'permalink_template',
    'class_list',
  ]
  const plain = (row: Parsed, list: string) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([member]) => !others.includes(member))
        .map(([member, value]) => [member, references[member]?.(value, list, row) ?? value]),
    )
  return Object.fromEntries(Object.entries(rows).map(([list, found]) => [list, found.map((row) => plain(row, list))]))
}

const settingsOf = async (site: TestSite) => (await site.as('ada')('GET', '/wp/v2/settings')).body

describe('a site that runs', () => {
  test('is imported whole, and compared by counts and digests', async () => {
    await fill(old.as('ada'))
    const { comparison, counts } = await importFrom()
    expect(comparison.filter((one) => one.there !== one.here || one.digestThere !== one.digestHere)).toEqual([])
    expect(comparison.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'users',
        'categories',
        'tags',
        'posts',
        'pages',
        'cms_block',
        'nav_menu_item',
        'comments',
      ]),
    )
    expect(counts['comments']).toMatchObject({ created: expect.any(Number) })
    const [there, imported] = [await shown(old), await shown(here)]
    for (const list of Object.keys(lists))
      expect([list, withoutFiles(imported[list])]).toEqual([list, withoutFiles(there[list])])
    expect(await settingsOf(here)).toMatchObject({ title: 'Old quay', show_on_front: 'page' })
    const [page] = (await allOf(here, 'pages?slug=tides')) as Parsed[]
    expect((await settingsOf(here)).page_on_front).toBe(page.id)
  })

  test('gives the declared fields of terms and comments, and what a note did', async () => {
    const fields = metaFields({ term: { colour: str() }, comment: { stars: int() } })
    const magazine = profile({ ...full, name: 'magazine', features: [...full.features, fields] })
    await Promise.all([old.dispose(), here.dispose()])
    old = await open({ profile: magazine })
    here = await open({
      ...{ profile: magazine, seed: { users: smallSite.users.slice(0, 1) } },
      services: { outbound: createHttpClient() },
    })
    const create = async (path: string, body: object) =>
      (await old.as('ada')('POST', `/wp/v2/${path}`, { body })).body.id
    await create('tags', { name: 'Cold', meta: { colour: 'blue' } })
    const post = await create('posts', { title: 'Fish soup', status: 'publish' })
    await create('comments', { post, content: 'Fine', meta: { stars: 4 } })
    const parent = await create('comments', { post, type: 'note', content: 'Check it' })
    await create('comments', { post, parent, type: 'note', content: 'Done', meta: { _wp_note_status: 'resolved' } })
    const { comparison } = await importFrom()
    expect(comparison.filter(({ different }) => different.length > 0)).toEqual([])
    const metaOf = async (path: string) => (await here.as('ada')('GET', `/wp/v2/${path}`)).body[0]?.meta
    expect(await metaOf('tags?slug=cold')).toEqual({ colour: 'blue' })
    expect(await metaOf('comments?search=Fine')).toMatchObject({ stars: 4 })
    expect(await metaOf('comments?type=note&status=all&search=Done')).toMatchObject({ _wp_note_status: 'resolved' })
  })

  test('is not imported twice', async () => {
    await fill(old.as('ada'))
    await importFrom()
    const before = await shown(here)
    const { counts, comparison } = await importFrom()
    expect(Object.values(counts).map(({ created }) => created)).toEqual(Object.values(counts).map(() => 0))
    expect(comparison.filter(({ different }) => different.length > 0)).toEqual([])
    expect(await shown(here)).toEqual(before)
  })

  test('is found from its front page, its root, and by rest_route', async () => {
    for (const address of [`${front}/`, front, `${front}/wp-json/`, `${front}/?rest_route=/`]) {
      const { source } = await importFrom(address)
      expect([address, source.title]).toEqual([address, 'Quay Notes'])
    }
  })

  test('is read on where a run was interrupted, and not from the start', async () => {
    await fill(old.as('ada'))
    const stop = new Error('killed')
    const until = (path: RegExp) => async (address: string | URL | Request, init?: RequestInit) => {
      if (path.test(`${address}`)) throw stop
      return counted(address, init)
    }
    // The comments come last: all posts are stored then.
    await expect(importFrom(undefined, { fetch: until(/comments/) })).rejects.toMatchObject({ code: 'import_rest' })
    const posts = asked.filter((path) => path.startsWith('/wp-json/wp/v2/posts'))
    expect(posts).toHaveLength(1)
    asked = []
    const { comparison } = await importFrom()
    expect(comparison.filter(({ different }) => different.length > 0)).toEqual([])
    const again = asked.filter((path) => path.startsWith('/wp-json/wp/v2/posts'))
    // Counts the routes behind the stored ones, and the comparison.
    expect(again.map((path) => new URL(path, front).searchParams.get('offset'))).toEqual([
      String(comparison.find(({ kind }) => kind === 'posts')?.there),
      '0',
    ])
    expect((await shown(here)).comments).toEqual((await shown(old)).comments)
  })

  test('is asked again after 429 and 5xx, when it says so', async () => {
    let refusals = 0
    const busy = async (address: string | URL | Request, init?: RequestInit) => {
      if (!/tags/.test(`${address}`) || refusals++ >= 3) return counted(address, init)
      const [status, headers] = [[429, { 'retry-after': '7' }] as const, [503, {}] as const, [500, {}] as const][
        refusals - 1
      ] ?? [200, {}]
      return new Response('busy', { status, headers })
    }
    await importFrom(undefined, { fetch: busy })
    expect(waits).toEqual([7000, 1000, 2000])
    const never = async (address: string | URL | Request, init?: RequestInit) =>
      /tags/.test(`${address}`)
        ? new Response('{"code":"down","message":"<b>Down</b>"}', { status: 503 })
        : counted(address, init)
    await expect(importFrom(undefined, { fetch: never })).rejects.toThrow('/tags answered 503 down: Down')
  })

  test('is not imported with a wrong password, nor where there is no interface', async () => {
    await expect(importFrom(undefined, { password: 'wrong' })).rejects.toThrow(
      'does not let ada in (rest_invalid_credentials)',
    )
    const html = async () => new Response('<h1>Shop</h1>')
    await expect(importFrom('https://shop.example/', { fetch: html })).rejects.toThrow('has no REST interface')
    await expect(importFrom('old.example')).rejects.toThrow('is no address')
    expect((await allOf(here, 'posts?status=publish')).length).toBe(0)
  })

  test('is compared by what is stored: another text here is told by its id', async () => {
    await importFrom()
    const [post] = await allOf(here, 'posts?status=publish')
    await here.as('ada')('POST', `/wp/v2/posts/${post.id}`, { body: { content: 'Another' } })
    const { comparison } = await importFrom()
    const original = (await allOf(old, 'posts?status=publish')).find(({ slug }) => slug === post.slug)
    expect(comparison.filter(({ different }) => different.length > 0)).toMatchObject([
      { kind: 'posts', different: [original.id] },
    ])
  })
})

const withoutFiles = (rows: Parsed[]) =>
  rows.map(
    ({
      source_url: _url,
      media_details: _details,
      description: _text,
      filename: _name,
      filesize: _size,
      missing_image_sizes: _sizes,
      ...row
    }) => row,
  )

test('ids inside contents lead to the new rows, and one that the old site does not have to none', async () => {
  const pier = old.ids['media.pier']
  const content = `<!-- wp:image {"id":${pier}} --><img class="wp-image-${pier}" src="/x.jpg"/><!-- /wp:image -->[gallery ids="${pier},99999"]`
  await old.as('ada')('POST', '/wp/v2/posts', { body: { title: 'Shows', slug: 'shows', status: 'publish', content } })
  // The next ids of this site are others.
  for (const title of ['One', 'Two']) await here.as('ada')('POST', '/wp/v2/posts', { body: { title } })
  const { comparison } = await importFrom()
  const posts = comparison.find(({ kind }) => kind === 'posts')
  expect(posts?.digestHere).toBe(posts?.digestThere)
  const medium = (await here.as('ada')('GET', '/wp/v2/media?slug=pier')).body[0].id
  expect(medium).not.toBe(pier)
  const [post] = (await here.as('ada')('GET', '/wp/v2/posts?slug=shows&context=edit')).body
  expect(post.content.raw).toBe(content.replaceAll(`${pier}`, `${medium}`).replace('99999', '0'))
})

describe('the kit of the old site', () => {
  const globals = async (site: TestSite) => (await site.as('ada')('GET', '/elementor/v1/globals')).body
  const unread = ({ problems }: { readonly problems: readonly { readonly kind: string; readonly what: string }[] }) =>
    problems.filter(({ kind }) => kind.startsWith('kit')).map(({ kind, what }) => [kind, what])

  beforeEach(async () => {
    const write = old.as('ada')
    await write('POST', '/elementor/v1/globals/colors/primary', { body: { title: 'Navy', value: '#102A43' } })
    await write('POST', '/elementor/v1/globals/colors/moss', { body: { title: 'Moss', value: '#335544' } })
    const value = { typography_typography: 'custom', typography_font_family: 'Lora' }
    await write('POST', '/elementor/v1/globals/typography/text', { body: { title: 'Text', value } })
  })

  test('comes along to an empty site as far as it is shown; the report says how the rest comes', async () => {
    const report = await importFrom()
    expect(unread(report)).toEqual([['kit-unread', 'settings']])
    const [there, imported] = [await globals(old), await globals(here)]
    expect(imported.colors).toMatchObject({ primary: { value: '#102A43' }, moss: { title: 'Moss', value: '#335544' } })
    expect(imported).toEqual(there)
    expect(unread(await importFrom())).toEqual([['kit-unread', 'settings']])
    expect(await globals(here)).toEqual(there)
  })

  test('comes whole where the list of templates shows its settings', async () => {
    const meta = {
      ...{ _elementor_edit_mode: 'builder', _elementor_template_type: 'kit', _elementor_data: '[]' },
      _elementor_page_settings: { container_width: { unit: 'px', size: 970 }, system_colors: [] },
    }
    const type = { name: 'Templates', rest_base: 'elementor_library', rest_namespace: 'wp/v2' }
    const kit = { id: 900, status: 'publish', slug: 'kit', title: { raw: 'Whole' }, guid: { raw: 'x' }, meta }
    const listed = async (address: string | URL | Request, init?: RequestInit) => {
      const { pathname } = new URL(`${address}`)
      if (pathname.endsWith('/elementor_library')) return Response.json([kit])
      const response = await counted(address, init)
      if (!pathname.endsWith('/wp/v2/types')) return response
      return Response.json({ ...(await response.json()), elementor_library: type })
    }
    const report = await importFrom(undefined, { fetch: listed })
    expect(unread(report)).toEqual([])
    const stored = await here.api.site.options.read(['builder_kit_settings'])
    expect(stored).toMatchObject({ builder_kit_settings: { container_width: { size: 970 } } })
  })

  test('stays out of a site with content, unless the caller asks', async () => {
    await here.as('ada')('POST', '/wp/v2/posts', { body: { title: 'Own' } })
    expect(unread(await importFrom())).toEqual([
      ['kit-unread', 'settings'],
      ['kit-not-used', expect.stringMatching(/^\d+$/)],
    ])
    expect((await globals(here)).colors.primary.value).not.toBe('#102A43')
    await importFrom(undefined, { kit: true })
    expect((await globals(here)).colors.primary.value).toBe('#102A43')
  })

  test('that may not be read is reported', async () => {
    const closed = async (address: string | URL | Request, init?: RequestInit) =>
      /globals/.test(`${address}`) ? new Response('{"code":"rest_forbidden"}', { status: 403 }) : counted(address, init)
    expect(unread(await importFrom(undefined, { fetch: closed }))).toEqual([
      ['kit-unread', 'colors, typography, settings'],
    ])
  })
})
