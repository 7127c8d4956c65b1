import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite

beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

const tag = (name: string, settings: object = {}) =>
  `[builder-tag id="a1" name="${name}" settings="${encodeURIComponent(JSON.stringify(settings))}"]`
const dynamic = (id: string, setting: string, text: string, settings: object = {}) =>
  widgetElement(id, setting === 'editor' ? 'text-editor' : 'heading', { ...settings, __dynamic__: { [setting]: text } })

async function answer(name: string, settings: object = {}, context: object = { post: site.ids['post.tide'] }) {
  const id = await storeDocument(site, [dynamic('a', 'editor', tag(name, settings))])
  const result = await site.api.render.document(id, context)
  if (!result) throw new Error('the document was not rendered')
  const html = /<div[^>]*data-id="a"[^>]*>(.*)<\/div><\/div>$/s.exec(result.html)?.[1] ?? ''
  return { html, dependencies: result.dependencies, warnings: result.warnings }
}
const htmlOf = async (name: string, settings: object = {}, context?: object) =>
  (await answer(name, settings, context)).html

describe('dynamic tags', () => {
  test.each([
    ['post-title', { before: 'Now: ', after: '!' }, 'Now: Reading the tide!'],
    ['post-excerpt', {}, 'A short lighthouse excerpt.'],
    ['post-excerpt', { max_length: 10 }, 'A short'],
    ['post-date', {}, 'January 14, 2024'],
    ['post-date', { format: 'Y-m-d' }, '2024-01-14'],
    ['post-date', { format: 'custom', custom_format: 'D jS \\o\\f M, N W' }, 'Sun 14th of Jan, 7 02'],
    ['post-date', { format: 'human' }, '5 months ago'],
    ['post-time', {}, '9:00 am'],
    [
      'post-terms',
      { taxonomy: 'category', link: '', separator: ' / ' },
      '<span>Harbour</span> / <span>Guides &amp; tips</span>',
    ],
    [
      'post-terms',
      {},
      '<a href="https://quay.example/tag/red/" rel="tag">Red</a>, <a href="https://quay.example/tag/green/" rel="tag">Green</a>',
    ],
    ['author-name', {}, 'Aiko Author'],
    ['author-meta', { key: 'email' }, ''],
    ['author-info', { key: '_secret', fallback: 'none' }, 'none'],
    ['site-title', {}, 'Quay Notes'],
    ['site-tagline', {}, 'Boats and weather'],
    ['page-title', {}, 'Reading the tide'],
    ['archive-title', {}, ''],
    ['featured-image-data', { attachment_data: 'title' }, 'Pier at dusk'],
    ['comments-number', {}, 'No Responses'],
    ['post-custom-field', { key: '_builder_edit_mode', fallback: 'hidden' }, 'hidden'],
    ['current-date-time', {}, 'June 15, 2024 1:00 pm'],
    ['user-info', { type: 'login' }, ''],
  ])('%s with %o', async (name, settings, expected) => {
    expect(await htmlOf(name, settings)).toBe(expected)
  })

  test('what depends on the reader, the clock or the request says so', async () => {
    const editor = { user: site.ids['user.editor'] }
    const info = await answer('user-info', { type: 'email' }, editor)
    expect(info.html).toBe('edith@example.test')
    expect(info.dependencies).toContain('vary:user')
    const url = 'https://quay.example/?q=%3Cscript%3E1%3C%2Fscript%3E&amp=1'
    const request = await answer('request-arg', { param_name: 'q' }, { url })
    expect(request.html).toBe('&lt;script&gt;1&lt;/script&gt;')
    expect(request.dependencies).toContain('vary:request')
    expect((await answer('current-date-time')).dependencies).toContain('vary:time')
    expect((await answer('post-title')).dependencies.filter((one) => one.startsWith('vary:'))).toEqual([])
  })

  test('several tags may stand in a text; unknown and unreadable ones are empty', async () => {
    const text = `${tag('post-id')} and ${tag('no-such')}${tag('post-url')}[builder-tag name="post-title" settings="%7B"]`
    const id = await storeDocument(site, [dynamic('a', 'title', text)])
    const tide = site.ids['post.tide'] ?? 0
    const result = await site.api.render.document(id, { post: tide })
    expect(result?.text).toBe(`${tide} and https://quay.example/tide/\n`)
    expect(result?.warnings).toEqual([{ code: 'unknown_tag' }])
  })

  test('a link keeps its target when its address is dynamic, and a contact is a link', async () => {
    const link = { url: '#', is_external: 'on' }
    const button = (name: string, settings: object = {}) =>
      widgetElement('b', 'button', { text: 'b', link, __dynamic__: { link: tag(name, settings) } })
    const rendered = async (element: object) => {
      const id = await storeDocument(site, [element])
      return (await site.api.render.document(id, { post: site.ids['post.tide'] }))?.html ?? ''
    }
    expect(await rendered(button('post-url'))).toContain('href="https://quay.example/tide/" target="_blank"')
    expect(
      await rendered(button('contact-url', { link_type: 'email', mail_to: 'a@b.example', mail_subject: 'Hi & co' })),
    ).toContain('href="mailto:a@b.example?subject=Hi%20%26%20co"')
    expect(await rendered(button('contact-url', { link_type: 'whatsapp', tel_number: '+1 (2) 3' }))).toContain(
      'href="https://wa.me/123"',
    )
    const draft = await rendered(button('internal-url', { type: 'post', post_id: site.ids['post.draft'] }))
    expect(draft).not.toContain('href=')
    const category = { type: 'taxonomy', taxonomy_id: site.ids['category.news'] }
    expect(await rendered(button('internal-url', category))).toContain('href="https://quay.example/category/news/"')
  })
})

