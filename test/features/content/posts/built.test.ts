/** Posts that the page builder has made: what the routes of content answer for them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeDocument, storeTemplate, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'
import type { OpenStorage } from '../../../support/storage.ts'

let site: TestSite
let storage: OpenStorage['storage']
let ada: Requester
beforeAll(async () => {
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  ada = site.as('ada')
})
afterAll(() => site.dispose())

const posts = '/cms/v2/posts'
const heading = (title: string, id = 'abc1234') => widgetElement(id, 'heading', { title })
const read = async (id: number, query = {}) => (await site.visitor('GET', `${posts}/${id}`, { query })).body
const meta = (elements: unknown) => ({
  _builder_edit_mode: 'builder',
  _builder_data: typeof elements === 'string' ? elements : JSON.stringify(elements),
})

describe('content and excerpt', () => {
  test('come from the document: alone, in a list, embedded and after a write', async () => {
    const id = await storeDocument(site, [heading('Tide & time')])
    const { content, excerpt } = await read(id)
    expect(content.rendered).toMatch(/^<div [^>]*data-builder-id="\d+"[^>]*>.*Tide &amp; time<\/h2>.*<\/div>$/s)
    expect(content.rendered).not.toContain('<style')
    expect(excerpt.rendered).toBe('<p>Tide &amp; time</p>\n')
    const list = (await site.visitor('GET', posts, { query: { include: id } })).body
    expect(list[0].content).toEqual(content)
    expect(list[0].excerpt).toEqual(excerpt)
    const embedded = await site.visitor('GET', posts, { query: { include: id, context: 'embed' } })
    expect(embedded.body[0].excerpt).toEqual(excerpt)
    const written = await ada('POST', `${posts}/${id}`, { body: { meta: meta([heading('Ebb')]) } })
    expect(written.body.content.rendered).toContain('Ebb</h2>')
    expect((await read(id)).content.rendered).toContain('Ebb</h2>')
  })

  test('keep a written excerpt, and the stored text in raw', async () => {
    const id = await storeDocument(site, [heading('Tide')])
    const body = { content: '<p>Plain form.</p>', excerpt: 'In a word.' }
    const written = (await ada('POST', `${posts}/${id}`, { body })).body
    expect(written.content.raw).toBe('<p>Plain form.</p>')
    expect(written.content.rendered).toContain('Tide</h2>')
    expect(written.excerpt.rendered).toContain('In a word.')
  })

  test('are those of the stored text when the document is empty, switched off or unreadable', async () => {
    const plain = { title: 'Plain', status: 'publish', content: 'Plain form.' }
    const [rendered, stored] = ['<p>Plain form.</p>\n', [heading('Built')]]
    for (const fields of [meta(''), meta('[]'), { ...meta(stored), _builder_edit_mode: '' }]) {
      const { body } = await ada('POST', posts, { body: { ...plain, meta: fields } })
      expect(body.content.rendered).toBe(rendered)
    }
    const { body } = await ada('POST', posts, { body: plain })
    await storage.meta.write('post', [
      { id: body.id, key: '_builder_edit_mode', value: 'builder' },
      { id: body.id, key: '_builder_data', value: '{broken' },
    ])
    expect((await read(body.id)).content.rendered).toBe(rendered)
  })

  test('of a protected post need its password', async () => {
    const id = await storeDocument(site, [heading('Hidden reef')], { password: 'rope' })
    const locked = await read(id)
    expect([locked.content, locked.excerpt]).toEqual([
      { rendered: '', protected: true },
      { rendered: '', protected: true },
    ])
    expect((await read(id, { password: 'rope' })).content.rendered).toContain('Hidden reef')
  })

  test('of a draft are shown to those who may read it', async () => {
    const id = await storeDocument(site, [heading('Unfinished')], { status: 'draft' })
    expect((await ada('GET', `${posts}/${id}`)).body.content.rendered).toContain('Unfinished')
    expect((await site.visitor('GET', `${posts}/${id}`)).status).toBe(401)
  })

  test('follow what the document refers to, and so does the entity tag', async () => {
    const author = site.ids['user.admin'] ?? 0
    const template = await storeTemplate(storage, 'section', [heading('First')], { author })
    const id = await storeDocument(site, [widgetElement('abc1234', 'template', { template_id: String(template) })])
    const first = await site.visitor('GET', `${posts}/${id}`)
    const etag = first.headers.get('etag') ?? ''
    expect(first.body.content.rendered).toContain('First</h2>')
    const again = await site.visitor('GET', `${posts}/${id}`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    await storage.meta.write('post', [
      { id: template, key: '_builder_data', value: JSON.stringify([heading('Second')]) },
    ])
    const second = await site.visitor('GET', `${posts}/${id}`, { headers: { 'if-none-match': etag } })
    expect([second.status, second.headers.get('etag') === etag]).toEqual([200, false])
    expect(second.body.content.rendered).toContain('Second</h2>')
    // A write compares the state of the post only.
    const write = await ada('POST', `${posts}/${id}`, { body: { title: 'Renamed' }, headers: { 'if-match': etag } })
    expect(write.status).toBe(200)
    const after = await site.visitor('GET', `${posts}/${id}`)
    expect(after.headers.get('etag')).toBe(write.headers.get('etag'))
  })

  test('of one document that is too large leave the list readable', async () => {
    const large = Array.from({ length: 300 }, (_, at) => heading('x'.repeat(20_000), `e${at}`))
    const id = await storeDocument(site, large)
    const other = await storeDocument(site, [heading('Small')])
    const { status, body } = await site.visitor('GET', posts, { query: `include=${id},${other}&orderby=include` })
    expect(status).toBe(200)
    expect(body[0].content.rendered).toBe('')
    expect(body[1].content.rendered).toContain('Small')
    await ada('DELETE', `${posts}/${id}`)
  })
})

describe('a list of posts in a document', () => {
  const list = (settings: object) => widgetElement('list001', 'posts', { posts_posts_per_page: 50, ...settings })

  test('has the first words of built posts, drawn once however they list each other', async () => {
    const lists = [heading('Words of the first'), list({ posts_per_page: 50 })]
    const first = await storeDocument(site, lists, { title: 'First of two' })
    const id = await storeDocument(site, [heading('Words of the second'), list({ posts_per_page: 50 })])
    const { content } = await read(id)
    expect(content.rendered).toMatch(/builder-post__excerpt"><p>Words of the first/)
    // Drawing a post for its text only has no other effect.
    const css = (await site.api.render.document(id))?.css.map((sheet) => sheet.css).join('') ?? ''
    expect(css).not.toContain(`.builder-${first} `)
  })

  test('shows whole built posts in the skin for full contents, to a limited depth', async () => {
    const id = await storeDocument(site, [heading('Whole'), list({ _skin: 'full_content' })])
    expect((await read(id)).content.rendered).toContain('Words of the first</h2>')
  })
})

describe('the stored content', () => {
  test('is the search text of the document, which the search finds', async () => {
    const id = await storeDocument(site, [heading('Lobster pots'), heading('Half price')])
    const { body } = await ada('GET', `${posts}/${id}`, { query: 'context=edit' })
    expect(body.content.raw).toBe('<p>Lobster pots</p>\n<p>Half price</p>')
    const found = await site.visitor('GET', posts, { query: { search: 'lobster' } })
    expect(found.body.map((post: { id: number }) => post.id)).toEqual([id])
    await ada('POST', `${posts}/${id}`, { body: { meta: meta([heading('Eel traps')]) } })
    expect((await site.visitor('GET', posts, { query: { search: 'lobster' } })).body).toEqual([])
    expect((await site.visitor('GET', posts, { query: { search: 'eel' } })).body).toHaveLength(1)
  })

  test('of a post that the page builder takes over stays as a revision', async () => {
    const { id } = (await ada('POST', posts, { body: { title: 'Old', content: '<p>By hand.</p>' } })).body
    const { body } = await ada('POST', `${posts}/${id}`, { body: { meta: meta([heading('Built')]) } })
    expect(body.content.raw).toBe('<p>Built</p>')
    const revisions = (await ada('GET', `${posts}/${id}/revisions`, { query: 'context=edit' })).body
    expect(revisions.map((one: { content: { raw: string } }) => one.content.raw)).toEqual([
      '<p>Built</p>',
      '<p>By hand.</p>',
    ])
  })

  test('stays what a client has written beside the document', async () => {
    const id = await storeDocument(site, [heading('Built')])
    const body = { content: '<p>Own form.</p>', meta: meta([heading('Built again')]) }
    expect((await ada('POST', `${posts}/${id}`, { body })).body.content.raw).toBe('<p>Own form.</p>')
  })
})

describe('what comes in', () => {
  test('must be a JSON list', async () => {
    for (const data of ['{broken', '{}', '"x"', '7']) {
      const { status, body } = await ada('POST', posts, { body: { title: 'x', meta: meta(data) } })
      expect([data, status, body.code]).toEqual([data, 400, 'rest_invalid_builder_data'])
    }
  })

  test('loses its scripts when the author may not write them, and is judged by who saved it last', async () => {
    const elements = [widgetElement('abc1234', 'html', { html: '<b>Bold</b><script>go()</script>' })]
    const [arthur, edith] = [site.as('arthur'), site.as('edith')]
    const body = { title: 'Scripts', status: 'publish', meta: meta(elements) }
    const created = (await arthur('POST', posts, { body })).body
    expect(created.meta._builder_data).toContain('<b>Bold</b>')
    expect(created.meta._builder_data).not.toContain('script')
    const saved = await edith('POST', `${posts}/${created.id}`, { body: { meta: meta(elements) } })
    expect(saved.body.meta._builder_data).toBe(JSON.stringify(elements))
    expect(saved.body.content.rendered).toContain('<script>go()</script>')
    // A change of the title is no save of the document.
    await arthur('POST', `${posts}/${created.id}`, { body: { title: 'Same scripts' } })
    expect((await read(created.id)).content.rendered).toContain('<script>go()</script>')
  })
})

describe('history', () => {
  test('a save of elements makes a revision that shows them, and a client restores it', async () => {
    const id = await storeDocument(site, [heading('One')])
    for (const title of ['Two', 'Three']) {
      await ada('POST', `${posts}/${id}`, { body: { meta: meta([heading(title)]) } })
    }
    const { body } = await ada('GET', `${posts}/${id}/revisions`, { query: 'context=edit' })
    const texts = body.map((one: { content: { rendered: string } }) => />([^<]+)<\/h2>/.exec(one.content.rendered)?.[1])
    expect(texts).toEqual(['Three', 'Two'])
    const [, two] = body
    expect(JSON.parse(two.meta._builder_data)[0].settings.title).toBe('Two')
    const restored = await ada('POST', `${posts}/${id}`, { body: { meta: two.meta } })
    expect(restored.body.content.rendered).toContain('Two</h2>')
  })

  test('an unchanged save of elements makes no revision', async () => {
    const id = await storeDocument(site, [heading('Same')])
    const body = { meta: { ...meta([heading('Same')]), _builder_page_settings: { hide_title: 'yes' } } }
    for (let time = 0; time < 3; time++) await ada('POST', `${posts}/${id}`, { body })
    expect((await ada('GET', `${posts}/${id}/revisions`)).body.length).toBe(1)
  })

  test('the limit of revisions counts those of documents', async () => {
    const limited = await createTestSite({ limits: { revisions: 2 } })
    try {
      const id = await storeDocument(limited, [heading('0')])
      const send = limited.as('ada')
      for (let time = 1; time < 5; time++) {
        await send('POST', `${posts}/${id}`, { body: { meta: meta([heading(String(time))]) } })
      }
      expect((await send('GET', `${posts}/${id}/revisions`)).body.length).toBe(2)
    } finally {
      await limited.dispose()
    }
  })

  test('an autosave keeps elements: of a published post beside it, one for each editor', async () => {
    const id = await storeDocument(site, [heading('Public')])
    const autosaves = `${posts}/${id}/autosaves`
    const edith = site.as('edith')
    const first = await ada('POST', autosaves, { body: { meta: meta([heading('Draft of Ada')]) } })
    expect(first.body.content.rendered).toContain('Draft of Ada')
    await ada('POST', autosaves, { body: { meta: meta([heading('Second draft of Ada')]) } })
    await edith('POST', autosaves, { body: { meta: meta([heading('Draft of Edith')]) } })
    const { body } = await ada('GET', autosaves, { query: 'context=edit' })
    const titles = body.map(
      (one: { meta: { _builder_data: string } }) => JSON.parse(one.meta._builder_data)[0].settings.title,
    )
    expect(titles.sort()).toEqual(['Draft of Edith', 'Second draft of Ada'])
    expect((await read(id)).content.rendered).toContain('Public')
  })

  test('an autosave of one’s own draft saves its elements', async () => {
    const id = await storeDocument(site, [heading('Before')], { status: 'draft' })
    await ada('POST', `${posts}/${id}/autosaves`, { body: { title: 'T', meta: meta([heading('After')]) } })
    expect((await ada('GET', `${posts}/${id}`)).body.content.rendered).toContain('After')
  })
})
