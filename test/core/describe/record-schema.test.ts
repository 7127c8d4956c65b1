/** OPTIONS has the schema of the records of a route: its name, its members, their types and contexts. */
import { expect, onTestFinished, test } from 'vitest'
import { kitchen } from '../../../docs/examples/content-type.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSiteOptions } from '../../support/site.ts'

async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite({ profile: full, ...options })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const schemaOf = async (path: string) => (await site.as('ada')('OPTIONS', path)).body.schema
  return { ...site, schemaOf }
}

const titles = {
  posts: 'post',
  'posts/{post.hello}': 'post',
  'posts/{post.hello}/revisions': 'post-revision',
  'posts/{post.hello}/autosaves': 'post-revision',
  pages: 'page',
  'pages/{page.about}/revisions': 'page-revision',
  media: 'attachment',
  'media/{media.pier}': 'attachment',
  categories: 'category',
  tags: 'tag',
  'tags/{tag.red}': 'tag',
  cms_pattern_category: 'cms_pattern_category',
  blocks: 'cms_block',
  comments: 'comment',
  users: 'user',
  'users/me': 'user',
  'users/me/application-passwords': 'application-password',
  search: 'search-result',
  types: 'type',
  'types/post': 'type',
  taxonomies: 'taxonomy',
  statuses: 'status',
  settings: 'settings',
  menus: 'nav_menu',
  'menu-items': 'nav_menu_item',
  'menu-locations': 'menu-location',
}

test('the schema has the name of its record', async () => {
  const { schemaOf, ids } = await openSite()
  for (const [path, title] of Object.entries(titles)) {
    const at = path.replace(/\{(.*)\}/, (_, key: string) => String(ids[key]))
    const schema = await schemaOf(`/cms/v2/${at}`)
    expect([path, schema.title, schema.type]).toEqual([path, title, 'object'])
    expect(
      Object.keys(schema.properties).filter((name) => name.startsWith('_links') || name.startsWith('_emb')),
    ).toEqual([])
  }
})

const all = ['view', 'edit', 'embed']
const two = ['view', 'edit']
const edit = ['edit']
const nullableTime = { type: ['string', 'null'], format: 'date-time' }
const readonly = true

test.each<[string, { readonly [member: string]: object }]>([
  [
    'posts',
    {
      id: { type: 'integer', context: all, readonly },
      date: { ...nullableTime, context: all },
      date_gmt: { ...nullableTime, context: two },
      modified: { type: 'string', format: 'date-time', context: two, readonly },
      type: { type: 'string', context: all, readonly },
      status: { enum: ['publish', 'future', 'draft', 'pending', 'private'], context: two },
      password: { type: 'string', context: edit },
      title: { context: all, properties: { raw: { context: edit }, rendered: { context: all, readonly } } },
      content: { context: two, properties: { raw: { context: edit }, rendered: { context: two, readonly } } },
      guid: { context: two, readonly, properties: { raw: { context: edit, readonly } } },
      generated_slug: { type: 'string', context: edit, readonly },
      categories: { type: 'array', context: two, items: { type: 'integer' } },
    },
  ],
  [
    'media',
    {
      date_gmt: { ...nullableTime, context: two },
      media_type: { enum: ['image', 'file'], context: all, readonly },
      post: { type: 'integer', context: two },
      description: { context: two, properties: { rendered: { context: two, readonly } } },
      filesize: { type: ['integer', 'null'], context: two, readonly },
      missing_image_sizes: { context: edit, readonly },
    },
  ],
  [
    'categories',
    {
      name: { type: 'string', required: true, context: all },
      count: { type: 'integer', context: two, readonly },
      taxonomy: { enum: ['category'], context: all, readonly },
      parent: { type: 'integer', context: two },
      meta: { type: 'object', context: two },
    },
  ],
  [
    'users',
    {
      username: { type: 'string', required: true, context: edit },
      email: { format: 'email', required: true, context: edit },
      registered_date: { format: 'date-time', context: edit, readonly },
      description: { context: all },
      meta: { type: 'object', context: two },
    },
  ],
  [
    'comments',
    {
      date: { type: 'string', format: 'date-time', context: all },
      date_gmt: { type: 'string', context: two },
      author_ip: { context: edit },
      status: { context: two },
      content: { context: all, properties: { raw: { context: edit } } },
    },
  ],
  ['search', { id: { type: ['integer', 'string'], context: ['view', 'embed'], readonly }, title: { readonly } }],
  ['types', { name: { context: all, readonly }, labels: { type: 'object', context: edit, readonly } }],
  ['blocks', { title: { context: all, properties: { raw: { context: two } } } }],
  ['users/me/application-passwords', { password: { context: edit }, last_used: { ...nullableTime, context: two } }],
])('the members of %s have the types and contexts of the interface', async (path, members) => {
  const { schemaOf } = await openSite()
  const { properties } = await schemaOf(`/cms/v2/${path}`)
  expect(properties).toMatchObject(members)
  const without = Object.entries(properties).filter(
    ([, member]) => (member as { context?: unknown }).context === undefined,
  )
  expect(without).toEqual([])
})

test('settings have no contexts, and revisions no read-only members', async () => {
  const { schemaOf, ids } = await openSite()
  expect((await schemaOf('/cms/v2/settings')).properties.title).not.toHaveProperty('context')
  const { slug } = (await schemaOf(`/cms/v2/posts/${ids['post.hello']}/revisions`)).properties
  expect(slug).toEqual({ type: 'string', context: all })
})

test('a preset names records and members', async () => {
  const { schemaOf, as } = await openSite({ names: wordpress })
  const block = (await as('ada')('POST', '/wp/v2/blocks', { body: { title: 'Sign', content: 'x' } })).body
  expect((await schemaOf('/wp/v2/blocks')).title).toBe('wp_block')
  expect((await schemaOf(`/wp/v2/blocks/${block.id}/revisions`)).title).toBe('wp_block-revision')
  expect((await schemaOf('/wp/v2/posts')).properties.meta.properties).toHaveProperty('_elementor_edit_mode')
})

test('types and taxonomies of a host have their names', async () => {
  const { schemaOf } = await openSite({ profile: kitchen })
  expect((await schemaOf('/cms/v2/recipes')).title).toBe('recipe')
  expect((await schemaOf('/cms/v2/cuisines')).title).toBe('cuisine')
})

test('links say what their reader may write', async () => {
  const { schemaOf, ids } = await openSite()
  const { links } = await schemaOf('/cms/v2/posts')
  expect(links.map(({ rel }: { rel: string }) => rel)).toEqual([
    'cms:action-publish',
    'cms:action-unfiltered-html',
    'cms:action-sticky',
    'cms:action-assign-author',
    'cms:action-create-categories',
    'cms:action-assign-categories',
    'cms:action-create-tags',
    'cms:action-assign-tags',
  ])
  expect(links[0]).toEqual({
    rel: 'cms:action-publish',
    href: 'https://quay.example/api/cms/v2/posts/{id}',
    targetSchema: { type: 'object', properties: { status: { type: 'string', enum: ['publish', 'future'] } } },
  })
  expect((await schemaOf(`/cms/v2/posts/${ids['post.hello']}`)).links).toEqual(links)
  const { links: ofMedia } = await schemaOf('/cms/v2/media')
  expect(ofMedia.map(({ rel }: { rel: string }) => rel)).toEqual([
    'cms:action-unfiltered-html',
    'cms:action-assign-author',
  ])
  expect(await schemaOf('/cms/v2/tags')).not.toHaveProperty('links')
})
