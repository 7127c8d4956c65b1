/** A dry run names the pages whose bytes a write changes: neither more nor fewer, over random edits. */
import { afterEach, beforeEach, expect, test } from 'vitest'

import { full } from '../../../../src/profiles/full.ts'
import { createTestPages, type TestPages } from '../../../site-pages/pages.ts'
import { counted } from '../../../support/counted.ts'
import { casesOf } from '../../../support/generated-cases.ts'
import { baseUrl } from '../../../support/site.ts'
import { randomEdits } from './random-edits.ts'

let site: TestPages
beforeEach(async () => {
  site = await createTestPages({ profile: full })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

type Bytes = Map<string, string>

async function bytesOf(path: string): Promise<string> {
  const { status, location, text } = await site.get(path)
  return status === 200 ? text : `${status} ${location ?? ''}`
}

interface Crawled {
  readonly bytes: Bytes
  /** The addresses in the sitemap. */
  readonly listed: ReadonlySet<string>
}

/** All pages that links lead to from the front page and from the sitemap. */
async function crawl(): Promise<Crawled> {
  const bytes: Bytes = new Map()
  const { text: index } = await site.get('/sitemap.xml')
  const maps = await Promise.all(pathsIn(index, /<loc>([^<]+)/g).map((path) => site.get(path)))
  const listed = new Set(['/', ...maps.flatMap(({ text }) => pathsIn(text, /<loc>([^<]+)/g))])
  const queue = [...listed]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (bytes.has(path)) continue
    const shown = await bytesOf(path)
    bytes.set(path, shown)
    queue.push(...pathsIn(shown, /(?:<a\s[^>]*|rel="next" )href="([^"]+)"/g))
  }
  return { bytes, listed }
}

/** Addresses with a query lead to those of pages. */
const isPage = (path: string) => !/^\/(?:api|uploads|_pages)\/|\?|\/feed\/|\.\w+$/.test(path)

const pathsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)]
    .map(([, address = '']) => new URL(address.replaceAll('&amp;', '&'), baseUrl))
    .filter(({ origin }) => origin === baseUrl)
    .map(({ pathname, search }) => pathname + search)
    .filter((path) => path.endsWith('.xml') || isPage(path))

/** A page that was not known may have been there without a link to it, but not one that the sitemap lists. */
const isChanged = (path: string, before: Bytes, after: Crawled): boolean =>
  before.has(path) ? before.get(path) !== after.bytes.get(path) : after.listed.has(path)

test('the named pages are those whose bytes change', { timeout: 600_000 }, async () => {
  let before = (await crawl()).bytes
  let count = 0
  const wrong: string[] = []
  const edits = randomEdits(site, 3, async (real, dry) => {
    const { pages } = (await dry().catch(() => undefined)) ?? {}
    const named = (pages?.changed ?? []).map((address) => address.slice(baseUrl.length))
    for (const path of named) before.set(path, before.get(path) ?? (await bytesOf(path)))
    const done = await real()
    const after = await crawl()
    const now = new Map(after.bytes)
    for (const path of before.keys()) now.set(path, now.get(path) ?? (await bytesOf(path)))
    const changed = [...now.keys()].filter((path) => isChanged(path, before, { ...after, bytes: now }))
    wrong.push(
      ...changed.filter((path) => !named.includes(path)).map((path) => `${path} is not named`),
      ...named.filter((path) => !changed.includes(path)).map((path) => `${path} is named and did not change`),
    )
    expect(pages?.complete).not.toBe(false)
    count += named.length
    before = after.bytes
    return done
  })
  for (let times = 0; times < casesOf(100, 1 / 10); times++) {
    await edits.next()
    expect(wrong).toEqual([])
  }
  counted(count, 'pages named, and changed')
})

test('they are named to those who may edit the posts of others, and come last where the site has too many', async () => {
  const post = `/cms/v2/posts/${site.ids['post.hello']}`
  const headers = { prefer: 'dry-run' }
  const body = { content: 'Another text' }
  const asked = await site.as('edith')('POST', post, { headers, body })
  expect(asked.body.pages.changed).toContain(`${baseUrl}/hello/`)
  const own = { body: { title: 'Own' }, headers }
  expect((await site.as('arthur')('POST', '/cms/v2/posts', own)).body).not.toHaveProperty('pages')
  const rows = Array.from({ length: 400 }, (_, at) => ({ title: `Many ${at}`, status: 'publish' }))
  for (let at = 0; at < rows.length; at += 25) {
    const requests = rows.slice(at, at + 25).map((values) => ({ path: '/cms/v2/posts', body: values }))
    await site.as('ada')('POST', '/batch/v1', { body: { requests } })
  }
  const { body: many } = await site.as('edith')('POST', post, { headers, body })
  expect(many.pages.complete).toBe(false)
  expect(many.pages.changed[0]).toBe(`${baseUrl}/hello/`)
})
