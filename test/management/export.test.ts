/** The document as a stream. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { d2 } from '../../src/profiles/d2.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

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
