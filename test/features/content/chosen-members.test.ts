/** `_fields` and `_embed` in one request: embedding follows the links that are left. */
import { expect, onTestFinished, test } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import { full } from '../../../src/profiles/full.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'
import { recorded } from '../../support/spied-storage.ts'

async function openSite(options: TestSiteOptions = {}) {
  const { calls, wrap } = recorded()
  const seed = { ...smallSite, options: { ...smallSite.options, menu_locations: { primary: 'Primary' } } }
  const site = await createTestSite({ profile: full, seed, storage: wrap, ...options })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const make = async (kind: string, body: object) => (await ada('POST', `/cms/v2/${kind}`, { body })).body
  const read = async (path: string, query: string) => (await ada('GET', `/cms/v2${path}`, { query })).body
  /** The calls of the storage that a request of a visitor makes. */
  const readsOf = async (path: string, query: string) => {
    calls.length = 0
    await site.visitor('GET', `/cms/v2${path}`, { query })
    return calls.map(({ name }) => name)
  }
  return { ...site, ada, make, read, readsOf }
}

const first = (body: Parsed): Parsed => (Array.isArray(body) ? body[0] : body)
const idsIn = (records: Parsed): unknown => [records].flat(3).map(({ id }: Parsed) => id)

test('each resource embeds the links that are left, in lists and alone', async () => {
  const { make, read, ids, ada } = await openSite()
  const pier = ids['media.pier']
  const { tide, ferry, about, front } = Object.fromEntries(
    ['post.tide', 'post.ferry', 'page.about', 'page.front'].map((key) => [key.slice(5), ids[key]]),
  )
  await ada('POST', `/cms/v2/media/${pier}`, { body: { post: ferry } })
  const above = await make('comments', { post: tide, content: 'Which tide?' })
  const below = await make('comments', { post: tide, content: 'The next.', parent: above.id })
  const menu = await make('menus', { name: 'Main' })
  const item = await make('menu-items', {
    menus: menu.id,
    type: 'post_type',
    object: 'page',
    object_id: about,
    status: 'publish',
  })
  const harbour = ids['category.news-harbour']
  const expected: readonly (readonly [string, string, string, unknown])[] = [
    [`/posts/${tide}`, '', 'cms:featuredmedia', [pier]],
    ['/posts', `include=${tide}`, 'cms:featuredmedia', [pier]],
    [`/pages/${about}`, '', 'up', [front]],
    ['/pages', `include=${about}`, 'up', [front]],
    [`/media/${pier}`, '', 'cms:attached-to', [ferry]],
    ['/media', '', 'author', [ids['user.editor']]],
    [`/comments/${below.id}`, '', 'in-reply-to', [above.id]],
    ['/comments', `include=${above.id}`, 'children', [below.id]],
    [`/categories/${harbour}`, '', 'up', [ids['category.news']]],
    ['/categories', `include=${harbour}`, 'up', [ids['category.news']]],
    [`/menu-items/${item.id}`, '', 'cms:menu-item-object', [about]],
    ['/menu-items', `menus=${menu.id}`, 'cms:term', [menu.id]],
    ['/search', 'search=tide', 'self', [tide]],
    ['/search', 'type=term&search=harbour', 'self', [harbour]],
  ]
  for (const [path, query, relation, found] of expected) {
    const recipe = (fields: string, embed: string) => read(path, `${query}&_fields=${fields}&_embed${embed}`)
    for (const embed of ['', `=${relation}`]) {
      const record = first(await recipe('id,_links', embed))
      expect([path, Object.keys(record), idsIn(record._embedded[relation])]).toEqual([
        path,
        ['id', '_links', '_embedded'],
        found,
      ])
    }
    expect([path, Object.keys(first(await recipe('id', '')))]).toEqual([path, ['id']])
    expect([path, Object.keys(first(await recipe(`_links.${relation}`, ''))._embedded)]).toEqual([path, [relation]])
  }
})

