/** The document as a stream. */
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { content } from '../../src/profiles/content.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { ownOptions } from '../support/own-options.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { openStorage } from '../support/storage.ts'

let site: TestSite

beforeEach(async () => {
  site = await createTestSite({ seed: false, profile: d2 })
})
afterEach(() => site.dispose())

const streamed = () => new Response(site.api.site.exportStream()).text()
const whole = async () => `${JSON.stringify(await site.api.site.export(), null, 2)}\n`

test('streams the text of the document', async () => {
  const records = { notes: [{ post_id: 'post.hello', content: 'One\n  two' }, { content: 'Three' }] }
  await site.api.site.seed({ ...smallSite, records })
  const text = await streamed()
  expect(text).toBe(await whole())
  expect(Object.keys(JSON.parse(text))).toEqual([
    ...['options', 'users', 'categories', 'tags', 'media', 'pages', 'posts', 'records'],
  ])
})

test('streams a site with nothing in it', async () => {
  expect(await streamed()).toBe(await whole())
  await site.api.site.seed({ records: { notes: [{ content: 'Alone' }] } })
  expect(await streamed()).toBe(await whole())
})

test('tells how many entries of how many are exported', async () => {
  const posts = Array.from({ length: 1200 }, (_, number) => ({ key: `p${number}`, revisions: [] }))
  await site.api.site.seed({ posts })
  const told: (readonly number[])[] = []
  await new Response(site.api.site.exportStream({ progress: (...counts) => void told.push(counts) })).text()
  const total = told.at(-1)?.[1] ?? 0
  expect(total).toBeGreaterThanOrEqual(1200)
  expect(told).toEqual([
    [500, total],
    [1000, total],
    [total, total],
  ])
})

test('a reader that cancels the stream ends the transaction', async () => {
  await site.api.site.seed(smallSite)
  const stream = site.api.site.exportStream()
  await stream.cancel()
  await site.api.site.options.write({ name: 'Written after it' })
  expect(await site.api.site.options.read(['name'])).toEqual({ name: 'Written after it' })
})

test('exports the revisions of posts that have hundreds of them', async () => {
  const revisions = Array.from({ length: 150 }, (_, n) => ({ date: '2024-01-02T00:00:00', title: `${n}` }))
  const posts = ['a', 'b', 'c'].map((key) => ({ key, revisions }))
  await site.api.site.seed({ posts })
  const exported = (await site.api.site.export()).posts ?? []
  expect(exported.map((post) => post.revisions?.map(({ title }) => title))).toEqual(
    posts.map(() => revisions.map(({ title }) => title)),
  )
})

// A site may have been served with the profile D2 before.
test.each([
  ['d2', d2],
  ['content', content],
] as const)(
  'neither an export nor the list of options of %s has what the site keeps for itself',
  async (name, profile) => {
    const own = ownOptions[name]
    const { storage, dispose } = await openStorage()
    onTestFinished(dispose)
    const { site: of } = createSiteApi({ storage, profile })
    await storage.options.write(Object.fromEntries(['name', ...own].map((option) => [option, 'kept'])))
    expect((await of.export()).options).toEqual({ name: 'kept' })
    expect(JSON.parse(await new Response(of.exportStream()).text()).options).toEqual({ name: 'kept' })
    expect(await of.options.read()).toEqual({ name: 'kept' })
    expect(Object.keys(await of.options.read([...own])).sort()).toEqual([...own].sort())
  },
)

// ---------------------------------------------------------------- with ids

const withIds = { ids: true } as const

/** A site whose ids are not those that a seed would give: rows in between are gone. */
async function worn() {
  const records = { notes: [{ post_id: 'post.hello', content: 'Gone' }, { content: 'Kept' }] }
  const ids = await site.api.site.seed({ ...smallSite, records })
  for (const key of ['post.tide', 'post.trashed'])
    await site.as('ada')('DELETE', `/cms/v2/posts/${ids[key]}?force=true`)
  await site.as('ada')('POST', `/cms/v2/posts/${ids['post.ferry']}`, { body: { content: 'Later.' } })
  await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Last' } })
  return site.api.site.export(withIds)
}

test('an export with ids gives a site whose rows have the same ids', async () => {
  const document = await worn()
  const text = await new Response(site.api.site.exportStream(withIds)).text()
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)))
  const again = await createTestSite({ seed: false, profile: d2 })
  const ids = await again.api.site.seed(new Blob([text]))
  expect(document.posts?.map(({ key, id }) => [key, id])).toEqual(
    document.posts?.map(({ key }) => [key, ids[`post.${key}`]]),
  )
  expect(await again.api.site.export(withIds)).toEqual(document)
  const paths = ['/cms/v2/posts?context=edit&per_page=100&status=any', `/cms/v2/posts/${ids['post.ferry']}/revisions`]
  for (const path of paths)
    expect((await again.as('ada')('GET', path)).body).toEqual((await site.as('ada')('GET', path)).body)
  const { body } = await again.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Next' } })
  expect(body.id).toBeGreaterThan(Math.max(...(document.posts ?? []).map(({ id = 0 }) => id)))
  await again.dispose()
})

test.each([
  ['an entry without an id among others', { posts: [{ key: 'a', id: 1 }, { key: 'b' }] }, 'posts[1] has no id'],
  ['an entry with an id among others', { posts: [{ key: 'a' }, { key: 'b', id: 1 }] }, 'posts[1] has an id'],
  ['an id twice', { pages: [{ key: 'a', id: 4 }], posts: [{ key: 'a', id: 4 }] }, 'posts[0] repeats the id 4'],
  ['an id that is none', { posts: [{ key: 'a', id: 0 }] }, 'posts[0].id must be'],
  ['a record whose id is none', { records: { notes: [{ id: 'x' }] } }, 'records.notes[0].id must be'],
])('refuses %s', async (_, document, message) => {
  await expect(site.api.site.seed(document)).rejects.toThrow(message)
  expect(await site.api.site.isEmpty()).toBe(true)
})

test('a storage that can not keep ids says so', async () => {
  const { keepsIds: _, ...storage } = memoryStorage()
  const api = createSiteApi({ storage, profile: d2 })
  await expect(api.site.seed({ posts: [{ key: 'a', id: 3 }] })).rejects.toThrow('this storage can not keep ids')
})
