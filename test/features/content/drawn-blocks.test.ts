/** Blocks whose HTML depends on other rows than their post: REST, pages, and what readers may see. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { profile } from '../../../src/core/declare/profile.ts'
import { documentFeatures } from '../../../src/features/builder/site-documents/index.ts'
import { content } from '../../../src/profiles/content.ts'
import { drawnBlocks } from '../../../src/render/blocks/drawn-names.ts'
import { builtInBlocks } from '../../../src/render/builder/blocks/table.ts'
import { limits } from '../../../src/render/builder/document/limits.ts'
import { type BlockCall, h } from '../../../src/render/builder/entry.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { storeDocument, widgetElement } from '../../support/documents.ts'
import { createTestSite, type Requester, type TestSite } from '../../support/site.ts'
import { recorded, type StorageCall } from '../../support/spied-storage.ts'

let site: TestSite
let ada: Requester
let calls: StorageCall[]
beforeEach(async () => {
  const record = recorded()
  calls = record.calls
  site = await createTestSite({ profile: content, storage: record.wrap })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const block = (name: string, attributes: object = {}) => `<!-- cms:${name} ${JSON.stringify(attributes)} /-->`

async function saved(text: string, more: object = {}): Promise<number> {
  const body = { title: 'A post', content: text, status: 'publish', ...more }
  const { status, body: post } = await ada('POST', '/cms/v2/posts', { body })
  expect(status).toBe(201)
  return post.id
}

const shown = async (id: number, as: Requester = site.visitor): Promise<string> =>
  (await as('GET', `/cms/v2/posts/${id}`)).body.content.rendered

test('the names that start the drawing are those of the table', () => {
  expect([...drawnBlocks].sort()).toEqual(Object.keys(builtInBlocks).sort())
})

test('documents in texts are drawn where a feature of the profile brings the builder, and left out elsewhere', async () => {
  const built = profile({ ...content, features: [...content.features, ...documentFeatures] })
  const other = await createTestSite({ profile: built })
  const seen = async (on: TestSite) => {
    const template = await storeDocument(on, [widgetElement('h1', 'heading', { title: 'Low tide' })])
    const body = { content: `Before [builder-template id="${template}"] after`, status: 'publish' }
    const { body: post } = await on.as('ada')('POST', '/cms/v2/posts', { body })
    const drawn = await on.api.render.document(template)
    return [post.content.rendered.replace(/\s+/g, ' '), drawn?.html]
  }
  expect(await seen(other)).toEqual([
    expect.stringContaining('Low tide</h2>'),
    expect.stringContaining('Low tide</h2>'),
  ])
  expect(await seen(site)).toEqual(['<p>Before after</p> ', undefined])
  await other.dispose()
})

/** These need a picture, a text, a feed, or another block around them. */
const needing: readonly string[] = [
  ...['rss', 'site-logo', 'post-featured-image', 'site-tagline', 'post-content'],
  ...drawnBlocks.filter((name) => /^(?:query|post-template|comment|post-comments$|navigation-|home-link)/.test(name)),
]

test.each(drawnBlocks.filter((name) => !needing.includes(name)))(
  '%s is drawn in responses, lists and pages',
  async (name) => {
    const id = await saved(block(name, name === 'post-terms' ? { term: 'category' } : {}))
    const html = await shown(id)
    expect(html).toContain('cms-block-')
    const { body } = await site.visitor('GET', '/cms/v2/posts', { query: { include: id } })
    expect(body[0].content.rendered).toBe(html)
    const pages = createSitePages(site.api)
    const page = await pages.fetch(new Request(body[0].link))
    expect(await page.text()).toContain(`cms-block-${name}`)
  },
)

test('latest posts show what visitors may read, at once after a change', async () => {
  const id = await saved(block('latest-posts', { postsToShow: 20, displayPostContent: true }))
  await saved('Draft words', { title: 'Hidden draft', status: 'draft' })
  await saved('Private words', { title: 'Hidden private', status: 'private' })
  await saved('Secret words', { title: 'With a password', password: 'rope' })
  const other = await saved('Open words', { title: 'First title' })
  for (const reader of [site.visitor, ada]) {
    const html = await shown(id, reader)
    expect(html).toContain('First title')
    expect(html).toContain('With a password')
    expect(html).not.toMatch(/Hidden|Secret words/)
  }
  await ada('PUT', `/cms/v2/posts/${other}`, { body: { title: 'Second <b>title</b>' } })
  expect(await shown(id)).toContain('Second')
  await ada('DELETE', `/cms/v2/posts/${other}`)
  expect(await shown(id)).not.toContain('Second')
})

test('a post that shows itself ends', async () => {
  const whole = { postsToShow: 3, displayPostContent: true, displayPostContentRadio: 'full_post' }
  const first = await saved(`<p>First</p>${block('latest-posts', whole)}`)
  await saved(`<p>Other</p>${block('latest-posts', whole)}`)
  expect((await shown(first)).length).toBeLessThan(100_000)
})

test('attributes of another type, and markup in them, do no harm', async () => {
  const bad = {
    title: {},
    label: '"><script>alert(1)</script>',
    postsToShow: 'many',
    columns: [],
    level: 99,
    className: '"x',
  }
  for (const name of drawnBlocks) {
    const id = await saved(block(name, bad))
    expect(await shown(id)).not.toMatch(/<script|="x/)
  }
})

test('blocks, feeds and sign-in addresses of the host are drawn, and nested blocks end at a depth', async () => {
  const render = {
    blocks: { 'acme/box': ({ inner }: BlockCall) => h('aside', {}, inner()) },
    services: {
      feed: (url: string) => [{ title: `News of ${url}`, url }],
      account: () => ({ login: 'https://id.example/in', logout: 'https://id.example/out' }),
    },
  }
  const own = await createTestSite({ profile: content, render })
  const draw = async (text: string): Promise<string> => {
    const body = { title: 'A post', content: text, status: 'publish' }
    const { body: post } = await own.as('ada')('POST', '/cms/v2/posts', { body })
    return (await own.visitor('GET', `/cms/v2/posts/${post.id}`)).body.content.rendered
  }
  const nested = (depth: number) =>
    `${'<!-- cms:acme/box -->'.repeat(depth)}<p>Core</p>${'<!-- /cms:acme/box -->'.repeat(depth)}`
  expect(await draw(nested(limits.blocks))).toContain('Core')
  const deep = await draw(nested(100))
  expect(deep.match(/<aside/g)).toHaveLength(limits.blocks)
  expect(deep).not.toContain('Core')
  expect(await draw(block('rss', { feedURL: 'https://news.example/feed' }))).toContain(
    'News of https://news.example/feed',
  )
  expect(await draw(block('loginout'))).toContain('https://id.example/in')
  expect(own.failures).toEqual([])
  await own.dispose()
})

test('posts without such blocks cost no further call of the storage', async () => {
  const plain = await saved('<!-- cms:paragraph --><p>Plain [not a code]</p><!-- /cms:paragraph -->')
  const drawn = await saved(block('latest-posts'))
  const countOf = async (id: number) => {
    await ada('PUT', `/cms/v2/posts/${plain}`, { body: { title: `Changed for ${id}` } })
    calls.length = 0
    await shown(id)
    return calls.length
  }
  const [plainCalls, drawnCalls] = [await countOf(plain), await countOf(drawn)]
  expect(plainCalls).toBeLessThanOrEqual(10)
  expect(drawnCalls).toBeGreaterThan(plainCalls)
})