test('dots trim links and embedded records', async () => {
  const { read, ids } = await openSite()
  const tide = ids['post.tide']
  const list = (fields: string) => read('/posts', `include=${tide}&_embed&_fields=${fields}`).then(first)
  const author = await list('_links.author,_embedded.author.name')
  expect(Object.keys(author._links)).toEqual(['author'])
  expect(author._embedded).toEqual({ author: [{ name: 'Aiko Author' }] })
  expect((await list('_links.author.href'))._links.author[0]).toEqual({ href: expect.stringContaining('/users/') })
  const terms = await list('_links,_embedded.cms:term.slug,_embedded.cms:featuredmedia.id')
  expect(terms._embedded).toEqual({
    'cms:featuredmedia': [{ id: ids['media.pier'] }],
    'cms:term': [
      [{ slug: 'guides' }, { slug: 'news-harbour' }],
      [{ slug: 'green' }, { slug: 'red' }],
    ],
  })
  expect(Object.keys(terms._links)).toContain('version-history')
  // A record that is sent alone has all its links where one is named, and embeds the named one.
  const alone = await read(`/posts/${tide}`, '_fields=_links.author&_embed')
  expect(Object.keys(alone._links)).toContain('collection')
  expect(Object.keys(alone._embedded)).toEqual(['author'])
  for (const path of ['/posts', `/posts/${tide}`]) {
    expect(Object.keys(first(await read(path, `include=${tide}&_fields=id,_embedded&_embed`)))).toEqual(['id'])
  }
})

test('reads only what is left', async () => {
  const { api, readsOf, ids } = await openSite({ limits: { responseBytes: 0 } })
  await api.site.runDue()
  for (const path of ['/posts', `/posts/${ids['post.tide']}`]) {
    // The first read renders the posts.
    await readsOf(path, '')
    const plain = await readsOf(path, '_fields=id,_links')
    const added = async (query: string) => (await readsOf(path, query)).slice(plain.length)
    expect(await readsOf(path, '_fields=id,_links&_embed=none')).toEqual(plain)
    expect(await added('_fields=id&_embed')).toEqual([])
    expect(await added('_fields=id,_links.self&_embed')).toEqual([])
    expect(await added('_fields=id,_links,_embedded.self&_embed')).toEqual([])
    const authors = await added('_fields=id,_links.author&_embed')
    expect(authors).toContain('users.query')
    expect(await added('_fields=id,_links&_embed=author')).toEqual(authors)
    expect(await added('_fields=id,_links,_embedded.author.name&_embed')).toEqual(authors)
    expect((await added('_fields=id,_links&_embed')).length).toBeGreaterThan(authors.length + 2)
  }
})

test('a relation without rows is left out; beside others an empty list keeps its place', async () => {
  const { make, read, ids } = await openSite()
  const embedded = async (id: number | undefined) => (await read(`/posts/${id}`, '_embed&_fields=_links'))._embedded
  expect(Object.keys(await embedded(ids['post.hello']))).toEqual(['author', 'cms:term'])
  expect((await embedded(ids['post.hello']))['cms:term']).toMatchObject([[{ slug: 'uncategorized' }], []])
  const bare = await make('posts', { title: 'Bare', status: 'publish', categories: [] })
  expect(Object.keys(await embedded(bare.id))).toEqual(['author'])
  expect(Object.keys((await read('/posts', `include=${bare.id}&_embed`))[0]._embedded)).toEqual(['author'])
  expect(await read(`/posts/${bare.id}`, '_embed=cms:term,replies')).not.toHaveProperty('_embedded')
})

test('the index and those of namespaces have links, and the index embeds its pictures', async () => {
  const { visitor, ada, ids } = await openSite({ docs: true })
  const index = async (path: string, query: string) => (await visitor('GET', path, { query })).body
  const self = [{ href: 'https://quay.example/api/' }]
  const help = [{ href: 'https://quay.example/api/docs' }]
  expect(await index('/', '_fields=name,_links')).toEqual({ name: 'Quay Notes', _links: { self, help } })
  expect(await index('/', '_fields=_links.self&_embed')).toEqual({ _links: { self, help } })
  expect(await index('/', '_fields=name&_embed')).toEqual({ name: 'Quay Notes' })
  for (const path of ['/cms/v2', '/oembed/1.0', '/builder/v1']) {
    expect(await index(path, '_fields=_links')).toEqual({ _links: { up: self } })
    expect(Object.keys(await index(path, '_fields=namespace,_links.up&_embed'))).toEqual(['namespace', '_links'])
    expect(Object.keys(await index(path, '_fields=namespace'))).toEqual(['namespace'])
  }
  await ada('POST', '/cms/v2/settings', { body: { site_icon: ids['media.pier'] } })
  const icon = { 'cms:featuredmedia': [{ id: ids['media.pier'] }] }
  expect(await index('/', '_fields=name,_links&_embed')).toMatchObject({ _embedded: icon })
  expect(
    await index('/', '_fields=site_icon,_links.cms:featuredmedia,_embedded.cms:featuredmedia.id&_embed'),
  ).toMatchObject({
    _embedded: icon,
  })
})

