/** The import of an export file, checked through the api. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { openStorage } from '../../support/storage.ts'
import { author, category, exportFile, inPieces, item, site as oldSite, tag } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const ann = author('ann', 'ann@old.example', 'Ann Old')
const imported = (...parts: readonly string[]) => site.api.site.import(inPieces(exportFile(ann, ...parts), 999))

async function bySlug(slug: string, query = '') {
  const statuses = 'publish,future,draft,pending,private,trash'
  const { body } = await site.as('ada')('GET', '/cms/v2/posts', {
    query: `slug=${slug}&status=${statuses}&context=edit${query}`,
  })
  expect(body).toHaveLength(1)
  return body[0]
}

test('imports posts with texts, dates, author, terms and status', async () => {
  const report = await imported(
    category('boats', 'Boats &amp; ferries'),
    tag('blue', 'Blue'),
    item({
      id: 5,
      title: 'A “title” & more 🚢',
      content: '<p>Über 10 &lt; 20 &amp; so.</p>',
      excerpt: 'Short',
      slug: 'first',
      date: '2023-05-01 12:30:00',
      dateGmt: '2023-05-01 11:30:00',
      modified: '2023-06-01 08:00:00',
      terms: [
        ['category', 'boats', 'Boats &amp; ferries'],
        ['post_tag', 'blue', 'Blue'],
        ['post_format', 'post-format-aside', 'Aside'],
      ],
      more: '<wp:comment_status>open</wp:comment_status><wp:ping_status>closed</wp:ping_status>',
    }),
  )
  const post = await bySlug('first', '&_embed')
  expect(post).toMatchObject({
    title: { raw: 'A “title” & more 🚢' },
    content: { raw: '<p>Über 10 &lt; 20 &amp; so.</p>' },
    excerpt: { raw: 'Short' },
    ...{ date: '2023-05-01T12:30:00', date_gmt: '2023-05-01T11:30:00', modified: '2023-06-01T08:00:00' },
    ...{ status: 'publish', format: 'aside', comment_status: 'open', ping_status: 'closed' },
  })
  expect(post._embedded).toMatchObject({
    author: [{ name: 'Ann Old', slug: 'ann' }],
    'cms:term': [[{ slug: 'boats', name: 'Boats &amp; ferries' }], [{ slug: 'blue' }]],
  })
  expect(await site.api.site.users.find({ login: 'ann' })).toMatchObject({
    roles: ['author'],
    email: 'ann@old.example',
  })
  expect(report).toMatchObject({
    source: { site: oldSite, title: 'Old site', version: '1.2' },
    items: 1,
    counts: { users: { created: 1 }, categories: { created: 1 }, tags: { created: 1 }, posts: { created: 1 } },
    problems: [],
  })
})

test('preserves nested CDATA sections, entities and long texts, and drops control characters', async () => {
  const long = 'a < b ]]> c & d é 🚢 '.repeat(100_000)
  await imported(
    item({ id: 1, content: 'before ]]> after ]]]]>> end', title: 'x ]]> y' }),
    item({ id: 2, content: 'a\0b\x08c\x0bd\te\nf\x1fg' }),
    item({ id: 3, content: long }),
    item({ id: 4 }).replace(/<title>.*<\/title>/, '<title>A &amp; B &#8217; &lt;i&gt; &#x1F6A2;</title>'),
  )
  expect(await bySlug('item-1')).toMatchObject({
    title: { raw: 'x ]]> y' },
    content: { raw: 'before ]]> after ]]]]>> end' },
  })
  expect((await bySlug('item-2')).content.raw).toBe('abcd\te\nfg')
  expect((await bySlug('item-3')).content.raw).toBe(long)
  expect((await bySlug('item-4')).title.raw).toBe('A & B ’ <i> 🚢')
})

test('converts block markers to neutral names, and back for clients with a word map', async () => {
  const content = '<!-- wp:heading --><h2 class="wp-block-heading">wp:heading</h2><!-- /wp:heading -->'
  const opened = await openStorage()
  const api = createSiteApi({ storage: opened.storage, profile: d1, names: wordpress })
  await api.site.import(inPieces(exportFile(ann, item({ content, slug: 'blocks' }))))
  const [stored] = await opened.storage.posts.read([1])
  expect(stored?.content).toBe('<!-- cms:heading --><h2 class="cms-block-heading">wp:heading</h2><!-- /cms:heading -->')
  const { data } = await api.call<{ content: { raw: string; rendered: string } }>(
    ...(['GET', '/wp/v2/posts/1', { context: 'edit' }, { as: 'system' }] as const),
  )
  expect(data.content).toMatchObject({ raw: content, rendered: '<h2 class="wp-block-heading">wp:heading</h2>' })
  await opened.dispose()
})

test.each([
  ['publish', {}, { status: 'publish' }],
  ['private', { more: '<wp:post_password>x</wp:post_password>' }, { status: 'private', password: '' }],
  ['publish', { more: '<wp:post_password>sesame</wp:post_password>' }, { password: 'sesame' }],
  ['publish', { more: '<wp:is_sticky>1</wp:is_sticky>' }, { sticky: true }],
  ['future', { date: '2098-01-01 10:00:00' }, { status: 'future' }],
  ['publish', { date: '2098-01-01 10:00:00' }, { status: 'future' }],
  ['future', { date: '2020-01-01 10:00:00' }, { status: 'publish' }],
  ['pending', {}, { status: 'pending' }],
  ['trash', { meta: [['_wp_trash_meta_status', 'publish']] }, { status: 'trash' }],
  ['publish', { meta: [['_wp_page_template', 'wide.php']] }, { template: 'wide.php' }],
  ['publish', { meta: [['_wp_page_template', 'default']] }, { template: '' }],
] as const)('a post with the status %s and %j', async (status, more, expected) => {
  await imported(item({ slug: 'it', status, ...more }))
  expect(await bySlug('it')).toMatchObject(expected)
})

test('dates a draft without a fixed date when it is published', async () => {
  await imported(item({ slug: 'floating', status: 'draft', dateGmt: '0000-00-00 00:00:00' }))
  const { id } = await bySlug('floating')
  const published = await site.as('ada')('POST', `/cms/v2/posts/${id}`, { body: { status: 'publish' } })
  expect(published.body.date_gmt).toBe('2024-06-15T12:00:00')
})

test('publishes a scheduled post at its date', async () => {
  await site.visitor('GET', '/cms/v2/posts')
  await imported(item({ slug: 'soon', status: 'future', date: '2024-06-15 15:00:00', dateGmt: '2024-06-15 14:00:00' }))
  expect(await bySlug('soon')).toMatchObject({ status: 'future' })
  site.clock.now += 3 * 3_600_000
  expect(await bySlug('soon')).toMatchObject({ status: 'publish' })
})

test('resolves references between pages, parents and media in any order', async () => {
  await imported(
    item({ id: 10, type: 'page', slug: 'child', parent: 20 }),
    item({ id: 11, slug: 'with-picture', meta: [['_thumbnail_id', '30']] }),
    item({ id: 20, type: 'page', slug: 'parent' }),
    item({
      ...{ id: 30, type: 'attachment', slug: 'pic', status: 'inherit', parent: 11, title: 'Pic' },
      more: `<wp:attachment_url>${oldSite}/files/2023/pic.JPG?x=1</wp:attachment_url>`,
      meta: [
        ['_wp_attached_file', '2023/pic.JPG'],
        ['_wp_attachment_metadata', 'a:3:{s:5:"width";i:640;s:6:"height";i:480;s:4:"file";s:12:"2023/pic.JPG";}'],
        ['_wp_attachment_image_alt', 'A picture'],
      ],
    }),
  )
  const post = await bySlug('with-picture', '&_embed')
  expect(post._embedded['cms:featuredmedia']).toMatchObject([{ slug: 'pic', mime_type: 'image/jpeg' }])
  const { pages = [], media = [] } = await site.api.site.export()
  expect(pages.find(({ slug, key }) => (slug ?? key) === 'child')?.parent).toBe('parent')
  expect(media.find(({ slug, key }) => (slug ?? key) === 'pic')).toMatchObject({
    ...{ file: '2023/pic.JPG', width: 640, height: 480, alt_text: 'A picture', mime_type: 'image/jpeg' },
    meta: { _import_url: `${oldSite}/files/2023/pic.JPG?x=1` },
  })
})

test('converts the keys of builder meta: elements unchanged, settings as an object', async () => {
  const elements = String.raw`[{"id":"a1","settings":{"title":"Say \"hi\" \/ \u00e9","html":"<p>\n<\/p>"}}]`
  const report = await imported(
    item({
      slug: 'built-there',
      meta: [
        ['_elementor_edit_mode', 'builder'],
        ['_elementor_template_type', 'wp-post'],
        ['_elementor_data', elements],
        ['_elementor_page_settings', 'a:1:{s:10:"hide_title";s:3:"yes";}'],
        ['_elementor_css', 'a:1:{s:4:"time";i:1;}'],
        ['footnotes', '[]'],
        ['my_own_key', 'kept'],
        ['_edit_lock', '1:1'],
      ],
    }),
  )
  const { id, meta } = await bySlug('built-there')
  expect(meta).toMatchObject({
    ...{ _builder_edit_mode: 'builder', _builder_template_type: 'wp-post', _builder_data: elements, footnotes: '[]' },
    _builder_page_settings: { hide_title: 'yes' },
  })
  const { posts = [] } = await site.api.site.export()
  const stored = posts.find(({ slug, key }) => (slug ?? key) === 'built-there')?.meta
  expect(stored).toMatchObject({ my_own_key: 'kept', _import_guid: `1 ${oldSite}/?p=1` })
  expect(Object.keys(stored ?? {})).not.toContain('_edit_lock')
  expect(report.problems).toMatchObject([{ kind: 'meta-generated', what: '_elementor_css' }])
  expect(id).toBeGreaterThan(0)
})

test('accepts categories before their parents, and breaks cycles', async () => {
  const report = await imported(
    category('grandchild', 'Grandchild', 'child'),
    category('child', 'Child', 'top'),
    category('top', 'Top', ''),
    category('ring-a', 'Ring A', 'ring-b'),
    category('ring-b', 'Ring B', 'ring-a'),
    category('lost', 'Lost', 'nowhere'),
    category('child', 'Child again', ''),
  )
  const find = async (slug: string) => site.api.site.terms.find({ taxonomy: 'category', slug })
  expect((await find('grandchild'))?.parent).toBe((await find('child'))?.id)
  expect((await find('child'))?.parent).toBe((await find('top'))?.id)
  expect([(await find('ring-a'))?.parent, (await find('ring-b'))?.parent]).toContain(0)
  expect(report.problems.map(({ kind }) => kind)).toEqual(['parent-circle', 'missing-post'])
})

test('creates terms and authors that only items name', async () => {
  const terms = [
    ['category', 'new-one', 'New one'],
    ['post_tag', '', 'Only a name'],
  ] as const
  const report = await imported(item({ slug: 'named', author: 'Somebody Else', terms }))
  const post = await bySlug('named', '&_embed')
  expect(post._embedded['cms:term']).toMatchObject([[{ slug: 'new-one' }], [{ slug: 'only-a-name' }]])
  expect(await site.api.site.users.find({ login: 'Somebody Else' })).toMatchObject({ slug: 'somebody-else' })
  expect(report.problems).toMatchObject([{ kind: 'user-made', count: 1 }])
})

test('uses existing users and terms without changing them', async () => {
  const before = await site.api.site.users.find({ login: 'arthur' })
  const report = await imported(
    author('ARTHUR', 'other@old.example', 'Other name'),
    author('unknown', 'EDITH@example.test', 'Edith by mail'),
    category('news', 'Another name'),
    item({ slug: 'by-edith', author: 'unknown', terms: [['category', 'news', 'Another name']] }),
  )
  expect(await site.api.site.users.find({ login: 'arthur' })).toEqual(before)
  expect(await site.api.site.terms.find({ taxonomy: 'category', slug: 'news' })).toMatchObject({ name: 'News' })
  expect((await bySlug('by-edith')).author).toBe(site.ids['user.editor'])
  expect(report.counts).toMatchObject({ users: { created: 1, existing: 2 }, categories: { created: 0, existing: 1 } })
})

test('stores the names of terms with references, and gives posts without categories the default one', async () => {
  await imported(
    category('boats', 'Boats &amp; <b>oars</b>'),
    tag('rope', 'Rope & twine'),
    item({ slug: 'filed', terms: [['category', 'boats', 'Boats & oars']] }),
    item({ id: 2, slug: 'loose' }),
    item({ id: 3, slug: 'a-page', type: 'page' }),
  )
  const { terms } = site.api.site
  const boats = await terms.find({ taxonomy: 'category', slug: 'boats' })
  expect(boats).toMatchObject({ name: 'Boats &amp; oars', count: 1 })
  expect(await terms.find({ taxonomy: 'post_tag', slug: 'rope' })).toMatchObject({ name: 'Rope &amp; twine' })
  expect((await bySlug('filed')).categories).toEqual([boats?.id])
  expect((await bySlug('loose')).categories).toEqual([site.ids['category.uncategorized']])
})

test('adds a numeric suffix to slugs that the file or the site has already', async () => {
  const report = await imported(
    ...[1, 2, 3].map((id) => item({ id, slug: 'hello', title: `Hello ${id}` })),
    item({ id: 4, slug: 'hello', type: 'page' }),
    item({ id: 5, slug: '', title: 'Hello' }),
    item({ id: 6, slug: '%d0%bf%d1%80', title: 'Кириллица' }),
    item({ id: 7, slug: '2024' }),
  )
  const titles = []
  for (const slug of ['hello', 'hello-2', 'hello-3', 'hello-4', 'hello-5', '%d0%bf%d1%80', '2024-2']) {
    titles.push((await bySlug(encodeURIComponent(slug))).title.raw)
  }
  expect(titles).toEqual(['Hello quay', 'Hello 1', 'Hello 2', 'Hello 3', 'Hello', 'Кириллица', 'Item 7'])
  expect(report.problems).toMatchObject([{ kind: 'slug-changed', what: 'post', count: 5 }])
})

test('emits one event per import', async () => {
  const told: unknown[] = []
  site.api.on('site.imported', (payload) => void told.push(payload))
  await imported(item({ id: 1 }), item({ id: 2 }))
  expect(told).toEqual([{ items: 2 }])
})
