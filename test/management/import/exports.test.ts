/**
 * Whole export files with the shapes that those of real sites have: each is imported twice, without loss. The expected texts are read
 * from the file by other means than the import uses.
 */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, failuresOf, type TestSite } from '../../support/site.ts'
import { inPieces } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: content })
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const read = (name: string) => readFileSync(new URL(`exports/${name}.xml`, import.meta.url), 'utf8')
const imported = (text: string) => site.api.site.import(inPieces(text, 333))
const listed = async (path: string, query: object = {}): Promise<Parsed> =>
  (await site.as('ada')('GET', `/cms/v2/${path}`, { query: { context: 'edit', per_page: 100, ...query } })).body

const problemsOf = ({ problems }: Awaited<ReturnType<typeof imported>>) =>
  problems.map(({ kind, what, count }) => `${kind} ${what}: ${count}`)

/** Lists what a file must give: rows by kind, and everything that is reported. */
const files = {
  'theme-test': {
    counts: {
      users: 2,
      categories: 5,
      tags: 30,
      nav_menu: 2,
      posts: 21,
      pages: 13,
      media: 3,
      nav_menu_item: 61,
      comments: 20,
    },
    problems: ['slug-changed post: 1'],
  },
  markup: {
    counts: { users: 1, tags: 1, posts: 6 },
    problems: ['invalid-id : 2', 'unknown-status : 1', 'unknown-type : 1', 'no-author : 2'],
  },
  twice: {
    counts: { users: 3, categories: 1, tags: 3, posts: 11, pages: 5 },
    problems: [
      ...['other-taxonomy colour: 1', 'unknown-format poem: 1', 'parent-circle item: 2', 'unknown-status waiting: 1'],
      ...['post_date_gmt', 'post_date', 'post_modified_gmt', 'post_modified'].map(
        (name) => `invalid-date wp:${name}: 1`,
      ),
      ...['unknown-type product: 1', 'meta-repeated mood: 1', 'meta-kept odd object: 1', 'term-unnamed category: 1'],
      ...['no-author : 1', 'user-made : 2', 'slug-changed post: 1', 'missing-post parent: 1'],
    ],
  },
  signs: { counts: { users: 1, categories: 1, tags: 1, posts: 21 }, problems: [] },
  'old-version': { counts: { users: 1, categories: 1, tags: 1, posts: 3, comments: 3 }, problems: ['user-made : 1'] },
} as const

const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name ? (entities[name] ?? whole) : String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal ? 10 : 16)),
  )

/** The text of an element: sections as they are, the rest with its references. */
function textOf(itemText: string, name: string): string {
  const inner = new RegExp(`<${name}>((?:<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|[^<])*)</${name}>`).exec(itemText)?.[1] ?? ''
  return inner.replace(/<!\[CDATA\[([\s\S]*?)\]\]>|[^<]+/g, (piece, section) => section ?? decoded(piece))
}

