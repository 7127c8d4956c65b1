import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { passwordOf, smallSite } from '../support/small-site.ts'
import { openStorage } from '../support/storage.ts'

let site: TestSite

beforeEach(async () => {
  site = await createTestSite({ seed: false })
})
afterEach(() => site.dispose())

test('gives ids ascending in the order of the document', async () => {
  const ids = await site.api.site.seed(smallSite)
  const posts = smallSite.posts.map(({ key }) => ids[`post.${key}`] ?? 0)
  expect(posts).toEqual([...posts].sort((a, b) => a - b))
  expect(Object.keys(ids)).toEqual(
    expect.arrayContaining(['user.admin', 'category.news', 'tag.red', 'media.pier', 'page.front', 'revision.hello.3']),
  )
  expect(ids['revision.hello.1']).toBeLessThan(ids['revision.hello.2'] ?? 0)
})

test('serves the seeded content', async () => {
  const ids = await site.api.site.seed(smallSite)
  const { body } = await site.as('ada')('GET', `/cms/v2/posts/${ids['post.tide']}`, { query: 'context=edit' })
  expect(body).toMatchObject({
    title: { raw: 'Reading the tide' },
    author: ids['user.author2'],
    featured_media: ids['media.pier'],
    categories: expect.arrayContaining([ids['category.guides'], ids['category.news-harbour']]),
    date: '2024-01-14T09:00:00',
    date_gmt: '2024-01-14T09:00:00',
    status: 'publish',
  })
  const index = await site.visitor('GET', '/')
  expect(index.body).toMatchObject({ name: 'Quay Notes', page_on_front: ids['page.front'] })
})

test('converts site time by the rules of the zone on the date', async () => {
  const ids = await site.api.site.seed({ ...smallSite, posts: [{ key: 'summer', date: '2024-07-01T09:00:00' }] })
  const { body } = await site.visitor('GET', `/cms/v2/posts/${ids['post.summer']}`)
  expect(body).toMatchObject({ date: '2024-07-01T09:00:00', date_gmt: '2024-07-01T08:00:00', slug: 'summer' })
})

test('publishes a scheduled post whose date in GMT the document leaves open by its local date', async () => {
  const posts = [{ key: 'regatta', status: 'future', date: '2024-07-01T09:00:00', date_gmt: null }]
  const ids = await site.api.site.seed({ ...smallSite, posts })
  const address = `/cms/v2/posts/${ids['post.regatta']}`
  site.clock.now = Date.parse('2024-07-01T07:59:59Z')
  expect((await site.visitor('GET', address)).status).toBe(401)
  site.clock.now = Date.parse('2024-07-01T08:00:00Z')
  expect((await site.visitor('GET', address)).body).toMatchObject({
    status: 'publish',
    date_gmt: '2024-07-01T08:00:00',
  })
})

test('restores a trashed post to the slug and status that the document names', async () => {
  const ids = await site.api.site.seed(smallSite)
  const restored = await site.as('ada')('POST', `/cms/v2/posts/${ids['post.trashed']}`, { body: { status: 'publish' } })
  expect(restored.body).toMatchObject({ status: 'publish', slug: 'thrown-away' })
})

test('reports a site as empty after reads', async () => {
  await site.visitor('GET', '/')
  await site.visitor('GET', '/cms/v2/posts')
  expect(await site.api.site.isEmpty()).toBe(true)
  const ids = await site.api.site.seed(smallSite)
  site.clock.now = Date.parse('2098-07-02T00:00:00Z')
  const { body } = await site.visitor('GET', `/cms/v2/posts/${ids['post.future']}`)
  expect(body).toMatchObject({ status: 'publish' })
})

test('refuses a storage that is not empty', async () => {
  expect(await site.api.site.isEmpty()).toBe(true)
  await site.api.site.seed(smallSite)
  expect(await site.api.site.isEmpty()).toBe(false)
  await expect(site.api.site.seed(smallSite)).rejects.toThrow('the storage is not empty')
})

