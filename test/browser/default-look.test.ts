/** The pages of a site that has chosen nothing: its kit, its theme and its documents are those of the product. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const { newContext } = browserTests()

const string = (value: unknown) => ({ $$type: 'string', value })
const html = (content: string) => ({ $$type: 'html-v3', value: { content: string(content), children: [] } })
const words = 'The ferry leaves at nine, and again at noon if the tide allows it. '
const link = { url: '/x/' }
const element = (id: string, type: string, settings: object) => ({ ...widgetElement(id, type, settings), styles: {} })

const classic = [
  widgetElement('h2', 'heading', { title: 'Classic' }),
  widgetElement('h3', 'heading', { title: 'Classic', header_size: 'h3' }),
  widgetElement('te', 'text-editor', { editor: `<p>${words}</p>` }),
  widgetElement('bu', 'button', { text: 'Classic', link }),
]
const current = [
  element('e2', 'e-heading', { title: html('Current'), tag: string('h2') }),
  element('e3', 'e-heading', { title: html('Current'), tag: string('h3') }),
  element('ep', 'e-paragraph', { paragraph: html(words) }),
  element('eb', 'e-button', {
    text: html('Current'),
    link: { $$type: 'link', value: { destination: { $$type: 'url', value: '/x/' } } },
  }),
]
const others = [
  widgetElement('il', 'icon-list', { icon_list: [{ _id: 'a', text: 'Ropes' }] }),
  widgetElement('al', 'alert', { alert_title: 'Mind the step', alert_description: 'It is wet.' }),
  widgetElement('tb', 'tabs', { tabs: [{ _id: 'a', tab_title: 'Boats', tab_content: 'They float.' }] }),
  widgetElement('cd', 'countdown', { due_date: '2098-01-01 10:00' }),
  widgetElement('pt', 'price-table', {
    heading: 'Crew',
    price: '39',
    features_list: [{ _id: 'a', item_text: 'A bunk' }],
  }),
  widgetElement('sf', 'search-form'),
]

let site: ServedPages
let address: string
beforeAll(async () => {
  site = await servePages()
  const id = await storeDocument(site, [containerElement('box', {}, [...classic, ...current, ...others])], {
    title: 'Both',
  })
  address = `${site.url}/?p=${id}`
})
afterAll(() => site?.close())

describe('a page with elements of both generations', () => {
  test.each([
    [375, 'light'],
    [1280, 'dark'],
  ] as const)('at %i pixels in the %s scheme is accessible, and fits', async (width, colorScheme) => {
    const page = await (await newContext({ viewport: { width, height: 900 }, colorScheme })).newPage()
    await page.goto(address)
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })

  test('has one scale and one edge, and an icon on the button of a search', async () => {
    const page = await (await newContext({ viewport: { width: 1280, height: 900 } })).newPage()
    await page.goto(address)
    const type = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => {
          const { fontFamily, fontSize, fontWeight, lineHeight } = getComputedStyle(node)
          return { fontFamily, fontSize, fontWeight, lineHeight }
        })
    for (const [one, other] of [
      ['h2.builder-heading-title', 'h2.e-heading-base'],
      ['h3.builder-heading-title', 'h3.e-heading-base'],
      ['.builder-widget-text-editor p', '.e-paragraph-base'],
      ['a.builder-button', '.e-button-base'],
    ] as const)
      expect({ ...(await type(other)), of: one }).toEqual({ ...(await type(one)), of: one })
    const left = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => node.getBoundingClientRect().left)
    expect(await left('.entry-header h1')).toBe(await left('h2.builder-heading-title'))
    expect(await left('.site-name')).toBe(await left('h2.builder-heading-title'))
    expect((await page.locator('.builder-search-form__submit svg').boundingBox())?.width).toBeGreaterThan(8)
  })
})

test('an embedded post fills the frame that its embed data name, at any width', async () => {
  const { link: post } = await site.call<{ link: string }>('POST', '/cms/v2/posts', {
    ...{
      title: 'A long title that takes two lines in a narrow frame',
      status: 'publish',
      excerpt: words.repeat(12),
    },
  })
  const page = await (await newContext()).newPage()
  for (const width of [600, 400, 250]) {
    const data = await site.call<{ height: number }>('GET', '/oembed/1.0/embed', { url: post, maxwidth: width })
    await page.setViewportSize({ width, height: data.height })
    await page.goto(`${post}embed/`)
    const { over, cut, below } = await page.evaluate(() => {
      const [text, article] = ['.site-embed-text', '.site-embed'].map(
        (one) => document.querySelector(one) as HTMLElement,
      )
      const line = Number.parseFloat(getComputedStyle(text as HTMLElement).lineHeight)
      return {
        over: [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth],
        // The height of a part of a line, which would be shown cut.
        cut: Math.abs(
          (text as HTMLElement).getBoundingClientRect().height / line -
            Math.round((text as HTMLElement).getBoundingClientRect().height / line),
        ),
        below: (article as HTMLElement).scrollHeight - (article as HTMLElement).clientHeight,
      }
    })
    expect({ over, below, cut }).toEqual({ over: [0, 0], below: 0, cut: expect.closeTo(0, 1) })
  }
})
