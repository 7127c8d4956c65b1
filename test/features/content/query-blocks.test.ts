/** Lists of posts that blocks make with a template: what they list, their pages, their bounds, and what readers may see. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { content } from '../../../src/profiles/content.ts'
import { createTestPages, type TestPages } from '../../site-pages/pages.ts'
import type { Requester } from '../../support/site.ts'
import { type StorageCall, spied } from '../../support/spied-storage.ts'

let site: TestPages
let ada: Requester
/** Tasks of the site run beside the requests, and are not counted. */
const asked = new AsyncLocalStorage<StorageCall[]>()
beforeEach(async () => {
  const storage = (own: Storage) => spied(own, (call) => void asked.getStore()?.push(call))
  site = await createTestPages({ profile: content, storage })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const json = (attributes: object) => JSON.stringify(attributes)
const pair = (name: string, inner: string, attributes: object = {}) =>
  `<!-- cms:${name} ${json(attributes)} -->${inner}<!-- /cms:${name} -->`
const single = (name: string, attributes: object = {}) => `<!-- cms:${name} ${json(attributes)} /-->`

const titles = pair('post-template', single('post-title', { isLink: true, level: 3 }))
const links = pair(
  'query-pagination',
  single('query-pagination-previous') + single('query-pagination-numbers') + single('query-pagination-next'),
)
const queryOf = (query: object, inner = titles, more: object = {}) =>
  pair('query', `<div class="cms-block-query">${inner}</div>`, { queryId: 4, query, ...more })

/** Lists are on pages, so that they do not list themselves. */
async function saved(text: string, more: object = {}, type = 'pages'): Promise<number> {
  const body = { title: 'A list', slug: 'a-list', content: text, status: 'publish', ...more }
  const { status, body: post } = await ada('POST', `/cms/v2/${type}`, { body })
  expect(status).toBe(201)
  return post.id
}

const savedPost = (text: string, more: object) => saved(text, more, 'posts')

async function numbered(count: number, more: object = {}): Promise<readonly number[]> {
  const ids: number[] = []
  for (let index = 1; index <= count; index++) {
    const date = `2024-06-15T10:${String(index).padStart(2, '0')}:00`
    ids.push(
      await savedPost(`<p>Words ${index}</p>`, { title: `Number ${index}`, slug: `number-${index}`, date, ...more }),
    )
  }
  return ids
}

const shown = async (id: number, as: Requester = site.visitor): Promise<string> =>
  (await as('GET', `/cms/v2/pages/${id}`)).body.content.rendered
const found = (html: string): string[] => [...html.matchAll(/>((?:Number|Page) \d+)</g)].map(([, title = '']) => title)
const listed = async (query: object, inner?: string, more?: object): Promise<string[]> =>
  found(await shown(await saved(queryOf(query, inner, more), { title: 'List', slug: '' })))

test('draws its template for each post, in responses and on pages', async () => {
  await numbered(3)
  const parts = ['post-date', 'post-excerpt', 'post-author-name', 'post-terms', 'read-more'].map((name) =>
    single(name, name === 'post-terms' ? { term: 'category' } : {}),
  )
  const template = pair('post-template', `<p>Of the template</p>${parts.join('')}${single('post-title')}`, {
    layout: { type: 'grid', columnCount: 3 },
  })
  const id = await saved(queryOf({ perPage: 2, search: 'Number', postType: 'post' }, template))
  const html = await shown(id)
  expect(html).toContain(
    '<div class="cms-block-query"><ul class="cms-block-post-template"><li class="cms-block-post post-',
  )
  expect(found(html)).toEqual(['Number 3', 'Number 2'])
  expect(html.match(/Of the template/g)).toHaveLength(2)
  expect(html).toMatch(/Words 3[\s\S]*Words 2/)
  expect(html).toMatch(/2024-06-15T10:03:00[\s\S]*2024-06-15T10:02:00/)
  const page = (await site.get('/a-list/')).text
  expect(page).toContain('<ul class="is-layout-grid has-column-count cms-block-post-template" style="--cms-columns:3">')
  expect(page).toMatch(/blocks\/layout_[\w-]*post-template[\w-]*\./)
})

test('attributes choose, order and leave out posts', async () => {
  const ids = await numbered(4)
  const { body: term } = await ada('POST', '/cms/v2/categories', { body: { name: 'Above' } })
  const { body: below } = await ada('POST', '/cms/v2/categories', { body: { name: 'Below', parent: term.id } })
  const { body: tag } = await ada('POST', '/cms/v2/tags', { body: { name: 'Tag' } })
  await ada('PUT', `/cms/v2/posts/${ids[0]}`, { body: { categories: [below.id], sticky: true } })
  await ada('PUT', `/cms/v2/posts/${ids[1]}`, { body: { categories: [term.id], tags: [tag.id] } })
  const { body: me } = await ada('GET', '/cms/v2/users/me')
  const all = { search: 'number', perPage: 10 }
  expect(await listed({ ...all, order: 'asc', orderBy: 'title' })).toEqual([
    'Number 1',
    'Number 2',
    'Number 3',
    'Number 4',
  ])
  expect(await listed({ ...all, perPage: 2, offset: 1 })).toEqual(['Number 3', 'Number 2'])
  expect(await listed({ ...all, exclude: [ids[3]] })).toEqual(['Number 3', 'Number 2', 'Number 1'])
  expect(await listed({ ...all, sticky: 'only' })).toEqual(['Number 1'])
  expect(await listed({ ...all, sticky: 'exclude' })).toEqual(['Number 4', 'Number 3', 'Number 2'])
  expect(await listed({ perPage: 2 })).toEqual(['Number 1', 'Number 4', 'Number 3'])
  expect(await listed({ perPage: 2, sticky: 'ignore' })).toEqual(['Number 4', 'Number 3'])
  expect(await listed({ ...all, author: String(me.id + 99) })).toEqual([])
  expect(await listed({ ...all, author: `${me.id}, 999`, perPage: 1 })).toEqual(['Number 4'])
  for (const query of [
    { taxQuery: { category: [term.id] } },
    { taxQuery: { include: { category: [term.id] } } },
    { categoryIds: [term.id] },
  ]) {
    expect(await listed({ ...all, ...query })).toEqual(['Number 2', 'Number 1'])
  }
  expect(await listed({ ...all, taxQuery: { exclude: { category: [term.id] } } })).toEqual(['Number 4', 'Number 3'])
  expect(await listed({ ...all, tagIds: [tag.id], categoryIds: [term.id] })).toEqual(['Number 2'])
  const parent = await saved('', { title: 'Parent', slug: 'parent' })
  await saved('', { title: 'Page 1', slug: 'p1', parent })
  expect(await listed({ postType: 'page', parents: [parent], perPage: 5 })).toEqual(['Page 1'])
  for (const postType of ['attachment', 'nav_menu_item', 'revision', 'cms_block', 'constructor', {}]) {
    const nothing = await listed({ ...all, postType })
    expect(nothing).toEqual(typeof postType === 'string' ? [] : expect.any(Array))
  }
})

test('its pages have addresses; two queries have pages of their own', async () => {
  await numbered(5)
  const query = { perPage: 2, search: 'Number' }
  const id = await saved(queryOf(query, titles + links) + queryOf({ ...query, order: 'asc' }, titles + links))
  const response = await shown(id)
  expect(response).toContain('/a-list/?query-4-page=2"')
  expect(response).toContain('/a-list/?query-4-page-2=2"')
  expect(response).toContain('<span aria-current="page" class="page-numbers current">')
  expect(response).not.toContain('query-pagination-previous')
  const pageAt = async (path: string) => {
    const { status, text } = await site.get(path)
    expect(status).toBe(200)
    return { text, titles: found(text.slice(text.indexOf('<main'))) }
  }
  const second = await pageAt('/a-list/?query-4-page=2')
  expect(second.titles).toEqual(['Number 3', 'Number 2', 'Number 1', 'Number 2'])
  expect(second.text).toMatch(
    /href="[^"]*\/a-list\/"[^>]*class="[^"]*query-pagination-previous|query-pagination-previous"[^>]*href="[^"]*\/a-list\/"/,
  )
  expect(second.text).toContain('?query-4-page=2&amp;query-4-page-2=2"')
  const both = await pageAt('/a-list/?query-4-page=3&query-4-page-2=3')
  expect(both.titles).toEqual(['Number 1', 'Number 5'])
  expect(both.text.match(/query-pagination-next/g)).toBeNull()
  const beyond = await pageAt('/a-list/?query-4-page=9&query-4-page-2=x')
  expect(beyond.titles).toEqual(['Number 1', 'Number 2'])
})

test('the number of pages can be limited, and an empty list says so', async () => {
  await numbered(5)
  const none = pair('query-no-results', '<p>Nothing here.</p>')
  await saved(queryOf({ perPage: 1, search: 'Number', pages: 2 }, titles + links + none))
  const second = (await site.get('/a-list/?query-4-page=2')).text
  expect(second).toContain('Number 4')
  expect(second).not.toContain('query-pagination-next')
  expect(second).not.toContain('Nothing here.')
  expect((await site.get('/a-list/?query-4-page=3')).text).toContain('Nothing here.')
  expect(await shown(await saved(queryOf({ search: 'unheard-of' }, titles + links + none)))).toContain(
    '<div class="cms-block-query"><div class="cms-block-query-no-results"><p>Nothing here.</p></div></div>',
  )
})

test('posts that visitors may not see are not listed; a password hides the text', async () => {
  await numbered(1)
  await savedPost('Draft words', { title: 'Hidden draft', status: 'draft', slug: 'h1' })
  await savedPost('Private words', { title: 'Hidden private', status: 'private', slug: 'h2' })
  await savedPost('Later words', { title: 'Hidden later', status: 'future', date: '2099-01-01T00:00:00', slug: 'h3' })
  await savedPost('Secret words', { title: 'Number 7', password: 'rope', slug: 'locked', excerpt: 'Secret excerpt' })
  const template = pair('post-template', single('post-title') + single('post-excerpt') + single('post-content'))
  const id = await saved(queryOf({ perPage: 20 }, template))
  for (const reader of [site.visitor, ada]) {
    const html = await shown(id, reader)
    expect(found(html)).toEqual(['Number 7', 'Number 1'])
    expect(html).not.toMatch(/Hidden|Secret|Draft words|Private words|Later words/)
    expect(html).toContain('<p>Words 1</p>')
  }
})

test('a template that shows contents ends, and so do queries in queries', async () => {
  await numbered(2)
  const whole = pair('post-template', single('post-title') + single('post-content'))
  for (const slug of ['one', 'two']) await savedPost(queryOf({ perPage: 5 }, whole), { title: slug, slug })
  const html = await shown(await saved(queryOf({ perPage: 5, search: 'Number' }, whole)))
  expect(html.length).toBeLessThan(100_000)
  expect(html).toContain('Number 2')
  let nested = single('post-title')
  for (let depth = 0; depth < 6; depth++)
    nested = queryOf({ perPage: 3, search: 'Number' }, pair('post-template', nested))
  expect((await shown(await saved(nested, { title: 'Deep', slug: 'deep' }))).length).toBeLessThan(100_000)
  const stray = titles + links + pair('query-no-results', 'x') + single('query-title')
  expect((await shown(await saved(stray, { title: 'Stray', slug: 'stray' }))).trim()).toBe('')
  expect(await shown(await saved(single('post-content'), { title: 'Own', slug: 'own' }))).not.toContain('post-content')
})

test('the number of reads does not grow with the posts', async () => {
  await numbered(12)
  const template = pair(
    'post-template',
    ['post-title', 'post-terms', 'post-author-name', 'post-featured-image', 'post-excerpt', 'post-content', 'post-date']
      .map((name) => single(name, name === 'post-terms' ? { term: 'category' } : {}))
      .join('') + queryOf({ perPage: 2 }, titles),
  )
  const countOf = async (perPage: number) => {
    const id = await saved(queryOf({ perPage, search: 'Number' }, template), {
      title: `Of ${perPage}`,
      slug: '',
    })
    const calls: StorageCall[] = []
    const html = await asked.run(calls, () => shown(id))
    expect(found(html).length).toBeGreaterThanOrEqual(perPage)
    return calls.length
  }
  const few = await countOf(2)
  expect([await countOf(12), await countOf(2), await countOf(12)]).toEqual([few, few, few])
  expect(few).toBeLessThanOrEqual(30)
})

test('attributes of another type, and markup in them, do no harm', async () => {
  await numbered(2)
  const bad = [
    { query: 'x' },
    {
      query: {
        perPage: 'many',
        offset: [],
        author: { a: 1 },
        taxQuery: 7,
        orderBy: '__proto__',
        parents: 'x',
        pages: -1,
      },
    },
    { query: { perPage: 1e9, search: '"><script>alert(1)</script>', taxQuery: { include: 5, 'x"y': ['1', -1, {}] } } },
    { queryId: '"><script>', query: { perPage: 1 }, displayLayout: { type: 'flex', columns: '"' } },
  ]
  for (const attributes of bad) {
    const html = await shown(await saved(pair('query', titles + links, attributes), { title: 'Bad', slug: '' }))
    expect(html).not.toMatch(/<script/)
  }
})