const wrong: readonly [place: string, document: object][] = [
  ['posts[0].author names a user', { posts: [{ key: 'a', author: 'nobody' }] }],
  ['posts[0].categories[1] names a category', { ...smallSite, posts: [{ key: 'a', categories: ['news', 'no'] }] }],
  ['posts[0].featured_media names a media', { posts: [{ key: 'a', featured_media: 'no' }] }],
  ['options.page_on_front names a page', { options: { page_on_front: 'no' } }],
  ['posts[1] repeats the key', { posts: [{ key: 'a' }, { key: 'a', slug: 'b' }] }],
  ['posts[1].slug repeats the slug', { posts: [{ key: 'a' }, { key: 'b', slug: 'a' }] }],
  [
    'users[1].login repeats the login or email',
    {
      users: [
        { key: 'a', login: 'Ada' },
        { key: 'b', login: 'ada', nicename: 'b' },
      ],
    },
  ],
  ['posts[0].title must be a text', { posts: [{ key: 'a', title: 7 }] }],
  ['posts[0] has a member that is not known: "titel"', { posts: [{ key: 'a', titel: 'x' }] }],
  ['posts[0].status must be one of', { posts: [{ key: 'a', status: 'gone' }] }],
  ['posts[0].date must be a time', { posts: [{ key: 'a', date: '2024-02-30T10:00:00' }] }],
  ['posts[0].content holds a NUL', { posts: [{ key: 'a', content: 'a\0b' }] }],
  ['posts[0].revisions[0] lacks the member "date"', { posts: [{ key: 'a', revisions: [{}] }] }],
  ['categories[0].parent makes a circle', { categories: [{ key: 'a', slug: 'a', name: 'A', parent: 'a' }] }],
  [
    'options.timezone_string must be a time zone like Europe/Lisbon',
    { options: { timezone_string: 'Atlantis/Capital' } },
  ],
  ['users[0].registered must be a time', { users: [{ key: 'a', login: 'a', registered: '1900-02-29T00:00:00' }] }],
  [
    'users[0].capabilities["x y"] must be true or false',
    { users: [{ key: 'a', login: 'a', capabilities: { 'x y': 1 } }] },
  ],
  ['users[0].login must not be empty', { users: [{ key: 'a', login: '' }] }],
  ['media[0].width must be an integer', { media: [{ key: 'a', width: 2 ** 53 }] }],
  ['posts[0].tags must be a list', { posts: [{ key: 'a', tags: 'red' }] }],
  ['options.gmt_offset must be a number', { options: { gmt_offset: '1' } }],
  ['records.nothing is no collection', { records: { nothing: [{}] } }],
  ['the document must be an object', []],
  ['comments', { comments: [] }],
]

test.each(wrong)('refuses a document and writes nothing: %s', async (message, document) => {
  await expect(site.api.site.seed(document)).rejects.toThrow(message)
  expect(await site.api.site.isEmpty()).toBe(true)
})

test('refuses JSON that is nested too deep, and accepts meta as deep as a request body', async () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const documentWith = (levels: number) => ({ posts: [{ key: 'a', meta: { _tree: nested(levels) } }] })
  await expect(site.api.site.seed(documentWith(300))).rejects.toThrow('is nested deeper than')
  await site.api.site.seed(documentWith(200))
  expect((await site.api.site.export()).posts?.[0]?.meta).toEqual({ _tree: nested(200) })
})

test('accepts the last days of February that the calendar has', async () => {
  const dates = ['2000-02-29T23:59:59', '2024-02-29T00:00:00', '2023-02-28T00:00:00', '0000-02-29T00:00:00']
  await site.api.site.seed({ posts: dates.map((date, index) => ({ key: `p${index}`, date, date_gmt: date })) })
  expect((await site.api.site.export()).posts?.map(({ date }) => date)).toEqual(dates)
})

