/** A second run asks for the pages that changes touch. Where it can not know the changes, it asks for all. */
import { expect, onTestFinished, test } from 'vitest'
import { touchedTags } from '../../../src/core/tags/touched-tags.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import type { SiteApiOptions } from '../../../src/host/site-options.ts'
import { createMedia } from '../../../src/index.ts'
import { full } from '../../../src/profiles/full.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { type StaticOptions, type StaticReport, writeStaticSite } from '../../../src/site-pages/static/index.ts'
import { openStorage } from '../../support/storage.ts'
import { mapDriver } from './sample.ts'

const url = 'https://cms.example.com'
const manifest = '.site-api-static.json'

interface Written extends StaticReport {
  /** The paths of the requests for pages, as the api has seen them. */
  readonly paths: readonly string[]
}

/** A small site of three posts and a page. */
async function openSite() {
  const { storage, dispose } = await openStorage()
  const media = createMedia({ driver: memoryMedia() })
  const apiWith = (options: Partial<SiteApiOptions> = {}) =>
    createSiteApi({ storage, profile: full, url, services: { media }, ...options })
  const api = apiWith()
  onTestFinished(async () => {
    await api.close()
    await dispose()
  })
  const as = 'system'
  const post = async (path: string, body: object) =>
    (await api.call<{ id: number }>('POST', `/cms/v2/${path}`, { ...body }, { as })).data.id
  const news = await post('categories', { name: 'News', slug: 'news' })
  const ids = {
    ferry: await post('posts', { title: 'Ferry', slug: 'ferry', status: 'publish', categories: [news] }),
    tide: await post('posts', { title: 'Tide', slug: 'tide', status: 'publish' }),
    about: await post('pages', {
      title: 'About',
      slug: 'about',
      status: 'publish',
      content: '<a href="/ferry/">F</a>',
    }),
  }
  const files = new Map<string, Uint8Array>()
  return {
    ...{ api, apiWith, storage, files, post, ids },
    textOf: (file: string) => new TextDecoder().decode(files.get(file)),
    write: (options: Partial<StaticOptions> = {}, by = api) => writeWith(by, { to: mapDriver(files), ...options }),
  }
}

/** Counts the requests apart from the report: each page begins with a recorder of its reads. */
async function writeWith(api: ReturnType<typeof createSiteApi>, options: StaticOptions): Promise<Written> {
  const parts = api['~parts']
  const paths: string[] = []
  const readTagsAt: typeof parts.readTagsAt = (state) => {
    paths.push('')
    return parts.readTagsAt(state)
  }
  const report = await writeStaticSite({ ...api, '~parts': { ...parts, readTagsAt } }, options)
  return { ...report, paths }
}

/** The files that differ between two states of the folder. */
const changed = (before: ReadonlyMap<string, Uint8Array>, after: ReadonlyMap<string, Uint8Array>) =>
  [...after].filter(([file, bytes]) => file !== manifest && before.get(file) !== bytes).map(([file]) => file)

test('a run after no change asks for no page', async () => {
  const { write } = await openSite()
  const first = await write()
  expect(first.requested).toBeGreaterThan(15)
  expect(first.whole).toBe('the last run has left nothing to go on from')
  const again = await write()
  expect(again).toMatchObject({ requested: 0, written: 0, removed: 0, paths: [], files: first.files })
  expect(again.whole).toBeUndefined()
})

test('a run after a new title asks for the pages that show it, and for no other', async () => {
  const { write, files, post, ids, textOf } = await openSite()
  await write()
  const before = new Map(files)
  await post(`posts/${ids.ferry}`, { title: 'Ferries at night' })
  const { requested, written, paths } = await write()
  const showing = changed(before, files)
  expect(showing).toContain('ferry/index.html')
  expect(showing).toContain('category/news/index.html')
  expect(showing).toContain('feed/index.xml')
  expect(showing).not.toContain('about/index.html')
  expect([...files.keys()].filter((file) => textOf(file).includes('Ferries at night')).sort()).toEqual(
    showing.filter((file) => textOf(file).includes('Ferries at night')).sort(),
  )
  expect([requested, written]).toEqual([showing.length, showing.length])
  expect(paths).toHaveLength(requested)
})

test('a page whose link leads elsewhere now is written again, although it shows nothing that has changed', async () => {
  const { write, post, ids, textOf, files } = await openSite()
  await write()
  expect(textOf('about/index.html')).toContain('href="../ferry/"')
  await post(`posts/${ids.ferry}`, { slug: 'night-ferry' })
  await write()
  expect(textOf('about/index.html')).toContain('href="../night-ferry/"')
  expect(textOf('_redirects')).toContain('/ferry/ /night-ferry/ 301')
  await post(`posts/${ids.ferry}`, { status: 'draft' })
  const { broken } = await write()
  expect(broken).toContainEqual({ address: '/ferry/', from: '/about/' })
  expect(files.has('night-ferry/index.html')).toBe(false)
  expect(textOf('vercel.json')).not.toContain('night-ferry')
})

