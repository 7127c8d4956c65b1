/** The docs page in a real browser: reading, searching and trying routes, by mouse, by keyboard, and without scripts. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { d2 } from '../../src/profiles/d2.ts'
import { passwordOf } from '../support/small-site.ts'
import { contrasts } from './contrasts.ts'
import { browserTests, type ServedSite } from './harness.ts'

const { newContext, openSite, openOrigin } = browserTests()
let site: ServedSite

beforeAll(async () => {
  site = await openSite({ docs: true, profile: d2 })
})

afterEach(() => {
  expect(site.failures.splice(0)).toEqual([])
})

/** Errors of the browser, except for failed responses, which the page shows. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

async function openDocs(path = '/api/docs') {
  const page = await (await newContext()).newPage()
  const complaints = complaintsOf(page)
  await page.goto(site.url + path)
  return { page, complaints }
}

const routeOf = (page: Page, id: string) => page.locator(`details#${id}`)
const statusOf = (page: Page, id: string) => routeOf(page, id).getByRole('status')

async function open(page: Page, id: string) {
  const route = routeOf(page, id)
  await route.locator('> summary').click()
  return route
}

async function signIn(page: Page, login = 'ada', password = passwordOf(login)) {
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Application password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('loads without errors, with a heading, a search, and a list of features', async () => {
  const { page, complaints } = await openDocs()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Quay Notes')
  expect(await page.getByRole('search').isVisible()).toBe(true)
  expect(await page.getByRole('navigation', { name: 'Features' }).getByRole('link').count()).toBeGreaterThan(40)
  expect(await page.getByRole('main').locator('details.route').count()).toBeGreaterThan(140)
  expect(complaints).toEqual([])
})

test('filters the routes by all words of the search, and shows their number', async () => {
  const { page } = await openDocs()
  await page.getByLabel('Search').fill('delete cms/v2/posts')
  const shown = page.locator('details.route:visible')
  expect(await shown.count()).toBe(2)
  expect(await page.getByRole('search').getByRole('status').textContent()).toBe('2 entries')
  await page.getByLabel('Search').fill('nothing holds this')
  expect(await shown.count()).toBe(0)
  await page.getByLabel('Search').fill('')
  expect(await shown.count()).toBeGreaterThan(140)
})

test('shows status, headers, body and curl command of a read', async () => {
  const { page, complaints } = await openDocs()
  const route = await open(page, 'getCmsV2Posts')
  await route.getByLabel('per_page', { exact: true }).fill('2')
  await route.getByLabel('orderby', { exact: true }).selectOption('title')
  await route.getByText('What every route takes').click()
  await route.getByLabel('_fields', { exact: true }).fill('id,slug')
  await route.getByRole('button', { name: 'Send' }).click()
  await route.getByText('200 OK').waitFor()
  expect(await route.getByRole('region', { name: 'Headers' }).textContent()).toMatch(/x-cms-total: \d+/)
  const body = JSON.parse((await route.getByRole('region', { name: 'Body' }).textContent()) ?? '')
  expect(body).toHaveLength(2)
  expect(Object.keys(body[0])).toEqual(['id', 'slug'])
  const line = await route.getByRole('region', { name: 'As a line' }).textContent()
  expect(line).toBe(`curl '${site.url}/api/cms/v2/posts?per_page=2&orderby=title&_fields=id,slug'`)
  expect(complaints).toEqual([])
})

test('shows error responses', async () => {
  const { page } = await openDocs()
  const route = await open(page, 'getCmsV2PostsById')
  await route.getByRole('button', { name: 'Send' }).click()
  expect(await statusOf(page, 'getCmsV2PostsById').textContent()).toContain('id is missing')
  await route.getByLabel('id', { exact: true }).fill('999999')
  await route.getByRole('button', { name: 'Send' }).click()
  await route.getByText('404 Not Found').waitFor()
  expect(await route.getByRole('region', { name: 'Body' }).textContent()).toContain('"code": "rest_post_invalid_id"')

  const list = await open(page, 'getCmsV2Posts')
  await list.getByLabel('per_page', { exact: true }).fill('many')
  await list.getByRole('button', { name: 'Send' }).click()
  await list.getByText('400 Bad Request').waitFor()
  expect(await list.getByRole('region', { name: 'Body' }).textContent()).toContain('rest_invalid_param')
})

test('signs in, writes and signs out; the password does not outlive the page', async () => {
  const { page, complaints } = await openDocs()
  const route = await open(page, 'postCmsV2Posts')
  const send = async (status: string) => {
    await route.getByRole('button', { name: 'Send' }).click()
    await route.getByText(status).waitFor()
  }
  await route.getByLabel('title', { exact: true }).fill('Written from the page')
  await route.getByLabel('status', { exact: true }).selectOption('draft')
  await send('401 Unauthorized')

  await signIn(page, 'ada', 'wrong')
  await page.getByText('The login or the application password is wrong.').waitFor()
  await signIn(page)
  await page.getByText('Requests are sent as ada').waitFor()
  expect(await page.getByLabel('Application password').inputValue()).toBe('')
  await send('201 Created')
  const made = JSON.parse((await route.getByRole('region', { name: 'Body' }).textContent()) ?? '')
  expect(made).toMatchObject({ status: 'draft', title: { raw: 'Written from the page' } })
  expect(await route.getByRole('region', { name: 'As a line' }).textContent()).toContain("-X POST -u 'ada' -H")

  await page.getByRole('button', { name: 'Sign out' }).click()
  await send('401 Unauthorized')
  await signIn(page)
  await page.getByText('Requests are sent as ada').waitFor()
  await page.reload()
  expect(await page.locator('#sign-in').getByRole('status').textContent()).toBe('Requests are sent as a visitor.')
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, ''])
  expect(complaints).toEqual([])
})

test('sends a chosen method and a typed body', async () => {
  const { page } = await openDocs()
  await signIn(page)
  await page.getByText('Requests are sent as ada').waitFor()
  const post = site.ids['post.hello']
  const change = await open(page, 'postCmsV2PostsById')
  await change.getByLabel('Method').selectOption('PATCH')
  await change.getByLabel('id', { exact: true }).fill(String(post))
  await change.getByLabel('title', { exact: true }).fill('{"raw":"Named anew"}')
  await change.getByRole('button', { name: 'Send' }).click()
  await change.getByText('200 OK').waitFor()
  expect(await change.getByRole('region', { name: 'As a line' }).textContent()).toContain('curl -X PATCH')

  const dismiss = await open(page, 'postBuilderV1ChecklistUserProgress')
  await dismiss.getByLabel('Body', { exact: true }).fill('{"is_popup_minimized":true}')
  await dismiss.getByRole('button', { name: 'Send' }).click()
  await dismiss.getByText('200 OK').waitFor()
})

test('finds, opens and sends a route by keyboard', async () => {
  const { page } = await openDocs()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the routes')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('describe the site')
  const route = routeOf(page, 'getIndex')
  for (let pressed = 0; pressed < 40 && !(await route.locator('> summary').evaluate(isFocused)); pressed++) {
    await page.keyboard.press('Tab')
  }
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
  expect(outline).toBe('solid')
  await page.keyboard.press('Enter')
  const send = route.getByRole('button', { name: 'Send' })
  for (let pressed = 0; pressed < 40 && !(await send.evaluate(isFocused)); pressed++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await route.getByText('200 OK').waitFor()
  expect(await send.evaluate(isFocused)).toBe(true)
})

const isFocused = (element: Element) => element === document.activeElement

test('labels every field and announces every result', async () => {
  const { page } = await openDocs()
  for (const id of ['getCmsV2Posts', 'postCmsV2Posts', 'postBuilderV1Notes', 'getBuilderV1FormSubmissions'])
    await open(page, id)
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')]
      .filter(({ labels }) => labels === null || labels.length === 0)
      .map(({ outerHTML }) => outerHTML),
  )
  expect(unnamed).toEqual([])
  expect(await page.locator('form.try').count()).toBe(4)
  expect(await page.locator('form.try [role=status]').count()).toBe(4)
})

test('opens the route or schema of the URL fragment', async () => {
  const { page } = await openDocs('/api/docs#getCmsV2PostsById')
  const route = routeOf(page, 'getCmsV2PostsById')
  expect(await route.getAttribute('open')).toBe('')
  await route.locator('.answers a').first().click()
  await page.waitForFunction(() => document.querySelector('details.form[open]') !== null)
  expect(page.url()).toContain('#form-')
})

test('works with a trailing slash and at the alternate root', async () => {
  for (const path of ['/api/docs/', '/api/?rest_route=/docs']) {
    const { page, complaints } = await openDocs(path)
    const route = await open(page, 'getIndex')
    await route.getByRole('button', { name: 'Send' }).click()
    await route.getByText('200 OK').waitFor()
    expect(complaints).toEqual([])
  }
})

test('is readable without scripts, and hides controls that need them', async () => {
  const page = await (await newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${site.url}/api/docs`)
  expect(await page.getByText('Without a script this page can be read.').isVisible()).toBe(true)
  expect(await page.getByRole('search').isVisible()).toBe(false)
  expect(await page.getByLabel('Application password').isVisible()).toBe(false)
  const route = await open(page, 'getCmsV2Posts')
  expect(await route.getByRole('table').getByText('per_page').isVisible()).toBe(true)
  expect(await page.getByRole('button').count()).toBe(0)
})

test('fits a narrow window without horizontal scrolling', async () => {
  const page = await (await newContext({ viewport: { width: 340, height: 700 } })).newPage()
  await page.goto(`${site.url}/api/docs`)
  for (const id of ['getCmsV2Posts', 'getBuilderV1FormSubmissionsExport']) await open(page, id)
  const [whole, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(whole).toBe(window)
})

/** The contrasts of an open route with a response, of the side column, and of each method. */
const looked = [
  'header *',
  '.side *',
  '#for-all p',
  '.route[open] *',
  'summary .method',
  'summary .words',
  '.answers *',
]

test.each(['light', 'dark'] as const)('has enough contrast: %s', async (colorScheme) => {
  const page = await (await newContext({ colorScheme })).newPage()
  await page.goto(`${site.url}/api/docs`)
  const route = await open(page, 'postCmsV2PostsById')
  await route.getByLabel('id', { exact: true }).fill('1')
  await route.getByRole('button', { name: 'Send' }).click()
  await route.getByText('404 Not Found').waitFor()
  const measured = await page.evaluate(contrasts, looked.join(', '))
  expect(measured.length).toBeGreaterThan(300)
  expect(measured.filter(({ contrast, least }) => contrast < least)).toEqual([])
})

test('can not be framed', async () => {
  const other = await openOrigin({ '/': `<!doctype html><iframe src="${site.url}/api/docs"></iframe>` })
  const page = await (await newContext()).newPage()
  await page.goto(other.url, { waitUntil: 'load' })
  const framed = page.frames().find((frame) => frame !== page.mainFrame())
  expect(framed).toBeDefined()
  expect(await framed?.locator('h1', { hasText: 'Quay Notes' }).count()).toBe(0)
})
