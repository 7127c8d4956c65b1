/** Repeated and interrupted imports, and items with mistakes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImportFileError } from '../../../src/management/import/reader.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { author, category, exportFile, fileStart, inPieces, item } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const run = (text: string, options = {}) => site.api.site.import(inPieces(text, 50), options)

async function all() {
  const query = 'per_page=100&status=publish,future,draft,pending,private,trash&context=edit&orderby=id&order=asc'
  return (await site.as('ada')('GET', '/cms/v2/posts', { query })).body
}
const bySlug = async (slug: string) => (await all()).find((post: { slug: string }) => post.slug === slug)

const file = exportFile(
  author('ann', 'ann@old.example', 'Ann'),
  category('boats', 'Boats'),
  ...[1, 2, 3].map((id) => item({ id, terms: [['category', 'boats', 'Boats']], meta: [['_thumbnail_id', '9']] })),
  item({ id: 9, type: 'attachment', status: 'inherit' }),
)

test('a second run changes nothing', async () => {
  await run(file)
  const [first, document] = [await all(), await site.api.site.export()]
  const { counts, problems } = await run(file)
  expect(await all()).toEqual(first)
  expect(await site.api.site.export()).toEqual(document)
  expect(counts).toMatchObject({
    ...{ users: { created: 0, existing: 1 }, categories: { created: 0, existing: 1 } },
    ...{ posts: { created: 0, updated: 0, existing: 3 }, media: { created: 0, existing: 1 } },
  })
  expect(problems).toEqual([])
})

test('keeps changes made on the site, unless update is set', async () => {
  await run(file)
  const { id, slug } = await bySlug('item-2')
  await site.as('ada')('POST', `/cms/v2/posts/${id}`, { body: { title: 'Changed here', categories: [] } })
  await run(file)
  expect(await bySlug('item-2')).toMatchObject({ title: { raw: 'Changed here' } })
  const { counts, problems } = await run(file, { update: true })
  expect(problems).toEqual([])
  expect(counts).toMatchObject({ posts: { created: 0, updated: 3 } })
  const post = await bySlug(slug)
  expect(post).toMatchObject({ id, title: { raw: 'Item 2' } })
  expect(post.categories).toHaveLength(1)
  expect(post.featured_media).toBeGreaterThan(0)
})

test('moves pages below each other when an update turns their order around', async () => {
  const page = (id: number, parent: number) => item({ id, type: 'page', parent })
  const parentsOf = async () => {
    const { pages = [] } = await site.api.site.export()
    return Object.fromEntries(
      pages.filter(({ key }) => key.startsWith('item-')).map(({ key, parent }) => [key, parent]),
    )
  }
  await run(exportFile(page(1, 2), page(2, 3), page(3, 0)))
  expect(await parentsOf()).toEqual({ 'item-1': 'item-2', 'item-2': 'item-3', 'item-3': undefined })
  const { problems } = await run(exportFile(page(3, 2), page(2, 1), page(1, 0)), { update: true })
  expect(problems.filter(({ kind }) => kind !== 'user-made')).toEqual([])
  expect(await parentsOf()).toEqual({ 'item-1': undefined, 'item-2': 'item-1', 'item-3': 'item-2' })
})

test('imports the part before a cut, and completes it from the whole file', async () => {
  const end = file.indexOf('<wp:post_id>3</wp:post_id>')
  const error = await run(file.slice(0, end)).catch((problem: unknown) => problem as ImportFileError)
  const line = file.slice(0, end).split('\n').length
  expect(error).toMatchObject({
    ...{ code: 'import_file', line, byte: new TextEncoder().encode(file.slice(0, end)).length },
    report: { counts: { posts: { created: 2 } }, error: { line } },
  })
  expect((error as Error).message).toMatch(/^line \d+, byte \d+: the file ends inside <item>, which began at line \d+$/)
  expect(await bySlug('item-2')).toMatchObject({ featured_media: 0 })
  const { counts } = await run(file)
  expect(counts).toMatchObject({ posts: { created: 1, existing: 2 } })
  for (const slug of ['item-1', 'item-2', 'item-3']) expect((await bySlug(slug)).featured_media).toBeGreaterThan(0)
})

test('a second file of the same site completes the first', async () => {
  const posts = exportFile(author('ann', '', 'Ann'), item({ id: 1, meta: [['_thumbnail_id', '9']] }))
  const { problems } = await run(posts)
  expect(problems).toMatchObject([{ kind: 'missing-post', what: 'featured picture' }])
  await run(exportFile(item({ id: 9, type: 'attachment', status: 'inherit' })))
  expect((await bySlug('item-1')).featured_media).toBeGreaterThan(0)
})

test('reads elements that close themselves', async () => {
  const more = '<wp:empty/><description/><wp:postmeta><wp:meta_key>kept</wp:meta_key><wp:meta_value/></wp:postmeta>'
  await run(exportFile('<generator/>', item({ id: 1, more }), item({ id: 2 })))
  expect(await bySlug('item-1')).toBeDefined()
  expect(await bySlug('item-2')).toBeDefined()
})

test.each([
  ['<item><title>a</item>', /line 11, byte \d+: <title> is not closed$/],
  ['</channel></rss><rss>', /<rss> stands behind the end$/],
  ['<item><title>a</title>', /the file ends inside <item>/],
  [`<item>${'<a>'.repeat(100_000)}`, /elements lie too deep in each other$/],
])('ends the import at the position of the broken markup %s', async (broken, message) => {
  const good = item({ id: 1 }).replaceAll('\n', '')
  await expect(run(`${fileStart}${good}\n${broken}`)).rejects.toThrow(message)
  expect(await bySlug('item-1')).toBeDefined()
})

test.each([
  ['', /it has no <rss>$/],
  ['{"json":true}', /it has no <rss>$/],
  ['<!DOCTYPE html><html></html>', /begins with <html>, not <rss>$/],
  ['<rss><channel><title>Feed</title><item><title>x</title></item></channel></rss>', /wp:wxr_version is missing$/],
])('refuses a file that is not an export file: %s', async (text, message) => {
  const before = await all()
  await expect(run(text)).rejects.toThrow(message)
  expect(await all()).toEqual(before)
})

test('reports items with mistakes and imports the others', async () => {
  const { problems, counts } = await run(
    exportFile(
      item({ id: 1, slug: 'good' }),
      item({ id: 2, type: 'nav_menu_item' }),
      item({ id: 3, type: '' }),
      item({ id: 4, type: 'revision' }),
      item({ id: 5, slug: 'bad-date', date: 'yesterday', dateGmt: '2023-13-45 99:00:00' }),
      item({ id: 6, slug: 'odd-status', status: 'wc-done' }),
      item({ id: 'x', slug: 'no-number' }),
      item({
        id: 8,
        slug: 'odd-format',
        terms: [
          ['post_format', 'post-format-hologram', ''],
          ['genre', 'a', 'A'],
        ],
      }),
      item({ id: 9, slug: 'untitled', title: '', author: '' }),
      item({
        id: 10,
        slug: 'twice',
        meta: [
          ['k', '1'],
          ['k', '2'],
          ['_elementor_page_settings', 'a:1:{broken'],
        ],
      }),
      item({ id: 11, slug: 'talked', more: '<wp:comment><wp:comment_content>Hi</wp:comment_content></wp:comment>' }),
      item({ id: 12, type: 'page', slug: 'own-parent', parent: 12 }),
      item({ id: 13, type: 'page', slug: 'a', parent: 14 }),
      item({ id: 14, type: 'page', slug: 'b', parent: 13 }),
      '<item></item>',
      '<wp:term><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>m</wp:term_slug></wp:term>',
    ),
  )
  expect(counts).toMatchObject({ posts: { created: 8 }, pages: { created: 3 } })
  expect(problems.map(({ kind, what, count }) => [kind, what, count])).toEqual([
    ['unknown-type', 'nav_menu_item', 1],
    ['unknown-type', '', 2],
    ['unknown-type', 'revision', 1],
    ['invalid-date', 'wp:post_date_gmt', 1],
    ['invalid-date', 'wp:post_date', 1],
    ['unknown-status', 'wc-done', 1],
    ['invalid-id', '', 1],
    ['unknown-format', 'hologram', 1],
    ['other-taxonomy', 'genre', 1],
    ['meta-repeated', 'k', 1],
    ['meta-unreadable', '_elementor_page_settings', 1],
    ['parent-circle', 'item', 2],
    ['other-taxonomy', 'nav_menu', 1],
    ['user-made', '', 1],
    ['no-author', '', 1],
    ['comments', '', 1],
  ])
  expect(problems.find(({ kind }) => kind === 'unknown-status')?.examples).toEqual([
    { line: expect.any(Number), what: 'Item 6' },
  ])
  expect(await bySlug('odd-status')).toMatchObject({ status: 'draft', title: { raw: 'Item 6' } })
  expect(await bySlug('untitled')).toMatchObject({ title: { raw: '' } })
})

test('imports the rest of a batch when the storage refuses an item', async () => {
  await site.dispose()
  site = await createTestSite({
    storage: (opened) => {
      const refusing = (storage: typeof opened): typeof opened => ({
        ...storage,
        posts: {
          ...storage.posts,
          insert: (rows) => {
            if (rows.some(({ title }) => title === 'Item 2')) throw new Error('out of luck')
            return storage.posts.insert(rows)
          },
        },
        ...(storage.atomic ? { atomic: (work) => storage.atomic?.((inside) => work(refusing(inside))) as never } : {}),
      })
      return refusing(opened)
    },
  })
  const { counts, problems } = await run(exportFile(...[1, 2, 3].map((id) => item({ id }))))
  expect(counts).toMatchObject({ posts: { created: 2 } })
  expect(problems.filter(({ kind }) => kind === 'not-written')).toMatchObject([
    { what: 'out of luck', count: 1, examples: [{ what: 'Item 2' }] },
  ])
})

test('reports progress in items and bytes', async () => {
  const told: { items: number; bytes: number }[] = []
  await run(file, { progress: (done: { items: number; bytes: number }) => void told.push(done) })
  expect(told.at(-1)).toEqual({ items: 4, bytes: new TextEncoder().encode(file).length })
})