/** Titles and contents of the items that have an own record. */
function textsIn(file: string): string[] {
  const items = file.replace(/<!-- a comment.*?-->/, '').match(/<item>[\s\S]*?<\/item>/g) ?? []
  return items
    .filter((each) => /<wp:post_type>(?:<!\[CDATA\[)?(?:post|page|attachment)\b/.test(each))
    .map((each) => `${textOf(each, 'title')}\n${swapped(textOf(each, 'content:encoded'))}`)
    .toSorted()
}

/** An export has references in place of ids; the slugs of the rows have their numbers in the file. */
const withNumbers = (html: string) => html.replace(/\{"\$ref":"media\.attachment-(\d+)"\}/g, '$1')

const swapped = (html: string) => html.replace(/<!-- (\/?)wp:/g, '<!-- $1cms:').replaceAll('wp-block', 'cms-block')

describe.each(Object.entries(files))('the export %s', (name, { counts, problems }) => {
  test('is imported whole, and a second time without a change', async () => {
    const file = read(name)
    const before = await site.api.site.export()
    const report = await imported(file)
    expect(Object.fromEntries(Object.entries(report.counts).map(([kind, { created }]) => [kind, created]))).toEqual(
      counts,
    )
    expect(problemsOf(report)).toEqual(problems)

    const stored = await site.api.site.export()
    const texts = ({ posts = [], pages = [], media = [] }: typeof stored) =>
      [...posts, ...pages, ...media].map(({ title = '', content: text = '' }) => `${title}\n${withNumbers(text)}`)
    const added = texts(stored)
    for (const text of texts(before)) added.splice(added.indexOf(text), 1)
    expect(added.toSorted()).toEqual(textsIn(file))

    const again = await imported(file)
    expect(await site.api.site.export()).toEqual(stored)
    const written = Object.values(again.counts).flatMap(({ created, updated }) => [created, updated])
    expect(new Set(written)).toEqual(new Set([0]))
  })
})

test('threads, trees and long menus keep their order and depth', async () => {
  await imported(read('theme-test'))
  const [post] = await listed('posts', { slug: 'post-120' })
  const thread = await listed('comments', { post: post.id, status: 'any', order: 'asc', orderby: 'id' })
  const byText = new Map<string, Parsed>(thread.map((each: Parsed) => [each.content.raw, each]))
  for (let depth = 2; depth <= 12; depth++) {
    expect(byText.get(`Depth ${depth}`).parent).toBe(byText.get(`Depth ${depth - 1}`).id)
  }
  expect(byText.get('To nobody').parent).toBe(0)
  expect(byText.get('Out of order').parent).toBe(byText.get('The first of it').id)
  expect(['Held', 'Buy', 'Gone'].map((text) => byText.get(text).status)).toEqual(['hold', 'spam', 'trash'])

  const pages = await listed('pages', { status: 'any' })
  const pageOf = (title: string) => pages.find((page: Parsed) => page.title.raw === title)
  expect(pageOf('Page 9').link).toMatch(/page-150\/page-151\/.*\/page-159\/$/)
  expect(pageOf('Child before its parent').parent).toBe(pageOf('Parent').id)
  expect(pageOf('Front').template).toBe('narrow-page.php')

  const [menu] = await listed('menus', { slug: 'all-pages' })
  const items = await listed('menu-items', { menus: menu.id, order: 'asc', orderby: 'menu_order' })
  expect(items.map(({ menu_order: order }: Parsed) => order)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1))
  const depthOf = (item: Parsed): number =>
    item.parent === 0 ? 0 : 1 + depthOf(items.find(({ id }: Parsed) => id === item.parent))
  expect(items.map(depthOf)).toEqual(Array.from({ length: 60 }, (_, at) => at % 6))
  expect(items.filter(({ invalid }: Parsed) => invalid)).toEqual([])
})

test('passwords, formats, places on top, states and meta of terms arrive', async () => {
  await imported(read('theme-test'))
  const posts = await listed('posts', { status: 'any,trash', per_page: 100 })
  const of = (title: string) => posts.find((post: Parsed) => post.title.raw === title)
  const formats = ['aside', 'audio', 'chat', 'gallery', 'image', 'link', 'quote', 'status', 'video']
  expect(formats.map((format) => of(`Format: ${format}`).format)).toEqual(formats)
  expect([of('Behind a password').password, of('Behind a password').content.protected]).toEqual(['enter', true])
  // A post with a password never stays on top.
  expect([of('Stays on top').sticky, of('Top, but locked').sticky]).toEqual([true, false])
  expect(['Not yet', 'A draft', 'Waits', 'For few', 'Thrown away'].map((title) => of(title).status)).toEqual([
    ...['future', 'draft', 'pending', 'private', 'trash'],
  ])
  expect(of('Many tags').tags).toHaveLength(30)
  const [pier] = await listed('media', { slug: 'attachment-201' })
  expect(of('Blocks').featured_media).toBe(pier.id)
  expect(await listed('media', { slug: 'attachment-202' })).toMatchObject([
    { title: { raw: 'A file that is nowhere' } },
  ])

  const { categories = [] } = await site.api.site.export()
  const category = (slug: string) => categories.find((each) => (each.slug ?? each.key) === slug)
  expect(category('level-3')?.parent).toBe('level-2')
  expect(category('sea')?.meta).toEqual({ colour: { light: '#def' } })
})

test('tags of the first version of the format are tags', async () => {
  await imported(read('old-version'))
  const [tag] = await listed('tags', { slug: 'blue' })
  expect(tag.count).toBe(3)
  expect((await listed('comments', { search: 'Old comment' })).map(({ type }: Parsed) => type)).toEqual([
    ...['comment', 'comment', 'comment'],
  ])
})

test('a slug of another script, keys of meta and titles stay what they are', async () => {
  await imported(read('signs'))
  expect(await listed('posts', { slug: '日本語' })).toMatchObject([{ title: { raw: '日本語のタイトル' } }])
  const { posts = [] } = await site.api.site.export()
  const meta = JSON.stringify(posts.find(({ title }) => title === 'Keys')?.meta)
  for (const entry of ['"__proto__":"p"', '"ключ":"значение"', '"a\\"b\'c":"🚢"']) expect(meta).toContain(entry)
})
