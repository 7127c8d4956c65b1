/** Types, taxonomies and the signed-in user, which clients read before they show an editor. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite

beforeEach(async () => {
  site = await createTestSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const curies = [{ name: 'cms', href: 'https://api.cms.example/{rel}', templated: true }]

test('lists the types by name, with links to records that have a route', async () => {
  const { status, body } = await site.visitor('GET', '/cms/v2/types')
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['post', 'page', 'attachment'])
  expect(body.post).toEqual({
    description: '',
    hierarchical: false,
    has_archive: false,
    name: 'Posts',
    slug: 'post',
    icon: null,
    taxonomies: ['category', 'post_tag'],
    rest_base: 'posts',
    rest_namespace: 'cms/v2',
    template: [],
    template_lock: false,
    _links: {
      collection: [{ href: 'https://quay.example/api/cms/v2/types' }],
      'cms:items': [{ href: 'https://quay.example/api/cms/v2/posts' }],
      curies,
    },
  })
  expect(body.page).toMatchObject({ hierarchical: true, rest_base: 'pages', taxonomies: [] })
  expect(body.page._links).not.toHaveProperty('cms:items')
})

test('returns capabilities, labels and supports to an editor', async () => {
  const { body } = await site.as('edith')('GET', '/cms/v2/types/page', { query: 'context=edit' })
  expect(body).toMatchObject({
    capabilities: { edit_posts: 'edit_pages', publish_posts: 'publish_pages' },
    labels: { singular_name: 'Page', item_published: 'Page published.' },
    supports: { title: true, editor: true, 'page-attributes': true },
    visibility: { show_ui: true, show_in_nav_menus: true },
    viewable: true,
  })
  const { body: embedded } = await site.visitor('GET', '/cms/v2/types/page', { query: 'context=embed' })
  expect(Object.keys(embedded)).toEqual([
    ...['name', 'slug', 'rest_base', 'rest_namespace', 'icon', 'template', 'template_lock', '_links'],
  ])
})

test('checks the edit context for each type', async () => {
  const edit = { query: 'context=edit' }
  const visitor = await site.visitor('GET', '/cms/v2/types', edit)
  expect([visitor.status, visitor.body.code]).toEqual([401, 'rest_cannot_view'])
  const subscriber = await site.as('sam')('GET', '/cms/v2/taxonomies', edit)
  expect([subscriber.status, subscriber.body.code]).toEqual([403, 'rest_cannot_view'])
  const listed = await site.as('connie')('GET', '/cms/v2/types', edit)
  expect(Object.keys(listed.body)).toEqual(['post', 'attachment'])
  for (const path of ['/cms/v2/types/page', '/cms/v2/types/post', '/cms/v2/taxonomies/category']) {
    const refused = await site.as('sam')('GET', path, edit)
    expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'rest_forbidden_context'])
  }
})

test('responds with 404 for unknown types and 401 for internal ones', async () => {
  const unknown = await site.visitor('GET', '/cms/v2/types/boat')
  expect([unknown.status, unknown.body.code]).toEqual([404, 'rest_type_invalid'])
  const internal = await site.visitor('GET', '/cms/v2/types/builder_library')
  expect([internal.status, internal.body.code]).toEqual([401, 'rest_cannot_read_type'])
  const none = await site.visitor('GET', '/cms/v2/taxonomies/boat')
  expect([none.status, none.body.code]).toEqual([404, 'rest_taxonomy_invalid'])
  const proto = await site.visitor('GET', '/cms/v2/types/constructor')
  expect(proto.status).toBe(404)
})

test('lists all taxonomies, or those of a type', async () => {
  const { body } = await site.visitor('GET', '/cms/v2/taxonomies')
  expect(Object.keys(body)).toEqual(['category', 'post_tag'])
  expect(body.category).toEqual({
    description: '',
    hierarchical: true,
    types: ['post'],
    name: 'Categories',
    slug: 'category',
    rest_base: 'categories',
    rest_namespace: 'cms/v2',
    _links: { collection: [{ href: 'https://quay.example/api/cms/v2/taxonomies' }], curies },
  })
  expect((await site.visitor('GET', '/cms/v2/taxonomies', { query: 'type=page' })).body).toEqual({})
  const one = await site.as('connie')('GET', '/cms/v2/taxonomies/post_tag', { query: 'context=edit' })
  expect(one.body).toMatchObject({
    capabilities: { manage_terms: 'manage_post_tags', assign_terms: 'assign_post_tags' },
    labels: { singular_name: 'Tag' },
    show_cloud: true,
    visibility: { public: true, show_ui: true },
  })
  expect(one.headers.get('allow')).toBe('GET')
})

test('returns the signed-in user, and 401 to visitors', async () => {
  const visitor = await site.visitor('GET', '/cms/v2/users/me')
  expect([visitor.status, visitor.body.code]).toEqual([401, 'rest_not_logged_in'])
  await expect(site.api.call('GET', '/cms/v2/users/me', {}, { as: 'system' })).rejects.toMatchObject({ status: 401 })
  const { body } = await site.as('sam')('GET', '/cms/v2/users/me')
  expect(body).toMatchObject({ id: site.ids['user.subscriber'], name: 'Sam Subscriber', slug: 'sam-subscriber' })
  for (const secret of ['username', 'email', 'roles', 'capabilities']) expect(body).not.toHaveProperty(secret)
  expect(Object.keys(body.avatar_urls)).toEqual(['24', '48', '96'])
})

test('returns all of the user in the edit context, but not the password digest', async () => {
  const { body } = await site.as('connie')('GET', '/cms/v2/users/me', { query: 'context=edit' })
  expect(body).toMatchObject({
    username: 'connie',
    email: 'connie@example.test',
    nickname: 'connie',
    first_name: '',
    locale: 'en_US',
    registered_date: '2024-01-01T08:00:00+00:00',
    roles: ['contributor'],
    capabilities: { read: true, edit_posts: true, contributor: true },
    extra_capabilities: { contributor: true },
  })
  expect(body.capabilities).not.toHaveProperty('publish_posts')
  expect(JSON.stringify(body)).not.toMatch(/password|digest/)
})

test('uses the names of the preset', async () => {
  await site.dispose()
  site = await createTestSite({ names: wordpress })
  const types = await site.visitor('GET', '/wp/v2/types')
  expect(types.body.post).toMatchObject({ rest_namespace: 'wp/v2', _links: { 'wp:items': [{}] } })
  const me = await site.as('ada')('GET', '/wp/v2/users/me', { query: 'context=edit' })
  expect(me.body.capabilities).toMatchObject({ elementor_global_classes_update_class: true })
  expect(JSON.stringify([types.body, me.body])).not.toMatch(/cms|builder/)
})