test('lists that are objects have the named members in each record', async () => {
  const { read, make } = await openSite()
  await make('menus', { name: 'Main', locations: ['primary'] })
  const types = await read('/types', '_fields=slug,_links.collection')
  expect(types.post).toEqual({ slug: 'post', _links: { collection: [{ href: expect.stringContaining('/types') }] } })
  expect(Object.keys(await read('/taxonomies', '_fields=name'))).toEqual(Object.keys(await read('/taxonomies', '')))
  expect(await read('/types', '_fields=post.slug,page')).toMatchObject({
    post: { slug: 'post' },
    page: { slug: 'page' },
  })
  expect(Object.keys(await read('/types', '_fields=post.slug,page'))).toEqual(['post', 'page'])
  const places = await read('/menu-locations', '_fields=name,_links&_embed')
  expect(places.primary).toMatchObject({ name: 'primary', _embedded: { 'cms:menu': [{ name: 'Main' }] } })
})

test('envelopes, batches, writes and calls inside the process embed the same', async () => {
  const { api, ada, read, ids } = await openSite()
  const tide = ids['post.tide']
  const recipe = '_fields=id,_links.cms:featuredmedia&_embed'
  const pictured = { _embedded: { 'cms:featuredmedia': [{ id: ids['media.pier'] }] } }
  expect(await read('/posts', `include=${tide}&${recipe}&_envelope`)).toMatchObject({ status: 200, body: [pictured] })
  const requests = [{ method: 'PATCH', path: `/cms/v2/posts/${tide}?${recipe}`, body: { sticky: false } }]
  const { body } = await ada('POST', '/batch/v1', { body: { requests } })
  expect(body.responses[0].body).toMatchObject(pictured)
  expect((await ada('PATCH', `/cms/v2/posts/${tide}`, { query: recipe, body: { sticky: false } })).body).toMatchObject(
    pictured,
  )
  const args = { include: [tide], _fields: ['id', '_links'], _embed: ['cms:featuredmedia'] }
  expect((await api.call('GET', '/cms/v2/posts', args)).data).toMatchObject([pictured])
})

test('cached responses and tags follow what is embedded', async () => {
  const { visitor, ada, ids } = await openSite()
  const query = '_fields=id,_links.author,_embedded.author.name&_embed'
  const names = async () => (await visitor('GET', '/cms/v2/posts', { query: `slug=tide&${query}` })).body[0]._embedded
  const path = `/cms/v2/posts/${ids['post.tide']}`
  expect(await names()).toEqual({ author: [{ name: 'Aiko Author' }] })
  expect(await names()).toEqual({ author: [{ name: 'Aiko Author' }] })
  const { headers } = await visitor('GET', path, { query })
  const tag = headers.get('etag') ?? ''
  await ada('POST', `/cms/v2/users/${ids['user.author2']}`, { body: { name: 'Aiko of the Pier' } })
  expect(await names()).toEqual({ author: [{ name: 'Aiko of the Pier' }] })
  const after = await visitor('GET', path, { query, headers: { 'if-none-match': tag } })
  expect(after).toMatchObject({ status: 200, body: { _embedded: { author: [{ name: 'Aiko of the Pier' }] } } })
})

test('the words of a preset name relations', async () => {
  const { visitor, ids } = await openSite({ names: wordpress })
  const path = `/wp/v2/posts/${ids['post.tide']}`
  const read = async (query: string) => (await visitor('GET', path, { query })).body
  expect(await read('_fields=id,_links&_embed=wp:featuredmedia')).toMatchObject({
    _embedded: { 'wp:featuredmedia': [{ id: ids['media.pier'] }] },
  })
  const trimmed = await read('_fields=_links.wp:term,_embedded.wp:term.taxonomy&_embed')
  expect(trimmed._embedded).toEqual({
    'wp:term': [
      [{ taxonomy: 'category' }, { taxonomy: 'category' }],
      [{ taxonomy: 'post_tag' }, { taxonomy: 'post_tag' }],
    ],
  })
})
