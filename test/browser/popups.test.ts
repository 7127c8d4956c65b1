/** Opens popups in Chromium: with the keyboard, by their rules, and without a script. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const { newContext } = browserTests()
let site: ServedPages
beforeAll(async () => {
  site = await servePages()
})
afterAll(() => site?.close())

const text = (editor: string) => widgetElement('w000001', 'text-editor', { editor, text_color: '#222222' })
const box = (...elements: unknown[]) => [containerElement('b000001', {}, elements)]
const inside = box(text('<p>Ferries stop at six. <a href="/first/">One</a> <a href="/second/">Two</a></p>'))

/** Makes a page with a popup, a link to it, and enough text to scroll. */
async function pageWith(settings: object = {}, content: unknown[] = inside) {
  const template = { title: 'Timetable', type: 'popup', content, page_settings: settings }
  const { template_id: popup } = await site.call<{ readonly template_id: number }>(
    'POST',
    '/builder/v1/template-library/templates',
    template,
  )
  const lines = '<p>A line of text.</p>'.repeat(80)
  const id = await storeDocument(site, box(text(`<p><a href="#popup-${popup}">See the timetable</a></p>${lines}`)))
  const conditions = [['include', 'singular', 'post', String(id)]]
  await site.call('PUT', `/builder/v1/site-editor/templates-conditions/${popup}`, { conditions })
  return { popup, address: `${site.url}/?p=${id}` }
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Timetable' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

async function opened(address: string, options: Parameters<typeof newContext>[0] = {}): Promise<Page> {
  const page = await (await newContext(options)).newPage()
  await page.goto(address)
  return page
}

describe('with the keyboard', () => {
  test('a link opens the popup, which holds the focus until Escape gives it back', async () => {
    const page = await opened((await pageWith()).address)
    await page.getByText('See the timetable').focus()
    expect(await dialogOf(page).isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await dialogOf(page).waitFor()
    const seen: unknown[] = []
    for (let at = 0; at < 4; at++) {
      seen.push(await focused(page))
      await page.keyboard.press('Tab')
    }
    expect(seen).toEqual(['One', 'Two', '×', 'One'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('×')
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    expect(await focused(page)).toBe('See the timetable')
  })

  test('the close link closes it, and the page stays where it is', async () => {
    const { address } = await pageWith()
    const page = await opened(address)
    await page.getByText('See the timetable').click()
    const before = page.url()
    await page.getByRole('link', { name: 'Close' }).press('Enter')
    await dialogOf(page).waitFor({ state: 'hidden' })
    expect(page.url()).toBe(before)
  })

  test('Escape leaves a popup open that its author keeps, and closes one beside the page', async () => {
    const kept = await opened((await pageWith({ prevent_close_on_esc_key: 'yes' })).address)
    await kept.getByText('See the timetable').click()
    await kept.keyboard.press('Escape')
    expect(await dialogOf(kept).isVisible()).toBe(true)
    const beside = await opened((await pageWith({ overlay: '' })).address)
    await beside.getByText('See the timetable').click()
    await dialogOf(beside).waitFor()
    expect(await beside.evaluate(() => document.querySelector('dialog:modal'))).toBeNull()
    await beside.keyboard.press('Escape')
    await dialogOf(beside).waitFor({ state: 'hidden' })
  })
})

test('a click beside it closes a popup, unless its author keeps it', async () => {
  for (const [settings, isKept] of [
    [{}, false],
    [{ prevent_close_on_background_click: 'yes' }, true],
  ] as const) {
    const page = await opened((await pageWith(settings)).address)
    await page.getByText('See the timetable').click()
    await dialogOf(page).waitFor()
    await page.mouse.click(5, 5)
    expect(await dialogOf(page).isVisible()).toBe(isKept)
  }
})

describe('the rules of its author open it', () => {
  test('when the page has loaded, and no more often than they say', async () => {
    const { address } = await pageWith({ page_load: 'yes', page_load_delay: 0, times: 'yes', times_times: 1 })
    const page = await opened(address)
    await dialogOf(page).waitFor()
    await page.reload()
    await page.getByText('See the timetable').waitFor()
    const drawn = await page.evaluate(
      () => new Promise((resolve) => setTimeout(() => resolve(document.querySelector('dialog[open]')), 0)),
    )
    expect(drawn).toBeNull()
    await page.getByText('See the timetable').click()
    await dialogOf(page).waitFor()
  })

  test('when the reader scrolls, clicks, or leaves the page', async () => {
    const acts: readonly (readonly [object, (page: Page) => Promise<unknown>])[] = [
      [{ triggers: { scrolling: 'yes', scrolling_offset: 40 } }, (page) => page.mouse.wheel(0, 4000)],
      [{ triggers: { click: 'yes', click_times: 2 } }, (page) => page.mouse.dblclick(600, 500)],
      [
        { triggers: { exit_intent: 'yes' } },
        (page) =>
          page.evaluate(() => document.body.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, clientY: -1 }))),
      ],
      [{ open_selector: '.site-bar' }, (page) => page.locator('.site-bar').click({ position: { x: 3, y: 3 } })],
    ]
    for (const [settings, act] of acts) {
      const page = await opened((await pageWith(settings)).address)
      expect(await dialogOf(page).isVisible()).toBe(false)
      await act(page)
      await dialogOf(page).waitFor()
    }
  })

  test('and close it after a time; a link for ever', async () => {
    const close = box(text('<p><a href="#popup-close-for-ever">Never again</a></p>'))
    const page = await opened((await pageWith({ page_load: 'yes' }, close)).address)
    await page.getByText('Never again').click()
    await dialogOf(page).waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByText('See the timetable').waitFor()
    expect(await dialogOf(page).isVisible()).toBe(false)
    const timed = await opened((await pageWith({ close_automatically: 0.01 })).address)
    await timed.getByText('See the timetable').click()
    await dialogOf(timed).waitFor({ state: 'hidden' })
  })
})

test('without a script a link leads to it as to a section of the page', async () => {
  const { address } = await pageWith({ page_load: 'yes' })
  const page = await opened(address, { javaScriptEnabled: false })
  const section = page.getByText('Ferries stop at six.')
  expect(await section.isVisible()).toBe(false)
  await page.getByText('See the timetable').click()
  await section.waitFor()
  expect(await section.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true)
  await page.getByRole('link', { name: 'Close' }).click()
  await section.waitFor({ state: 'hidden' })
})

test.each([375, 768, 1280])('an open popup fits %i pixels, and is accessible', async (width) => {
  // The colour of links is that of the kit.
  const { address } = await pageWith({}, box(text('<p>Ferries stop at six.</p>')))
  const page = await opened(address, { viewport: { width, height: 800 } })
  await page.getByText('See the timetable').click()
  const place = await dialogOf(page).boundingBox()
  expect(place && place.x >= 0 && place.x + place.width <= width).toBe(true)
  expect(await violationsOf(page)).toEqual([])
})