test('exports secrets as digests and seeds them again', async () => {
  const users = [
    { key: 'a', login: 'ada', role: 'administrator', password: 'open', application_password: passwordOf('ada') },
  ]
  await site.api.site.seed({ users })
  const document = await site.api.site.export()
  const text = JSON.stringify(document)
  expect(text).not.toContain('"open"')
  expect(text).not.toContain(passwordOf('ada'))
  const second = await createTestSite({ seed: document })
  expect(await second.api.site.export()).toEqual(document)
  expect((await second.as('ada')('GET', '/cms/v2/posts', { query: 'context=edit' })).status).toBe(200)
  await second.dispose()
})

test('an exported and seeded site equals the original', async () => {
  const ids = await site.api.site.seed(smallSite)
  await site.as('arthur')('POST', '/cms/v2/posts', { body: { title: 'One more', tags: [ids['tag.red']] } })
  await site.as('ada')('POST', `/cms/v2/posts/${ids['post.ferry']}`, { body: { content: 'Later still.' } })
  await site.api.site.users.create({ login: 'zoe', roles: ['author', 'editor'], meta: { locale: 'pt' } })
  await site.api.site.media.create({ file: '2024/06/a.pdf', mimeType: 'application/pdf', title: 'A', alt: 'A page' })
  await site.api.site.terms.create({ taxonomy: 'region', name: 'North', meta: { color: 'blue' } })
  const document = JSON.parse(JSON.stringify(await site.api.site.export()))
  const second = await createTestSite({ seed: document })
  expect(await second.api.site.export()).toEqual(document)
  const [first, again] = await Promise.all([site, second].map((one) => listing(one)))
  expect(again).toEqual(first)
  await second.dispose()
})

/** All posts as the administrator sees them, without ids. */
/** A built document names its id in its HTML. */
const withoutIds = (content: unknown) =>
  JSON.parse(JSON.stringify(content).replace(/(builder-id=\\"|builder builder-)\d+/g, '$1'))

async function listing(one: TestSite) {
  const query = 'context=edit&per_page=100&status=any,trash&orderby=title&order=asc'
  const { body } = await one.as('ada')('GET', '/cms/v2/posts', { query })
  const plain = ({
    title,
    content,
    excerpt,
    slug,
    status,
    date,
    date_gmt,
    modified,
    sticky,
    template,
    format,
    meta,
    password,
  }: Record<string, unknown>) => ({
    title,
    content: withoutIds(content),
    excerpt,
    slug,
    status,
    date,
    date_gmt,
    modified,
    sticky,
    template,
    format,
    meta,
    password,
  })
  return body.map(plain)
}

test('seeds and exports more rows than one window', async () => {
  const posts = Array.from({ length: 1203 }, (_, n) => ({
    ...{ key: `p${n}`, date: '2024-01-01T00:00:00', categories: ['c'], author: 'a' },
    ...(n === 7 ? { revisions: [{ date: '2024-01-02T00:00:00' }] } : {}),
  }))
  const steps: number[] = []
  const ids = await site.api.site.seed(
    { users: [{ key: 'a', login: 'a' }], categories: [{ key: 'c', slug: 'c', name: 'C' }], posts },
    { progress: (done) => void steps.push(done) },
  )
  expect(ids['revision.p7.1']).toBeGreaterThan(ids['post.p1202'] ?? 0)
  expect(steps.at(-1)).toBe(1206)
  const { headers } = await site.visitor('GET', '/cms/v2/posts', { query: { categories: ids['category.c'] ?? 0 } })
  expect(headers.get('x-cms-total')).toBe('1203')
  expect((await site.api.site.export()).posts).toHaveLength(1203)
})

test('writes nothing when the storage fails half way', async () => {
  const { storage, dispose } = await openStorage()
  const failing = {
    ...storage,
    atomic: <T>(work: (inside: typeof storage) => T) =>
      storage.atomic?.((inside) =>
        work({
          ...inside,
          posts: {
            ...inside.posts,
            insert: () => {
              throw new Error('the disk is full')
            },
          },
        }),
      ) as T,
  }
  const api = createSiteApi({ storage: failing, profile: d1 })
  await expect(api.site.seed(smallSite)).rejects.toThrow('the disk is full')
  expect(await createSiteApi({ storage, profile: d1 }).site.isEmpty()).toBe(true)
  await dispose()
})
