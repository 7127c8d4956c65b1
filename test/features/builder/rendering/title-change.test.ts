/** A change of the title does none of the work of the document. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { h, widget } from '../../../../src/render/builder/entry.ts'
import { createSitePages } from '../../../../src/site-pages/index.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let drawn = 0
afterEach(() => site.dispose())

async function openSite() {
  drawn = 0
  const counted = widget({
    html: ({ settings }) => {
      drawn++
      return h('p', {}, settings.text('text'))
    },
  })
  site = await createTestSite({ profile: full, render: { widgets: { counted } } })
}

const change = async (id: number, body: object, query = {}) => {
  const answer = await site.as('ada')('POST', `/cms/v2/posts/${id}`, { body, query })
  expect(answer.status).toBe(200)
  return answer
}

test('does not draw the document again, for the writer and for readers', async () => {
  await openSite()
  const id = await storeDocument(site, [widgetElement('a000001', 'counted', { text: 'Words.' })])
  await site.visitor('GET', `/cms/v2/posts/${id}`)
  await site.api.render.document(id)
  const before = drawn
  const { body, headers } = await change(id, { title: 'Another title' })
  expect(body.title.rendered).toBe('Another title')
  expect(body.content.rendered).toContain('<p>Words.</p>')
  expect(drawn).toBe(before)
  const read = await site.visitor('GET', `/cms/v2/posts/${id}`)
  expect([read.body.title.rendered, read.headers.get('etag')]).not.toEqual(['A built post', headers.get('etag')])
  await site.api.render.document(id)
  expect(drawn).toBe(before)
})

test('draws the document once for answers with tags and without, which show all that it shows', async () => {
  await openSite()
  const list = widgetElement('a000001', 'posts', { classic_posts_per_page: 3, posts_post_type: 'post' })
  const texts = widgetElement('a000002', 'counted', { text: 'Words.' })
  const id = await storeDocument(site, [list, texts])
  const other = await storeDocument(site, [texts], { title: 'A listed post' })
  const rest = async () => {
    const { status, body } = await site.visitor('GET', `/cms/v2/posts/${id}`)
    expect(status).toBe(200)
    return body.content.rendered as string
  }
  const [plain, tagged] = [createSitePages(site.api), createSitePages(site.api, { cacheTags: 'Cache-Tag' })]
  const pageOf = async (pages: typeof plain) => {
    const { body } = await site.as('ada')('GET', `/cms/v2/posts/${id}`, { query: { _fields: 'link' } })
    const response = await pages.fetch(new Request(body.link))
    expect(response.status).toBe(200)
    return response.text()
  }
  const unlisted = await site.as('ada')('POST', '/cms/v2/pages', { body: { title: 'Unlisted' } })
  for (const title of ['A listed post', 'Another title']) {
    await change(other, { title })
    expect((await site.as('ada')('GET', `/cms/v2/posts/${id}`)).body.content.rendered).toContain(title)
    expect(await pageOf(plain)).toContain(title)
    const before = drawn
    expect(await pageOf(tagged)).toContain(title)
    for (let round = 0; round < 3; round++) {
      // An answer that a write has ended is made with tags.
      await site.as('ada')('POST', `/cms/v2/pages/${unlisted.body.id}`, { body: { content: `${title} ${round}` } })
      expect(await rest()).toContain(title)
    }
    expect(drawn).toBe(before)
  }
  // Only the document tells the answer that it is made from this row.
  await change(other, { title: 'The last title' })
  expect(await rest()).toContain('The last title')
})

test('draws a document again that shows the title, and one whose reader may change', async () => {
  await openSite()
  const title = { __dynamic__: { text: '[builder-tag id="x" name="post-title" settings="%7B%7D"]' } }
  const id = await storeDocument(site, [widgetElement('a000001', 'counted', title)], { title: 'First' })
  expect((await site.api.render.document(id))?.html).toContain('<p>First</p>')
  await change(id, { title: 'Second' })
  expect((await site.api.render.document(id))?.html).toContain('<p>Second</p>')
  await change(id, { status: 'draft' })
  expect(await site.api.render.document(id)).toBeUndefined()
  await change(id, { status: 'publish', password: 'sesame' })
  expect(await site.api.render.document(id)).toBeUndefined()
})

test('responds with the asked members only, and with all texts where they are asked for', async () => {
  await openSite()
  const id = await storeDocument(site, [widgetElement('a000001', 'counted', { text: 'Words.' })])
  expect((await change(id, { title: 'A' }, { _fields: 'id,title.rendered' })).body).toEqual({
    ...{ id, title: { rendered: 'A' } },
  })
  for (const fields of ['content', 'id, content.rendered', 'title,excerpt,content.rendered']) {
    const { body } = await change(id, { title: fields }, { _fields: fields })
    expect(body.content.rendered).toContain('<p>Words.</p>')
  }
  const { body } = await change(id, { title: 'B' }, { _fields: 'meta._builder_edit_mode' })
  expect(body).toEqual({ meta: { _builder_edit_mode: 'builder' } })
})

test('gives another tag after each change, of long texts too', async () => {
  await openSite()
  const admin = site.as('ada')
  const long = (text: string) => `<p>${text.repeat(10_000)}</p>`
  const { body } = await admin('POST', '/cms/v2/posts', { body: { title: 'Long', content: long('abc ') } })
  const tags = new Set<string | null>()
  for (const content of [long('abc '), long('abd '), long('abc ')]) {
    tags.add((await change(body.id, { content })).headers.get('etag')?.split('.')[0] ?? null)
  }
  const [first] = tags
  expect(tags.size).toBe(2)
  const { headers } = await admin('GET', `/cms/v2/posts/${body.id}`, { query: { context: 'edit' } })
  expect(headers.get('etag')?.split('.')[0]).not.toBe('')
  expect(first).toMatch(/^"/)
})