test('a remediation of a page has this page asked for', async () => {
  const { write, api, textOf, files } = await openSite()
  await write()
  const before = new Map(files)
  const remediation = {
    ...{ type: 'ATTRIBUTE', category: 'A', action: 'add', xpath: '//h1' },
    ...{ attribute_name: 'title', attribute_value: 'Tides' },
  } as const
  const item = { url: `${url}/tide/`, rule: 'title_missing', group: 'other', remediation } as const
  await api.call('POST', '/a11y/v1/remediation/item', item, { as: 'system' })
  const { whole } = await write()
  expect([whole, textOf('tide/index.html').includes('<h1 title="Tides"')]).toEqual([undefined, true])
  expect(changed(before, files)).not.toContain('ferry/index.html')
})

test('a run sees what another process has written', async () => {
  const { write, apiWith, ids, textOf } = await openSite()
  await write()
  const other = apiWith()
  await other.call('POST', `/cms/v2/posts/${ids.tide}`, { title: 'Ebb' }, { as: 'system' })
  const { whole, requested } = await write()
  expect([whole, textOf('tide/index.html').includes('Ebb')]).toEqual([undefined, true])
  expect(requested).toBeGreaterThan(0)
})

test('a post that is due is written with the next run', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const { write, apiWith, files } = await openSite()
  const api = apiWith({ clock: () => now })
  const future = { title: 'Later', slug: 'later', status: 'future', date_gmt: '2026-01-01T01:00:00' } as const
  await api.call('POST', '/cms/v2/posts', future, { as: 'system' })
  await write({}, api)
  expect(files.has('later/index.html')).toBe(false)
  now += 7_200_000
  const { whole } = await write({}, api)
  expect([whole, files.has('later/index.html')]).toEqual([undefined, true])
})

const notKnown = 'the site does not know all that has changed since'
const otherOptions = 'versions or options have changed'

test.each<
  [string, string, (site: Awaited<ReturnType<typeof openSite>>) => Promise<Partial<StaticOptions> | undefined>]
>([
  [
    'the log of changes does not reach back',
    notKnown,
    async ({ api, post }) => {
      const { records } = api['~parts'].storage
      await post('tags', { name: 'Quay' })
      const { rows } = await records.query(touchedTags, { order: [{ by: 'id' }] })
      await records.remove(touchedTags, { field: 'id', in: rows.slice(0, -1).map(({ id }) => id) })
      return undefined
    },
  ],
  [
    'the log is that of another history',
    notKnown,
    async ({ api, post }) => {
      const { records } = api['~parts'].storage
      const { rows } = await records.query(touchedTags, { order: [{ by: 'id' }] })
      const last = rows.at(-1)
      await records.update(touchedTags, [{ id: last?.id ?? 0, changes: { uid: 'of another process' } }])
      await post('tags', { name: 'Quay' })
      return undefined
    },
  ],
  [
    'a write had no observer',
    notKnown,
    async ({ storage, ids }) => {
      await storage.posts.update([{ id: ids.tide, changes: { title: 'Ebb' } }])
      return undefined
    },
  ],
  ['links have changed', otherOptions, async () => ({ links: 'absolute' })],
  ['options of the pages have changed', otherOptions, async () => ({ pages: { head: '<meta name="x" content="y">' } })],
  ['the version of the host has changed', otherOptions, async () => ({ version: '2' })],
  ['it is asked for', 'it was asked for', async () => ({ whole: true })],
  [
    'the manifest is one of an earlier version',
    'the last run has left nothing to go on from',
    async ({ files, textOf }) => {
      const { made: _made, ...rest } = JSON.parse(textOf(manifest))
      files.set(manifest, new TextEncoder().encode(JSON.stringify(rest)))
      return undefined
    },
  ],
])('where %s, a run asks for all pages', async (_, reason, prepare) => {
  const site = await openSite()
  const first = await site.write()
  const options = await prepare(site)
  const { requested, whole, paths } = await site.write(options)
  expect(whole).toBe(reason)
  expect(requested).toBeGreaterThanOrEqual(first.requested)
  expect(paths.length).toBeGreaterThanOrEqual(first.paths.length)
  await site.post('tags', { name: 'Gull' })
  await site.write(options)
  expect((await site.write({ ...options, whole: false })).whole).toBeUndefined()
})

test('shortcodes of the host that are others have all pages asked for', async () => {
  const { write, apiWith } = await openSite()
  const withShortcode = (shortcode: () => string) => apiWith({ render: { shortcodes: { tide: shortcode } } })
  await write(
    {},
    withShortcode(() => 'high'),
  )
  expect(
    (
      await write(
        {},
        withShortcode(() => 'high'),
      )
    ).whole,
  ).toBeUndefined()
  expect(
    (
      await write(
        {},
        withShortcode(() => 'low'),
      )
    ).whole,
  ).toBe(otherOptions)
})

test('where what the host draws is not kept, each run asks for all pages', async () => {
  const { write, apiWith } = await openSite()
  const api = apiWith({ render: { cache: false } })
  await write({}, api)
  expect((await write({}, api)).whole).toBe('the option `cache` of `render` is false')
})

test('the manifest tells no tags', async () => {
  const { write, textOf } = await openSite()
  await write()
  expect(textOf(manifest)).not.toMatch(/posts?:|option/)
})
