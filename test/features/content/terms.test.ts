/** Categories and tags: lists, writes, rights, addresses, and what happens to posts. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, type Requester, type TestSite } from '../../support/site.ts'

const categories = '/cms/v2/categories'
const tags = '/cms/v2/tags'
let site: TestSite
let edith: Requester

beforeEach(async () => {
  site = await createTestSite({ profile: content })
  edith = site.as('edith')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const names = async (path: string, query: string, as: Requester = site.visitor) => {
  const { body, headers } = await as('GET', path, { query: `${query}&per_page=100` })
  return { names: body.map(({ name }: { name: string }) => name), total: headers.get('x-cms-total') }
}
const created = async (path: string, body: object) => {
  const response = await edith('POST', path, { body })
  expect(response.status).toBe(201)
  return response.body
}
const refused = async (response: ReturnType<Requester>) => {
  const { status, body } = await response
  return [status, body.code]
}

test('with an offset, tags and users link to the pages around the one that it is on; other lists count from the first', async () => {
  for (let n = 0; n < 6; n++) await created(tags, { name: `Tag ${n}` })
  const steps = async (path: string, query: string) => {
    const { headers } = await edith('GET', path, { query })
    const links = (headers.get('link') ?? '').matchAll(/[?&]page=(\d+)>; rel="(prev|next)"/g)
    return [...links].map(([, page, relation]) => `${relation} ${page}`)
  }
  for (const [path, rows] of [
    [tags, 9],
    ['/cms/v2/users', 6],
  ] as const) {
    expect(await steps(path, 'offset=0&per_page=3')).toEqual(['next 2'])
    expect(await steps(path, 'offset=3&per_page=3')).toEqual(['prev 1', ...(rows > 6 ? ['next 3'] : [])])
    expect(await steps(path, 'offset=-2&per_page=3&page=9')).toEqual(['prev 1', ...(rows > 6 ? ['next 3'] : [])])
    expect(await steps(path, 'offset=50&per_page=3')).toEqual([`prev ${rows / 3}`])
    expect(await steps(path, `offset=1&per_page=${rows}`)).toEqual(['prev 1'])
  }
  expect(await steps(categories, 'offset=2&per_page=2')).toEqual(['next 2'])
  expect(await steps('/cms/v2/posts', 'offset=2&per_page=2')).toEqual(['next 2'])
  expect(await steps('/cms/v2/posts', 'offset=2&per_page=2&page=2')).toEqual(['prev 1', 'next 3'])
})

test('terms are listed by name, with the number of published posts', async () => {
  const { body } = await site.visitor('GET', categories)
  expect(body.map(({ name, count }: { name: string; count: number }) => [name, count])).toEqual([
    ['Guides &amp; tips', 2],
    ['Harbour', 1],
    ['News', 1],
    ['Uncategorized', expect.any(Number)],
  ])
  const draft = await edith('POST', '/cms/v2/posts', {
    body: { title: 'Draft', categories: [site.ids['category.news']] },
  })
  const count = async () => (await site.visitor('GET', `${categories}/${site.ids['category.news']}`)).body.count
  expect(await count()).toBe(1)
  await edith('POST', `/cms/v2/posts/${draft.body.id}`, { body: { status: 'publish' } })
  expect(await count()).toBe(2)
})

test('lists are filtered by text, slug, parent, post and use, and ordered', async () => {
  const { ids } = site
  expect((await names(categories, 'search=%26')).names).toEqual(['Guides &amp; tips'])
  expect((await names(categories, 'search=HARB')).names).toEqual(['Harbour'])
  expect((await names(categories, 'search=the+news')).names).toEqual([])
  expect((await names(categories, `parent=${ids['category.news']}`)).names).toEqual(['Harbour'])
  expect((await names(categories, 'parent=0')).names).toEqual(['Guides &amp; tips', 'News', 'Uncategorized'])
  expect((await names(tags, 'slug=RED,rare')).names).toEqual(['Rare', 'Red'])
  expect((await names(tags, 'slug=')).total).toBe('3')
  expect((await names(tags, `include=${ids['tag.red']}&exclude=${ids['tag.red']}`)).names).toEqual(['Red'])
  expect((await names(tags, `exclude=${ids['tag.red']}`)).names).toEqual(['Green', 'Rare'])
  expect((await names(tags, `post=${ids['post.tide']}`)).names).toEqual(['Green', 'Red'])
  expect((await names(tags, 'orderby=count&order=desc')).names[0]).toBe('Red')
  const inOrder = `orderby=include&include=${ids['tag.red']},${ids['tag.green']}`
  expect((await names(tags, inOrder)).names).toEqual(['Red', 'Green'])
  expect((await names(tags, 'orderby=include_slugs&slug=red,green')).names).toEqual(['Red', 'Green'])
  expect((await names(tags, 'offset=2')).names).toEqual(['Red'])
  expect((await names(categories, 'offset=2')).names).toHaveLength(4)
})

test('terms without published posts are hidden, unless one below them has some', async () => {
  const { ids } = site
  const top = await created(categories, { name: 'Top' })
  await created(categories, { name: 'Bare', parent: top.id })
  const child = await created(categories, { name: 'Child', parent: top.id })
  const listed = async () => (await names(categories, 'hide_empty=true')).names
  expect(await listed()).not.toContain('Top')
  await edith('POST', `/cms/v2/posts/${ids['post.ferry']}`, { body: { categories: [child.id] } })
  expect(await listed()).toEqual(expect.arrayContaining(['Top', 'Child']))
  expect(await listed()).not.toContain('Bare')
})

test('the terms of a post are for those who may read it', async () => {
  const draft = (await edith('POST', '/cms/v2/posts', { body: { title: 'Draft' } })).body.id
  expect(await refused(site.visitor('GET', tags, { query: `post=${draft}` }))).toEqual([401, 'rest_forbidden_context'])
  expect(await refused(site.as('sam')('GET', tags, { query: `post=${draft}` }))).toEqual([
    403,
    'rest_forbidden_context',
  ])
  expect(await refused(edith('GET', tags, { query: 'post=987654' }))).toEqual([400, 'rest_post_invalid_id'])
  expect((await names(categories, `post=${draft}`, edith)).names).toEqual(['Uncategorized'])
})

test('a page beyond the end is empty', async () => {
  const { status, body, headers } = await site.visitor('GET', tags, { query: 'page=9&per_page=2' })
  expect([status, body, headers.get('x-cms-total'), headers.get('x-cms-totalpages')]).toEqual([200, [], '3', '2'])
})

test('a list costs the same number of statements for few and for many terms', async () => {
  const calls: string[] = []
  await site.dispose()
  site = await createTestSite({
    profile: content,
    storage: (storage) => ({
      ...storage,
      terms: {
        ...storage.terms,
        query: (query) => {
          calls.push('terms')
          return storage.terms.query(query)
        },
      },
    }),
  })
  edith = site.as('edith')
  const parent = site.ids['category.news']
  for (let at = 0; at < 12; at++) await edith('POST', categories, { body: { name: `Below ${at}`, parent } })
  const callsOf = async (perPage: number) => {
    calls.length = 0
    await site.visitor('GET', categories, { query: `per_page=${perPage}&parent=${parent}` })
    return calls.length
  }
  const few = await callsOf(2)
  expect(few).toBeGreaterThan(0)
  expect(await callsOf(12)).toBe(few)
})

test('names lose tags and blanks, and are stored with references', async () => {
  const term = await created(categories, { name: '  A <b>bold</b>\n & "brave" <i>1 < 2</i> ' })
  expect(term).toMatchObject({ name: 'A bold &amp; "brave" 1 &lt; 2', slug: 'a-bold-brave-1-2' })
  const again = await edith('POST', `${categories}/${term.id}`, { body: { name: term.name } })
  expect(again.body.name).toBe(term.name)
  expect(await refused(edith('POST', categories, { body: { name: '<b></b>' } }))).toEqual([400, 'empty_term_name'])
  const described = await created(categories, { name: 'X', description: '<em>a</em><script>b</script>' })
  expect(described.description).toBe('<em>a</em>b')
})

test('a name exists once below one parent, without regard to case, unless another slug comes with it', async () => {
  const { ids } = site
  const { status, body } = await edith('POST', categories, { body: { name: 'NEWS' } })
  expect([status, body.code, body.data.term_id]).toEqual([400, 'term_exists', ids['category.news']])
  expect(await refused(edith('POST', categories, { body: { name: 'News', slug: 'news' } }))).toEqual([
    400,
    'term_exists',
  ])
  expect(await created(categories, { name: 'News', slug: 'press' })).toMatchObject({ slug: 'press' })
  expect(await created(categories, { name: 'News', parent: ids['category.guides'] })).toMatchObject({
    slug: 'news-guides',
  })
  expect(await created(tags, { name: 'News' })).toMatchObject({ slug: 'news' })
  expect(await created(tags, { name: 'Other', slug: 'news' })).toMatchObject({ slug: 'news-2' })
})

test('on a change a slug that another term has is an error, and an empty one is made from the name', async () => {
  const { ids } = site
  const path = `${categories}/${ids['category.guides']}`
  expect(await refused(edith('PATCH', path, { body: { slug: 'news' } }))).toEqual([400, 'duplicate_term_slug'])
  expect((await edith('PUT', path, { body: { slug: 'how-to' } })).body).toMatchObject({
    slug: 'how-to',
    name: 'Guides &amp; tips',
  })
  expect((await edith('POST', path, { body: { slug: '' } })).body.slug).toBe('guides-tips')
  expect((await edith('POST', path, { body: {} })).body.slug).toBe('guides-tips')
})

test('parents: addresses nest, loops end at the top, unknown ones and those of tags are refused', async () => {
  const { ids } = site
  const [news, harbour] = [ids['category.news'], ids['category.news-harbour']]
  const { body } = await site.visitor('GET', `${categories}/${harbour}`, { query: '_embed=up' })
  expect(body.link).toBe('https://quay.example/category/news/news-harbour/')
  expect(body._embedded.up[0]).toMatchObject({ id: news, name: 'News' })
  expect((await edith('POST', `${categories}/${news}`, { body: { parent: harbour } })).body.parent).toBe(0)
  expect((await edith('POST', `${categories}/${news}`, { body: { parent: news } })).body.parent).toBe(0)
  const unknown = edith('POST', categories, { body: { name: 'X', parent: ids['tag.red'] } })
  expect(await refused(unknown)).toEqual([400, 'rest_term_invalid'])
  expect(await refused(edith('POST', tags, { body: { name: 'X', parent: ids['tag.red'] } }))).toEqual([
    400,
    'rest_taxonomy_not_hierarchical',
  ])
})

test('links lead to routes of the profile', async () => {
  const { body } = await site.visitor('GET', `${tags}/${site.ids['tag.red']}`)
  const root = 'https://quay.example/api/cms/v2'
  expect(body._links).toMatchObject({
    self: [{ href: `${root}/tags/${body.id}`, targetHints: { allow: ['GET'] } }],
    collection: [{ href: `${root}/tags` }],
    about: [{ href: `${root}/taxonomies/post_tag` }],
    'cms:post_type': [{ href: `${root}/posts?tags=${body.id}` }],
  })
  const own = await edith('GET', `${tags}/${site.ids['tag.red']}`)
  expect(own.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE')
})

test('a term of another taxonomy is not found', async () => {
  const path = `${categories}/${site.ids['tag.red']}`
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    expect(await refused(edith(method, path, method === 'PATCH' ? { body: {} } : {}))).toEqual([
      404,
      'rest_term_invalid',
    ])
  }
})

test('a removed category leaves no post without one, and its children move up', async () => {
  const top = await created(categories, { name: 'Top' })
  const middle = await created(categories, { name: 'Middle', parent: top.id })
  const low = await created(categories, { name: 'Low', parent: middle.id })
  const post = async (ids: number[], status = 'publish') =>
    (await edith('POST', '/cms/v2/posts', { body: { title: 'P', status, categories: ids } })).body.id
  const [only, draft, both] = [
    await post([middle.id]),
    await post([middle.id], 'draft'),
    await post([middle.id, site.ids['category.news'] ?? 0]),
  ]
  expect(await refused(edith('DELETE', `${categories}/${middle.id}`))).toEqual([501, 'rest_trash_not_supported'])
  // The view is cached before, so that the test sees an old one.
  await site.visitor('GET', `/cms/v2/posts/${only}`)
  const { body } = await edith('DELETE', `${categories}/${middle.id}`, { query: 'force=true' })
  expect(body).toMatchObject({ deleted: true, previous: { id: middle.id, count: 2 } })
  expect(body.previous).not.toHaveProperty('_links')
  const categoriesOf = async (id: number) => (await edith('GET', `/cms/v2/posts/${id}`)).body.categories
  expect((await site.visitor('GET', `/cms/v2/posts/${only}`)).body.categories).toEqual([
    site.ids['category.uncategorized'],
  ])
  expect(await categoriesOf(draft)).toEqual([site.ids['category.uncategorized']])
  expect(await categoriesOf(both)).toEqual([site.ids['category.news']])
  expect((await site.visitor('GET', `${categories}/${low.id}`)).body.parent).toBe(top.id)
})

test('the default category cannot be removed', async () => {
  const path = `${categories}/${site.ids['category.uncategorized']}`
  const { status, body } = await site.as('ada')('DELETE', path, { query: 'force=true' })
  expect([status, body.code]).toEqual([403, 'rest_cannot_delete'])
  expect((await site.as('ada')('GET', path)).headers.get('allow')).toBe('GET, POST, PUT, PATCH')
})

test('a cached post shows the new slug and name of its category', async () => {
  const path = `/cms/v2/posts/${site.ids['post.ferry']}`
  const before = await site.visitor('GET', path)
  expect(before.body.class_list).toContain('category-news')
  await edith('POST', `${categories}/${site.ids['category.news']}`, { body: { slug: 'press' } })
  const after = await site.visitor('GET', path, { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
  expect([after.status, after.body?.class_list]).toEqual([200, expect.arrayContaining(['category-press'])])
})

test('whoever writes posts creates tags, and only editors create categories or change terms', async () => {
  const connie = site.as('connie')
  expect((await connie('POST', tags, { body: { name: 'Rope' } })).status).toBe(201)
  expect(await refused(connie('POST', categories, { body: { name: 'Rope' } }))).toEqual([403, 'rest_cannot_create'])
  expect(await refused(site.visitor('POST', tags, { body: { name: 'Rope' } }))).toEqual([401, 'rest_cannot_create'])
  const red = `${tags}/${site.ids['tag.red']}`
  expect(await refused(connie('POST', red, { body: { name: 'X' } }))).toEqual([403, 'rest_cannot_update'])
  expect(await refused(connie('DELETE', red, { query: 'force=true' }))).toEqual([403, 'rest_cannot_delete'])
  expect(await refused(connie('GET', tags, { query: 'context=edit' }))).toEqual([403, 'rest_forbidden_context'])
})
