/** Budgets the work of a request: a costly record is shown plain or left out, for everybody, and costs the next reader nothing. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { builderRenderOf } from '../../src/render/builder/assembly/lazy.ts'
import { h, widget } from '../../src/render/builder/entry.ts'
import { counted } from '../support/counted.ts'
import { storeDocument, widgetElement } from '../support/documents.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
let drawn = 0
afterEach(() => site.dispose())

/** Opens a site whose widget `counted` counts how often it is drawn. */
async function openSite(requestWork = 3000): Promise<void> {
  drawn = 0
  const counted = widget({
    html: ({ settings }) => {
      drawn++
      return h('p', {}, settings.text('text', 'Counted.'))
    },
  })
  site = await createTestPages({ profile: full, limits: { requestWork }, render: { widgets: { counted } } })
}

const many = (count: number, type: string, settings: object = {}) =>
  Array.from({ length: count }, (_, at) => widgetElement((0xa000000 + at).toString(16), type, settings))

const lists = () => many(60, 'posts', { classic_posts_per_page: 100, posts_post_type: 'post' })

const plainPost = async (title: string, content = '<p>plain words</p>') => {
  const { body } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title, content, status: 'publish' } })
  return body
}

const contentsOf = async (query: object = {}) => {
  const { status, body, headers } = await site.visitor('GET', '/cms/v2/posts', { query: { per_page: 100, ...query } })
  expect(status).toBe(200)
  const texts = (body as { title: { rendered: string }; content: { rendered: string } }[]).map(
    ({ title, content }) => [title.rendered, content.rendered] as const,
  )
  return { contents: new Map(texts), headers }
}

/** Reads a page, and counts the characters of the texts in which it replaces something: each step of a text does. */
async function replacedIn(path: string): Promise<{ readonly characters: number; readonly text: string }> {
  const spy = vi.spyOn(String.prototype, 'replace')
  try {
    const { text } = await site.get(path)
    const lengths = spy.mock.contexts.map((context) => String(context).length)
    return { text, characters: lengths.reduce((sum, length) => sum + length, 0) }
  } finally {
    spy.mockRestore()
  }
}

describe('an author with hundreds of lists on each of ten posts', () => {
  test('takes neither feed, list, search nor sitemap from the others', async () => {
    await openSite()
    for (let at = 0; at < 30; at++) await plainPost(`Plain ${at}`)
    for (let at = 0; at < 10; at++) await storeDocument(site, lists(), { title: `Crowd ${at}`, author: 'author' })
    await plainPost('Newest plain')
    for (const path of ['/feed/', '/feed/atom/', '/?s=Crowd', '/author/arthur-author/', '/sitemap-post-1.xml']) {
      const { status, text } = await site.get(path)
      expect([path, status]).toEqual([path, 200])
      if (path.startsWith('/feed')) expect(text).toContain('Newest plain')
      counted(1, 'feeds, lists and sitemaps answered beside ten posts of 60 lists')
    }
    const { contents } = await contentsOf()
    expect(contents.get('Newest plain')).toContain('plain words')
    expect((await site.visitor('GET', '/cms/v2/search', { query: { search: 'Crowd' } })).body).toHaveLength(10)
    expect((await site.get('/a-built-post/')).status).toBe(404)
    expect(site.failures).toEqual([])
  })

  test('shows as many posts as one record may, and says so', async () => {
    await openSite()
    for (let at = 0; at < 20; at++) await plainPost(`Plain ${at}`)
    const id = await storeDocument(site, lists(), { title: 'Crowd' })
    const rendered = await site.api.render.document(id)
    expect(rendered?.warnings).toContainEqual(expect.objectContaining({ code: 'too_many' }))
    const cards = rendered?.html.match(/<article/g)?.length ?? 0
    expect(cards).toBeGreaterThan(100)
    expect(cards).toBeLessThanOrEqual(1000 / 4)
  })
})

