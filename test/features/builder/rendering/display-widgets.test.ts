import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { displayElements } from '../../../support/display-elements.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

const rendered = async (elements: unknown[], context = {}) => {
  const id = await storeDocument(site, elements)
  const result = await site.api.render.document(id, context)
  if (!result) throw new Error('the document was not rendered')
  return { ...result, id }
}
const one = async (type: string, settings: object, context = {}) =>
  (await rendered([widgetElement('w', type, settings)], context)).html

test('the widgets of the display family are known, and their words are the text of the document', async () => {
  const { html, text, warnings, behaviours } = await rendered(displayElements)
  expect(warnings).toEqual([])
  expect(behaviours).toEqual(['carousel'])
  expect(text).toContain('Time and tide wait for no one.')
  expect(text).toContain('We are by the sea all year')
  expect(text).toContain('We sell ropes\n')
  expect(text).toContain('What Flo said.')
  expect(text).not.toContain('lanterns')
  expect(text).not.toContain('Write')
  expect(html).toContain('<blockquote class="builder-blockquote">')
})

describe('share buttons', () => {
  const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

  test('lead to the networks with the address and the title of the current post', async () => {
    const { html, id } = await rendered([
      widgetElement('w', 'share-buttons', {
        share_buttons: [{ button: 'linkedin' }, { button: 'email' }, { button: 'x' }],
      }),
    ])
    const [row] = (await site.api.call<{ link: string }>('GET', `/cms/v2/posts/${id}`)).data.link.split('#')
    const address = encodeURIComponent(row ?? '')
    expect(hrefs(html)).toEqual([
      `https://www.linkedin.com/sharing/share-offsite/?url=${address}`,
      `mailto:?subject=A%20built%20post&amp;body=${address}`,
    ])
    expect(html).toContain(
      '<span class="builder-screen-only">Share on </span><span class="builder-share-btn__text">LinkedIn</span>',
    )
    expect(html).toContain('rel="noopener noreferrer"')
  })

  test('take an address of their own, and never one with a script', async () => {
    const custom = (url: string) => ({
      ...{ share_buttons: [{ button: 'telegram' }], share_url_type: 'custom', share_url: { url } },
    })
    expect(hrefs(await one('share-buttons', custom('https://else.example/?a=1&b')))).toEqual([
      'https://t.me/share/url?url=https%3A%2F%2Felse.example%2F%3Fa%3D1%26b&amp;text=A%20built%20post',
    ])
    expect(await one('share-buttons', custom('javascript:alert(1)'))).not.toContain('javascript')
  })
})

test('what a widget has no content for is left out with its wrapper', async () => {
  const types = [
    'blockquote',
    'animated-headline',
    'price-list',
    'share-buttons',
    'reviews',
    'testimonial-carousel',
    'gallery',
  ]
  for (const type of types) expect(await one(type, {})).not.toContain('data-id="w"')
})

test('markup in their texts is filtered or shown as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const html = [
    await one('blockquote', { blockquote_content: hostile, author_name: hostile }),
    await one('animated-headline', { before_text: hostile, highlighted_text: hostile, headline_style: 'highlight' }),
    await one('animated-headline', { rotating_text: `${hostile}\n${hostile}`, headline_style: 'rotate' }),
    await one('price-list', { price_list: [{ title: hostile, price: hostile, _id: '"><script>' }] }),
    await one('reviews', { carousel_name: hostile, slides: [{ content: hostile, name: hostile, rating: '9e99' }] }),
    await one('gallery', {
      gallery_type: 'multiple',
      galleries: [{ gallery_title: hostile, multiple_gallery: [{ url: 'javascript:1' }] }],
    }),
  ].join('')
  expect(html).not.toMatch(/<[^>]*\bonerror\s*=/)
  expect(html).not.toContain('<script')
  expect(html).not.toContain('javascript:')
})

test('half of a surrogate pair in a text is replaced in addresses', async () => {
  const half = String.fromCharCode(0xd800)
  expect(await one('blockquote', { blockquote_content: `Half ${half}.` })).toMatch(/text=Half%20%EF%BF%BD\.&/)
})

test('a headline takes as many words as the rules have room for', async () => {
  const html = await one('animated-headline', {
    headline_style: 'rotate',
    rotating_text: Array.from({ length: 30 }, (_, at) => `word ${at}`).join('\n'),
  })
  expect(html.match(/builder-headline-text/g)).toHaveLength(20)
  expect(html).toContain('style="--e-words:20"')
})
