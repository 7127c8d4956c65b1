/** The whole journey in the words of a preset: what its clients send and what they get. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApi, createOwnApi } from '../../docs/examples/names.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { createTestSite, type TestSite } from '../support/site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ names: wordpress })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const create = (body: object) => site.as('ada')('POST', '/wp/v2/posts', { body })

test('routes, headers and links have public names only', async () => {
  const { status, headers, body } = await site.visitor('GET', '/wp/v2/posts', { query: 'slug=tide&_embed' })
  expect(status).toBe(200)
  expect([headers.get('x-wp-total'), headers.get('x-cms-total')]).toEqual(['1', null])
  expect(headers.get('link')).toBe('<https://quay.example/api/>; rel="https://api.w.org/"')
  expect(headers.get('access-control-expose-headers') ?? 'X-WP-Total').toContain('X-WP-Total')
  const [post] = body
  expect(post._links.curies).toEqual([{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }])
  expect(Object.keys(post._embedded)).toEqual(['author', 'wp:featuredmedia', 'wp:term'])
  expect(JSON.stringify(post)).not.toMatch(/cms/)
  expect((await site.visitor('GET', '/cms/v2/posts')).body.code).toBe('rest_no_route')
})

test('the index lists arguments, defaults and enum values in public names', async () => {
  const index = await site.visitor('GET', '/')
  expect(index.body.namespaces).toEqual(expect.arrayContaining(['wp/v2', 'elementor/v1']))
  expect(index.body.namespaces.filter((one: string) => /cms|builder/.test(one))).toEqual([])
  const route = index.body.routes['/wp/v2/posts/(?P<id>[\\d]+)']
  const meta = route.endpoints[1].args.meta.properties
  expect(meta._elementor_edit_mode.enum).toEqual(['', 'builder'])
  expect(meta._elementor_template_type.enum).toEqual(expect.arrayContaining(['wp-post', 'elementor_component']))
  expect(index.body.routes['/wp/v2'].endpoints[0].args.namespace.default).toBe('wp/v2')
  const described = await site.as('ada')('OPTIONS', '/wp/v2/posts')
  expect(described.body.namespace).toBe('wp/v2')
})

test('meta has public names in requests and neutral ones in storage', async () => {
  const meta = { _elementor_edit_mode: 'builder', _elementor_template_type: 'elementor_component', footnotes: '' }
  const { status, body } = await create({ title: 'Built', meta: { ...meta, _builder_data: 'ignored' } })
  expect(status).toBe(201)
  expect(body.meta).toMatchObject({ ...meta, _elementor_data: '' })
  const { posts = [] } = await site.api.site.export()
  expect(posts.find(({ title }) => title === 'Built')?.meta).toMatchObject({
    ...{ _builder_edit_mode: 'builder', _builder_template_type: 'builder_component' },
  })
  const wrong = await create({ title: 'x', meta: { _elementor_template_type: 'nonsense' } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_not_in_enum'])
})

const marked = '<!-- wp:heading {"level":3} --><h3 class="wp-block-heading">cms:x wp:y</h3><!-- /wp:heading -->'

test('block markers are stored neutral and returned in public names byte for byte', async () => {
  const { body } = await create({ title: 'Blocks', status: 'publish', content: marked, excerpt: '<!-- wp:x /-->a' })
  expect(body.content.raw).toBe(marked)
  expect(body.content.block_version).toBe(1)
  expect(body.content.rendered).toContain('<h3 class="wp-block-heading">cms:x wp:y</h3>')
  expect(body.excerpt.raw).toBe('<!-- wp:x /-->a')
  const { posts = [] } = await site.api.site.export()
  expect(posts.find(({ title }) => title === 'Blocks')?.content).toBe(
    '<!-- cms:heading {"level":3} --><h3 class="cms-block-heading">cms:x wp:y</h3><!-- /cms:heading -->',
  )
})

test('a neutral marker sent by a client stays as it is', async () => {
  const content = '<!-- cms:heading --><h2>Not a block</h2><!-- /cms:heading -->'
  const { body } = await create({ title: 'Plain', content })
  expect(body.content).toMatchObject({ raw: content, block_version: 0 })
})

test('revisions and autosaves use public names, also for users whose markup is filtered', async () => {
  const asArthur = site.as('arthur')
  const { body } = await asArthur('POST', '/wp/v2/posts', { body: { title: 'Mine', status: 'publish', content: 'a' } })
  await asArthur('POST', `/wp/v2/posts/${body.id}`, { body: { content: `${marked}<script>x</script>` } })
  const saved = { title: 'Mine', content: `${marked} more` }
  const autosave = await asArthur('POST', `/wp/v2/posts/${body.id}/autosaves`, { body: saved })
  expect(autosave.body.content.raw).toBe(`${marked} more`)
  const revisions = await asArthur('GET', `/wp/v2/posts/${body.id}/revisions`, { query: 'context=edit' })
  expect(revisions.body.map(({ content }: { content: { raw: string } }) => content.raw)).toContain(`${marked}x`)
})

test('batch paths and arguments have public names', async () => {
  const requests = [
    { path: '/wp/v2/posts', body: { title: 'One', meta: { _elementor_edit_mode: 'builder' } } },
    { path: '/cms/v2/posts', body: { title: 'Two' } },
  ]
  const { body } = await site.as('ada')('POST', '/batch/v1', { body: { requests } })
  expect(body.responses).toMatchObject([
    { status: 201, body: { meta: { _elementor_edit_mode: 'builder' } } },
    { status: 404, body: { code: 'rest_no_route' } },
  ])
})

test('a pair of the host wins over the preset', async () => {
  for (const [create, header] of [
    [createApi, 'X-WP-Total'],
    [createOwnApi, 'X-Acme-Total'],
  ] as const) {
    const api = create(memoryStorage())
    expect((await api.call('GET', '/wp/v2/posts')).headers).toHaveProperty(header)
    await api.close()
  }
})