describe('a document that takes work', () => {
  test('is drawn once for all readers of feeds and lists', async () => {
    await openSite()
    for (let at = 0; at < 3; at++) await storeDocument(site, many(200, 'counted'), { title: `Counted ${at}` })
    await site.get('/feed/')
    await contentsOf()
    const before = drawn
    for (let reader = 0; reader < 3; reader++) {
      await site.get('/feed/')
      await contentsOf({ per_page: 90 + reader })
    }
    expect(drawn).toBe(before)
  })

  test('waits for a later request when others have taken the work, and is plain until then', async () => {
    await openSite(2700)
    // Each new post changes the list in all documents, so that they are drawn again.
    const list = widgetElement('b000000', 'posts', { classic_posts_per_page: 3, posts_post_type: 'post' })
    for (let at = 0; at < 8; at++) {
      const elements = [list, ...many(200, 'counted', { text: `Word ${at}.` })]
      await storeDocument(site, elements, { title: `Counted ${at}` })
    }
    const isDrawn = (text: string) => text.includes('data-builder-type')
    const counts: number[] = []
    for (let reader = 0; reader < 8; reader++) {
      const before = drawn
      const { contents } = await contentsOf({ per_page: 50 + reader })
      // Three may begin, and each of them may be drawn in some rounds.
      expect(drawn - before).toBeLessThan(2700 + 3 * 1500)
      for (const [title, text] of contents) if (title.startsWith('Counted')) expect(text).toMatch(/Word \d+\./)
      counts.push([...contents.values()].filter(isDrawn).length)
    }
    expect(counts[0]).toBeLessThan(8)
    expect(counts.at(-1)).toBeGreaterThanOrEqual(8)
    const before = drawn
    await contentsOf()
    expect(drawn).toBe(before)
  })

  test('is remembered as failed until a record that it read has changed', async () => {
    await openSite()
    const text = 'x'.repeat(10_000)
    const title = 'Too large'
    const id = await storeDocument(site, many(900, 'counted', { text }), { title })
    const shown = async () => (await contentsOf()).contents.get(title) ?? ''
    expect(await shown()).not.toContain('data-builder-type')
    const before = drawn
    await shown()
    await shown()
    expect((await site.get(`/?p=${id}`)).status).toBeLessThan(400)
    expect(drawn).toBe(before)
    const body = { meta: { _builder_data: JSON.stringify(many(3, 'counted', { text: 'Short now.' })) } }
    expect((await site.as('ada')('POST', `/cms/v2/posts/${id}`, { body })).status).toBe(200)
    expect(await shown()).toContain('<p>Short now.</p>')
  })

  test('that is too large for one request is whole in another, whichever is first', async () => {
    await openSite()
    const { app, storage } = site.api['~parts']
    const engine = builderRenderOf(app)
    const where = { storage, site: await app.settings.read(storage), now: app.clock() }
    for (const smallFirst of [true, false]) {
      const id = await storeDocument(site, many(3, 'counted'))
      const small = () => expect(engine.document({ ...where, mostHtml: 100 }, id)).rejects.toThrow('too much HTML')
      const whole = async () => expect((await engine.document(where, id))?.html).toContain('Counted.')
      for (const render of smallFirst ? [small, whole] : [whole, small]) await render()
    }
  })

  test('takes from the budget of the batch that reads it', async () => {
    await openSite(900)
    const ids: number[] = []
    for (let at = 0; at < 12; at++) ids.push(await storeDocument(site, many(3, 'counted')))
    // Each item writes a new document and shows it, so that no cache has it.
    const body = { meta: { _builder_data: JSON.stringify(many(250, 'counted', { text: 'Again.' })) } }
    const requests = ids.map((id) => ({ method: 'PUT', path: `/cms/v2/posts/${id}`, body }))
    const before = drawn
    const { status, body: batch } = await site.as('ada')('POST', '/batch/v1', { body: { requests } })
    const items = batch.responses as { status: number; body: { content: { rendered: string } } }[]
    expect([status, items.map((item) => item.status)]).toEqual([207, ids.map(() => 200)])
    const whole = items.filter((item) => item.body.content.rendered.includes('data-builder-type'))
    expect(whole.length).toBeGreaterThan(0)
    expect(whole.length).toBeLessThan(ids.length)
    expect(drawn - before).toBeLessThanOrEqual(900)
  })
})

describe('a long text', () => {
  test.each([
    ['many paragraphs', 'a\n\nb '.repeat(40_000), 'a</p>\n<p>b'],
    ['marks', '<'.repeat(200_000), '&lt;&lt;'],
    ['tags', '<b>word</b> '.repeat(60_000), 'word word'],
    ['scripts', '<script>alert(1)</script> <img src=x onerror=alert(1)> '.repeat(10_000), 'alert(1)'],
  ])('with %s is plain on its page, in feeds and lists', async (_name, content, expected) => {
    await openSite()
    const { id } = await plainPost('Long', content)
    const page = await site.get(`/?p=${id}`, {})
    const shown = page.location === null ? page : await site.get(new URL(page.location, 'http://any.host').pathname)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain(expected)
    for (const text of [shown.text, (await contentsOf()).contents.get('Long') ?? '']) {
      expect(text).toContain(expected)
      expect(text).not.toMatch(/<script>alert|<img src=x|<b>word/)
    }
    expect((await site.get('/feed/')).text).toContain('<title>Long</title>')
  })

  test.each([
    ['of many paragraphs', 'a\n\nb '.repeat(40_000)],
    ['of prose', '<p>Some <em>words</em> of prose.</p>\n'.repeat(1500)],
  ])('%s is rendered, filtered and escaped for the first reader of a feed only', async (_name, content) => {
    await openSite()
    await plainPost('Long', content)
    for (const path of ['/feed/', '/feed/atom/']) {
      const first = await replacedIn(path)
      const second = await replacedIn(path)
      expect(second.text).toBe(first.text)
      if (path === '/feed/') expect(first.characters).toBeGreaterThan(content.length)
      expect(second.characters).toBeLessThan(content.length / 4)
    }
  })

  test('of plain prose is shown as ever', async () => {
    await openSite()
    const { id } = await plainPost('Prose', '<p>Some <em>words</em> of prose.</p>\n'.repeat(500))
    const { body } = await site.visitor('GET', `/cms/v2/posts/${id}`)
    expect(body.content.rendered).toContain('<p>Some <em>words</em> of prose.</p>')
  })

  test('does not take the response of other posts: what a request has left out, a later one shows', async () => {
    await openSite(1500)
    for (let at = 0; at < 8; at++) await plainPost(`Prose ${at}`, '<p>Some <em>words</em> of prose.</p>\n'.repeat(1000))
    const isWhole = (text: string) => text.includes('<em>words</em>')
    const counts: number[] = []
    for (let reader = 0; reader < 8; reader++) {
      const { contents } = await contentsOf({ per_page: 50 + reader })
      counts.push([...contents.values()].filter(isWhole).length)
    }
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[0]).toBeLessThan(8)
    expect(counts.at(-1)).toBe(8)
  })
})
