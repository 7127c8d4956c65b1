/** Quotes, headlines, price lists, galleries, voices and links to share, as Chromium shows them. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { displayElements } from '../support/display-elements.ts'
import { storeDocument } from '../support/documents.ts'
import { violationsOf } from './axe.ts'
import { browserTests, type ServedSite } from './harness.ts'

const { newContext, openSite } = browserTests()

let site: ServedSite
let html: string
beforeAll(async () => {
  site = await openSite()
  // The colours of a new kit are too pale for texts.
  const dark = ['primary', 'secondary', 'text', 'accent'].map((name) => ({ id: name, title: name, value: '#222222' }))
  await site.api.site.options.write({ builder_kit_colors: { system: dark, custom: [] } })
  const id = await storeDocument(site, displayElements)
  const rendered = await site.api.render.document(id)
  expect(rendered?.warnings).toEqual([])
  const styles = (rendered?.css ?? []).map(({ css }) => `<style>${css}</style>`).join('')
  html = `<!doctype html><html lang="en"><title>Display</title>${styles}
<body class="${rendered?.bodyClasses.join(' ')}"><main><h1>Display</h1>${rendered?.html}</main>`
})

async function show(width: number, reducedMotion: 'reduce' | 'no-preference' = 'reduce'): Promise<Page> {
  const page = await (await newContext({ viewport: { width, height: 900 }, reducedMotion })).newPage()
  await page.setContent(html)
  return page
}

const computed = (page: Page, selector: string, property: string, part?: string): Promise<string> =>
  page.$eval(
    selector,
    (element, [name, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name as string),
    [property, part] as const,
  )
const widthOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.width ?? 0

test.each([375, 768, 1280])('at %i pixels nothing overflows, and axe finds nothing', async (width) => {
  const page = await show(width)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await violationsOf(page)).toEqual([])
  const shots = process.env['SCREENSHOTS']
  if (shots !== undefined) await page.screenshot({ path: `${shots}/display-${width}.png`, fullPage: true })
})

test('a quotation has the line, the sign or the box of its skin', async () => {
  const page = await show(1280)
  expect(await computed(page, '[data-id="quote01"] blockquote', 'border-left-width')).toBe('4px')
  expect(await computed(page, '[data-id="quote01"] blockquote', 'border-left-color')).toBe('rgb(17, 34, 51)')
  expect(await computed(page, '[data-id="quote02"] blockquote', 'content', '::before')).toBe('"“"')
  expect(await computed(page, '[data-id="quote03"] blockquote', 'background-color')).toBe('rgb(241, 242, 243)')
})

test('a headline marks its words, and turns them only for readers who like motion', async () => {
  const page = await show(1280)
  const line = '[data-id="head001"] .builder-headline-dynamic-wrapper'
  expect(await computed(page, line, 'text-decoration-style')).toBe('wavy')
  expect(await computed(page, line, 'text-decoration-color')).toBe('rgb(255, 0, 0)')
  const words = '[data-id="head002"] .e-headline-words'
  expect(await computed(page, words, 'animation-name')).toBe('none')
  const moving = await show(1280, 'no-preference')
  expect(await computed(moving, words, 'animation-name')).toBe('e-headline-turns')
  expect(await computed(moving, words, 'animation-duration')).toBe('7.5s')
  expect(await computed(moving, words, 'animation-timing-function')).toMatch(/^steps\(3/)
  // One line of them is in sight, whichever it is.
  const box = await moving.locator('[data-id="head002"] .e-headline-turns').boundingBox()
  const whole = await moving.locator(words).evaluate((element) => element.scrollHeight)
  expect(whole).toBeGreaterThan((box?.height ?? 0) * 2.5)
})

test('a price list has its prices at the end of their lines', async () => {
  const page = await show(1280)
  expect(await computed(page, '[data-id="price01"] .builder-price-list-price', 'color')).toBe('rgb(0, 68, 0)')
  expect(await computed(page, '[data-id="price01"] ul', 'row-gap')).toBe('14px')
  const line = await page.locator('.builder-price-list-header').first().boundingBox()
  const price = await page.locator('.builder-price-list-price').first().boundingBox()
  expect((price?.x ?? 0) + (price?.width ?? 0)).toBeCloseTo((line?.x ?? 0) + (line?.width ?? 0), 0)
})

test('reviews stand side by side as the screen has room, and scroll in their box', async () => {
  for (const [width, slides] of [
    [1280, 3],
    [900, 2],
    [375, 1],
  ] as const) {
    const page = await show(width)
    const [track, slide] = [
      await widthOf(page, '[data-id="voice02"] .swiper-wrapper'),
      await widthOf(page, '[data-id="voice02"] .swiper-slide'),
    ]
    expect(slide).toBeCloseTo((track - (slides - 1) * 12) / slides, 0)
  }
})

test('a gallery is a grid of its columns and shape, or rows of one height', async () => {
  const page = await show(1280)
  const columns = await computed(page, '[data-id="galry01"] ul', 'grid-template-columns')
  expect(columns.split(' ')).toHaveLength(3)
  const square = await page.locator('[data-id="galry01"] img').first().boundingBox()
  expect(square?.width).toBeCloseTo(square?.height ?? 0, 0)
  expect(await computed(page, '[data-id="galry02"] img', 'height')).toBe('200px')
  const narrow = await computed(await show(375), '[data-id="galry01"] ul', 'grid-template-columns')
  expect(narrow.split(' ')).toHaveLength(1)
})
