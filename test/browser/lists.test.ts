/** Changes lists of posts in Chromium: by pages, filters and words, with the keyboard, and without a script. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerElement, storeDocument, storeTemplate, widgetElement } from '../support/documents.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const { newContext } = browserTests()
let site: ServedPages
let item: number
let categories: readonly number[] = []
beforeAll(async () => {
  site = await servePages()
  const terms = await Promise.all(
    ['Bay', 'Pier'].map((name) => site.call<{ readonly id: number }>('POST', '/cms/v2/categories', { name })),
  )
  categories = terms.map(({ id }) => id)
  for (let at = 1; at <= 6; at++) {
    await site.call('POST', '/cms/v2/posts', {
      ...{ title: `Item ${at}`, status: 'publish', content: '<p>By the lighthouse.</p>' },
      ...{ categories: [categories[at % 2]], date: `2020-05-${20 - at}T10:00:00` },
    })
  }
  const author = site.ids['user.admin'] as number
  const title = widgetElement('t000001', 'theme-post-title', { header_size: 'h2' })
  item = await storeTemplate(site.api['~parts'].storage, 'loop-item', [containerElement('b000009', {}, [title])], {
    author,
  })
})
afterAll(() => site?.close())

const loop = (id: string, more: object = {}) =>
  widgetElement(id, 'loop-grid', {
    ...{ template_id: item, posts_per_page: 2, columns: 2, pagination_type: 'numbers' },
    ...{ post_query_include: ['terms'], post_query_include_term_ids: categories, ...more },
  })
const cards = (more: object) =>
  widgetElement('l000001', 'posts', {
    ...{ classic_posts_per_page: 2, posts_include: ['terms'], posts_include_term_ids: categories, ...more },
  })
const filter = (list: string, more: object = {}) =>
  widgetElement(`f${list.slice(1)}`, 'taxonomy-filter', { selected_element: list, taxonomy: 'category', ...more })

async function show(elements: unknown[], options: Parameters<typeof newContext>[0] = {}): Promise<Page> {
  const id = await storeDocument(site, [containerElement('b000001', {}, elements)], { title: 'The list' })
  const page = await (await newContext(options)).newPage()
  await page.goto(`${site.url}/?p=${id}`)
  await page.evaluate(() => Object.assign(globalThis, { stayed: true }))
  return page
}

const stayed = (page: Page) => page.evaluate(() => 'stayed' in globalThis)
const itemsOf = (page: Page, list: string) =>
  page
    .locator(`[data-id=${list}] :is(h2,h3)`)
    .evaluateAll((all) => all.map((one) => one.textContent?.replace('Item ', '')).join())
const until = (page: Page, list: string, items: string) => expect.poll(() => itemsOf(page, list)).toBe(items)
const followed = (page: Page) => new URL(page.url()).search

describe('the pages of a list', () => {
  test('change in place; the address and the back button follow', async () => {
    const page = await show([loop('l000001')])
    const [first, second, third] = ['1,2', '3,4', '5,6'] as const
    await until(page, 'l000001', first)
    await page.getByRole('link', { name: 'Page 2' }).focus()
    await page.keyboard.press('Enter')
    await until(page, 'l000001', second)
    expect(followed(page)).toBe('?page=2')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('l000001')
    await page.getByRole('link', { name: 'Page 3' }).click()
    await until(page, 'l000001', third)
    await page.goBack()
    await until(page, 'l000001', second)
    await page.goBack()
    await until(page, 'l000001', first)
    expect([await stayed(page), followed(page)]).toEqual([true, ''])
    await page.goForward()
    await until(page, 'l000001', second)
    await page.reload()
    await until(page, 'l000001', second)
  })

  test('are those of the last link, also where the load of an earlier one fails later', async () => {
    const page = await show([cards({ pagination_type: 'numbers' })])
    let fail = () => {}
    await page.route(/[?&]page=2$/, (route) => {
      fail = () => void route.abort()
    })
    await page.getByRole('link', { name: 'Page 2' }).click()
    await page.getByRole('link', { name: 'Page 3' }).click()
    await until(page, 'l000001', '5,6')
    const failed = page.waitForEvent('requestfailed')
    fail()
    await failed
    await page.getByRole('link', { name: 'Page 1' }).click()
    await until(page, 'l000001', '1,2')
    expect(await stayed(page)).toBe(true)
  })

  test('are those of one list, where a page has two', async () => {
    const page = await show([loop('l000001'), loop('l000002', { posts_per_page: 3 })])
    await page.locator('[data-id=l000001]').getByRole('link', { name: 'Page 2' }).click()
    await until(page, 'l000001', '3,4')
    await page.locator('[data-id=l000002]').getByRole('link', { name: 'Page 2' }).click()
    await until(page, 'l000002', '4,5,6')
    expect(await itemsOf(page, 'l000001')).toBe('3,4')
    expect(followed(page)).toBe('?e-page-l000001=2&e-page-l000002=2')
    await page.goBack()
    await until(page, 'l000002', '1,2,3')
    expect([await itemsOf(page, 'l000001'), await stayed(page)]).toEqual(['3,4', true])
  })

  test('follow each other below "load more", and the keyboard goes on at the new entries', async () => {
    const page = await show([loop('l000001', { pagination_type: 'load_more_on_click' })])
    await page.getByRole('button', { name: 'Load More' }).focus()
    await page.keyboard.press('Enter')
    await until(page, 'l000001', '1,2,3,4')
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Item 3')
    await page.getByRole('button', { name: 'Load More' }).press('Space')
    await until(page, 'l000001', '1,2,3,4,5,6')
    expect([await page.getByRole('button', { name: 'Load More' }).count(), await stayed(page)]).toEqual([0, true])
  })

  test('come by themselves in an endless list', async () => {
    const page = await show([loop('l000001', { pagination_type: 'load_more_infinite_scroll' })])
    await until(page, 'l000001', '1,2,3,4,5,6')
  })

  test('are those of a list of cards, too', async () => {
    const page = await show([cards({ pagination_type: 'prev_next' })])
    await page.getByRole('link', { name: 'Next »' }).click()
    await until(page, 'l000001', '3,4')
    expect(await stayed(page)).toBe(true)
  })
})

describe('a filter', () => {
  test.each(['loop-grid', 'posts'])('changes its list of the kind %s in place', async (kind) => {
    const list = kind === 'posts' ? cards({ pagination_type: 'numbers' }) : loop('l000001')
    const page = await show([filter('l000001'), list])
    await page.getByRole('link', { name: 'Page 2' }).click()
    await until(page, 'l000001', '3,4')
    await page.getByRole('link', { name: 'Bay' }).focus()
    await page.keyboard.press('Enter')
    await until(page, 'l000001', '2,4')
    expect(followed(page)).toBe('?e-filter-l000001-category=bay')
    expect(await page.locator('.e-filter [aria-current]').allTextContents()).toEqual(['Bay'])
    await page.getByRole('link', { name: 'Page 2' }).click()
    await until(page, 'l000001', '6')
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await until(page, 'l000001', '1,2')
    await page.goBack()
    await until(page, 'l000001', '6')
    await page.goBack()
    await until(page, 'l000001', '2,4')
    expect(await page.locator('.e-filter [aria-current]').allTextContents()).toEqual(['Bay'])
    expect(await stayed(page)).toBe(true)
  })

  test('takes several terms where its author wants it', async () => {
    const page = await show([
      filter('l000001', { multiple_selection: 'yes', logical_combination: 'OR' }),
      loop('l000001', { posts_per_page: 6, pagination_type: '' }),
    ])
    await page.getByRole('link', { name: 'Bay' }).click()
    await until(page, 'l000001', '2,4,6')
    await page.getByRole('link', { name: 'Pier' }).click()
    await until(page, 'l000001', '1,2,3,4,5,6')
    await page.getByRole('link', { name: 'Bay' }).click()
    await until(page, 'l000001', '1,3,5')
    expect(await page.locator('.e-filter [aria-current]').allTextContents()).toEqual(['Pier'])
  })
})

test('the list of an archive and another one beside it change apart, below the address of the archive', async () => {
  const posts = loop('l000001', { post_query_post_type: 'current_query', post_query_include: [] })
  const content = [containerElement('b000001', {}, [filter('l000001'), posts, loop('l000002')])]
  const { template_id: template } = await site.call<{ readonly template_id: number }>(
    'POST',
    '/builder/v1/template-library/templates',
    { title: 'Archive', type: 'archive', content },
  )
  const conditions = [['include', 'archive']]
  await site.call('PUT', `/builder/v1/site-editor/templates-conditions/${template}`, { conditions })
  const page = await (await newContext()).newPage()
  await page.goto(`${site.url}/category/bay/`)
  await page.evaluate(() => Object.assign(globalThis, { stayed: true }))
  const [own = '', other = ''] = await page
    .locator('.builder-widget-loop-grid')
    .evaluateAll((lists) => lists.map((list) => `"${list.getAttribute('data-id')}"`))
  await page.locator(`[data-id=${own}]`).getByRole('link', { name: 'Page 2' }).click()
  await until(page, own, '6')
  await page.locator(`[data-id=${other}]`).getByRole('link', { name: 'Page 2' }).click()
  await until(page, other, '3,4')
  expect(await itemsOf(page, own)).toBe('6')
  expect(page.url()).toBe(`${site.url}/category/bay/page/2/?e-page-${other.replaceAll('"', '')}=2`)
  await page.goBack()
  await until(page, other, '1,2')
  await page.goBack()
  await until(page, own, '2,4')
  await page.getByRole('link', { name: 'Pier', exact: true }).click()
  await page.getByText('Nothing was found here.').waitFor()
  expect(await stayed(page)).toBe(true)
})

test('the bar of a portfolio filters it, and keeps the keyboard at its term', async () => {
  const grid = widgetElement('l000001', 'portfolio', {
    ...{ show_filter_bar: 'yes', taxonomy: 'category', posts_per_page: 6 },
    ...{ posts_include: ['terms'], posts_include_term_ids: categories },
  })
  const page = await show([grid])
  await page.getByRole('link', { name: 'Pier', exact: true }).focus()
  await page.keyboard.press('Enter')
  await until(page, 'l000001', '1,3,5')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pier')
  await page.getByRole('link', { name: 'News', exact: true }).click()
  await page.getByText('Nothing was found here.').waitFor()
  await page.goBack()
  await until(page, 'l000001', '1,3,5')
  expect([await stayed(page), followed(page)]).toEqual([true, '?e-filter-l000001-category=pier'])
})

test('the entries of another page move as those of the first', async () => {
  const [tab, author] = [
    widgetElement('a000001', 'toggle', { tabs: [{ _id: 'a', tab_title: 'More', tab_content: 'Words' }] }),
    site.ids['user.admin'],
  ]
  const title = widgetElement('t000001', 'theme-post-title', { header_size: 'h2' })
  const moving = await storeTemplate(
    site.api['~parts'].storage,
    'loop-item',
    [containerElement('b000008', {}, [title, tab])],
    {
      author: author as number,
    },
  )
  const page = await show([loop('l000001', { template_id: moving })])
  await page.getByRole('link', { name: 'Page 2' }).click()
  await until(page, 'l000001', '3,4')
  await page.getByRole('button', { name: 'More' }).first().click()
  expect(await page.getByText('Words').first().isVisible()).toBe(true)
})

test('without a script the same links lead to the same lists', async () => {
  const page = await show([filter('l000001'), loop('l000001'), loop('l000002')], { javaScriptEnabled: false })
  await page.locator('[data-id=l000002]').getByRole('link', { name: 'Page 2' }).click()
  expect([await itemsOf(page, 'l000001'), await itemsOf(page, 'l000002')]).toEqual(['1,2', '3,4'])
  await page.getByRole('link', { name: 'Bay' }).click()
  expect([await itemsOf(page, 'l000001'), await itemsOf(page, 'l000002')]).toEqual(['2,4', '3,4'])
})

test('a search shows results while somebody types, until Escape', async () => {
  const page = await show([widgetElement('s000001', 'search', { live_results: 'yes', template_id: item })])
  const field = page.getByRole('searchbox')
  await field.pressSequentially('li')
  expect(await page.locator('.e-search-results').isVisible()).toBe(false)
  await field.pressSequentially('ghthouse')
  await page.getByText('Item 1').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Item 1').waitFor({ state: 'hidden' })
  await field.fill('by the lighthouse')
  await page.getByText('Item 1').waitFor()
  await page.getByRole('link', { name: 'Feed' }).focus()
  await page.getByText('Item 1').waitFor({ state: 'hidden' })
  await field.fill('nowhere at all')
  await page.getByText('Nothing was found here.').waitFor()
  expect(await stayed(page)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\?s=nowhere/)
})

test('results without a template are the titles of posts', async () => {
  const page = await show([widgetElement('s000001', 'search', { live_results: 'yes' })])
  await page.getByRole('searchbox').fill('by the lighthouse')
  await page.getByRole('link', { name: 'Item 1', exact: true }).waitFor()
  const lines = (await page.locator('.e-search-results').innerText()).split(/\n+/)
  expect(lines.toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((at) => `Item ${at}`))
})

test.each([375, 768, 1280])('a changed list fits %i pixels, and is accessible', async (width) => {
  const page = await show([filter('l000001'), loop('l000001')], { viewport: { width, height: 800 } })
  await page.getByRole('link', { name: 'Bay' }).click()
  await until(page, 'l000001', '2,4')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  // The colours of the kit are those of its author.
  expect((await violationsOf(page)).filter((problem) => !problem.startsWith('color-contrast'))).toEqual([])
})