describe('display conditions', () => {
  const condition = (more: object) => JSON.stringify([[more]])
  const shown = async (conditions: string, context: object = { post: site.ids['post.tide'] }) => {
    const id = await storeDocument(site, [
      widgetElement('a', 'heading', { title: 'shown', e_display_conditions: [conditions] }),
      widgetElement('b', 'heading', { title: 'always' }),
    ])
    return (await site.api.render.document(id, context))?.text.includes('shown')
  }
  const ids = (...keys: string[]) => keys.map((key) => ({ id: String(site.ids[key]) }))

  test('about the current post', async () => {
    const of = (name: string, comparator: string, more: object = {}) =>
      condition({ condition: name, comparator, ...more })
    expect(await shown(of('in_categories', 'is_one_of', { categories: ids('category.guides') }))).toBe(true)
    expect(await shown(of('in_categories', 'is_none_of', { categories: ids('category.guides') }))).toBe(false)
    expect(await shown(of('in_tags', 'is_one_of', { tags: ids('tag.rare') }))).toBe(false)
    expect(await shown(of('post_author', 'is_one_of', { authors: ids('user.author2') }))).toBe(true)
    expect(await shown(of('post_title', 'contains', { title: 'the tide' }))).toBe(true)
    expect(await shown(of('featured_image', 'is_not_empty'))).toBe(true)
    expect(await shown(of('date_of_publish', 'is_before', { date: '2024-01-15' }))).toBe(true)
    expect(await shown(of('date_of_publish', 'is_before', { date: '2024-01-14' }))).toBe(false)
    expect(await shown(of('date_of_publish', 'is_before_inclusive', { date: '2024-01-14' }))).toBe(true)
    const dynamicTag = { dynamic_tag: tag('post-title'), dynamic_tag_value: 'Reading the tide' }
    expect(await shown(of('dynamic_tags', 'is', dynamicTag))).toBe(true)
  })

  test('about the clock and the reader', async () => {
    const at = (now: string) => ({ now: Date.parse(now) })
    const monday = condition({ condition: 'day_of_the_week', comparator: 'is_one_of', days: ['1'] })
    expect(await shown(monday, at('2024-06-17T12:00:00Z'))).toBe(true)
    expect(await shown(monday, at('2024-06-18T12:00:00Z'))).toBe(false)
    const early = condition({ condition: 'time_of_the_day', comparator: 'is_before', time: '9:30 am' })
    // Lisbon is an hour ahead in June.
    expect(await shown(early, at('2024-06-17T08:20:00Z'))).toBe(true)
    expect(await shown(early, at('2024-06-17T08:40:00Z'))).toBe(false)
    const editors = condition({ condition: 'user_role', comparator: 'is_one_of', roles: ['editor'] })
    expect(await shown(editors, { user: site.ids['user.editor'] })).toBe(true)
    expect(await shown(editors)).toBe(false)
  })

  test('groups are alternatives, and what is inside them is required', async () => {
    const isIn = { condition: 'login_status', comparator: 'is', status: 'logged_in' }
    const isOut = { ...isIn, status: 'logged_out' }
    expect(await shown(JSON.stringify([[isIn], [isOut]]))).toBe(true)
    expect(await shown(JSON.stringify([[isIn, isOut]]))).toBe(false)
    expect(await shown('[[{"condition":"moon"}]]')).toBe(false)
    expect(await shown('not json')).toBe(true)
  })
})
