/** A search finds and counts what its caller may read: its total tells nothing of hidden rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { counted } from '../../support/counted.ts'
import type { TestSite } from '../../support/site.ts'
import { createCommentedSite } from './comments/site.ts'
import { mediaSite, upload } from './media/pictures.ts'

const readers = [null, 'sam', 'connie', 'arthur', 'aiko', 'edith', 'ada'] as const
type Reader = (typeof readers)[number]

/** The ids that a list shows, and its total. */
async function listed(site: TestSite, login: Reader, path: string, query: string) {
  const { body, headers, status } = await site.as(login)('GET', path, { query: `per_page=100&${query}` })
  const ids = status === 200 ? body.map(({ id }: { id: number }) => id).sort() : []
  return { status, ids, total: Number(headers.get('x-cms-total') ?? 0) }
}

/** A search shows what an administrator's search and the reader's own list have in common, and hidden rows count the same for each word. */
async function expectSameReach(site: TestSite, path: string, filter: string, words: readonly string[]) {
  const unknown = 'zzzunknown'
  let compared = 0
  for (const login of readers) {
    const every = await listed(site, login, path, filter)
    if (every.status !== 200) continue
    for (const word of [...words, unknown]) {
      const found = await listed(site, login, path, `${filter}&search=${word}`)
      const all = await listed(site, 'ada', path, `${filter}&search=${word}`)
      const wanted = all.ids.filter((id: number) => every.ids.includes(id))
      expect({ login, word, ids: found.ids }).toEqual({ login, word, ids: wanted })
      const blind = await listed(site, login, path, `${filter}&search=${unknown}`)
      expect({ login, word, unread: found.total - found.ids.length }).toEqual({ login, word, unread: blind.total })
      compared++
    }
  }
  counted(compared, 'searches compared')
}

describe('the search of posts', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await createCommentedSite()
    const as = (login: string) => site.as(login)
    for (const [login, status] of [
      ['arthur', 'draft'],
      ['connie', 'pending'],
      ['edith', 'private'],
      ['arthur', 'private'],
    ] as const) {
      const body = { title: `Tugboat of ${login}`, slug: `tugboat-${login}-${status}`, status }
      expect((await as(login)('POST', '/cms/v2/posts', { body })).status).toBe(201)
    }
    const trashed = await as('edith')('POST', '/cms/v2/posts', { body: { title: 'Tugboat gone', status: 'draft' } })
    await as('edith')('DELETE', `/cms/v2/posts/${trashed.body.id}`)
    await as('edith')('POST', '/cms/v2/blocks', { body: { title: 'Tugboat block', status: 'publish' } })
    await as('edith')('POST', '/cms/v2/pages', { body: { title: 'Tugboat page', status: 'draft' } })
  })
  afterAll(() => site.dispose())

  const filters = [
    'status=draft',
    'status=pending',
    'status=trash',
    'status=private',
    'status=any',
    'status=draft,publish',
  ]
  test.each([
    ['/cms/v2/posts', ''],
    ...filters.map((filter) => ['/cms/v2/posts', filter] as const),
    ['/cms/v2/posts', 'context=edit&status=draft,private,publish'],
    ['/cms/v2/pages', 'status=draft'],
    ['/cms/v2/blocks', ''],
  ] as const)('%s?%s finds what the caller may read, and tells nothing of the rest', async (path, filter) => {
    await expectSameReach(site, path, filter, ['Tugboat', 'ferry', 'private'])
  })

  test('each page that the total promises answers', async () => {
    const query = (page: number) => `status=private,draft&search=Tugboat&per_page=1&page=${page}`
    const first = await site.as('arthur')('GET', '/cms/v2/posts', { query: query(1) })
    const pages = Number(first.headers.get('x-cms-totalpages'))
    expect(pages).toBeGreaterThan(2)
    for (let page = 1; page <= pages; page++) {
      expect((await site.as('arthur')('GET', '/cms/v2/posts', { query: query(page) })).status).toBe(200)
    }
    expect((await site.as('arthur')('GET', '/cms/v2/posts', { query: query(pages + 1) })).status).toBe(400)
  })

  test('a slug that is hidden is counted like one that is free', async () => {
    for (const login of ['sam', 'connie', 'arthur'] as const) {
      for (const slug of ['tugboat-edith-private', 'tugboat-none']) {
        const found = await listed(site, login, '/cms/v2/posts', `slug=${slug}&status=draft,private,publish`)
        expect([login, found.ids, found.total]).toEqual([login, [], 0])
      }
    }
    const own = await listed(site, 'arthur', '/cms/v2/posts', 'slug=tugboat-arthur-private&status=private')
    expect([own.ids.length, own.total]).toEqual([1, 1])
  })
})

describe('the search of media', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await mediaSite()
    const post = async (status: string, login = 'edith') =>
      (await site.as(login)('POST', '/cms/v2/posts', { body: { title: `A ${status} post`, status } })).body.id
    const draft = await post('draft')
    const parents = [draft, await post('private'), await post('publish'), await post('draft', 'arthur'), 0]
    for (const [at, parent] of parents.entries()) {
      const query = `post=${parent}&title=Tugboat ${at}`
      expect((await upload(site, `tugboat-${at}.txt`, `${at}`, { type: 'text/plain', query })).status).toBe(201)
    }
    // An author has a file on the draft of somebody else.
    const own = await upload(site, 'tugboat-own.txt', 'own', {
      type: 'text/plain',
      query: 'title=Tugboat own',
      as: 'arthur',
    })
    await site.as('ada')('POST', `/cms/v2/media/${own.body.id}`, { body: { post: draft } })
  })
  afterAll(() => site.dispose())

  test.each(['', 'context=edit', 'search_columns=post_title'])(
    '?%s finds files of posts that the caller may read',
    async (filter) => {
      await expectSameReach(site, '/cms/v2/media', filter, ['Tugboat', 'tugboat-1', 'own'])
    },
  )

  test('a slug that is hidden is counted like one that is free', async () => {
    for (const slug of ['tugboat-0', 'tugboat-none']) {
      const found = await listed(site, null, '/cms/v2/media', `slug=${slug}`)
      expect([slug, found.ids, found.total]).toEqual([slug, [], 0])
    }
  })
})

describe('the search of comments', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await createCommentedSite({ profile: content })
  })
  afterAll(() => site.dispose())

  test.each(['', 'status=hold', 'status=all', 'type=all'])('?%s finds what the caller may read', async (filter) => {
    await expectSameReach(site, '/cms/v2/comments', filter, ['Words', 'secret', 'locked', 'held', 'Vera'])
  })

  test('the password of a post opens its comments to the search', async () => {
    const [{ id }] = (await site.as('ada')('GET', '/cms/v2/posts', { query: 'slug=locked' })).body
    const found = await listed(site, null, '/cms/v2/comments', `post=${id}&password=tide&search=locked`)
    const unopened = await listed(site, null, '/cms/v2/comments', 'search=locked')
    expect([found.total, unopened.total]).toEqual([found.ids.length, 0])
  })
})
