/** The docs page in a real browser: searching, reading and trying routes, by mouse, by keyboard, and without scripts. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { int, required, str } from '../../src/core/declare/args.ts'
import { endpoint } from '../../src/core/declare/endpoint.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { digits } from '../../src/core/declare/pattern.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { toolFeatures } from '../../src/profiles/tools.ts'
import { passwordOf } from '../support/small-site.ts'
import { violationsOf } from './axe.ts'
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

async function openDocs(path = '/api/docs', options?: BrowserContextOptions) {
  const page = await (await newContext(options)).newPage()
  const complaints = complaintsOf(page)
  await page.goto(site.url + path)
  return { page, complaints }
}

/** The view that is shown. */
const view = (page: Page) => page.locator('.view[data-current]')
const response = (page: Page) => view(page).getByRole('region', { name: 'Response', exact: true })
const code = (page: Page) => view(page).getByRole('region', { name: 'Code' })
const send = (page: Page) => view(page).getByRole('button', { name: 'Send' }).click()
const field = (page: Page, name: string) => view(page).getByLabel(name, { exact: true })
const heading = (page: Page) => view(page).getByRole('heading', { level: 2 }).textContent()
const unfold = (page: Page, text: string | RegExp) => view(page).locator('summary', { hasText: text }).first().click()

/** The whole body of a response, once it is there. */
async function bodyOf(page: Page) {
  await response(page).getByRole('button', { name: 'Unfold all' }).click()
  return JSON.parse((await response(page).getByRole('region', { name: 'Body' }).textContent()) ?? '')
}

async function signIn(page: Page, login = 'ada', password = passwordOf(login)) {
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  if (!(await dialog.isVisible())) await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Login').fill(login)
  await dialog.getByLabel('Application password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
}

const searchField = (page: Page) => page.getByRole('searchbox')

const isFocused = (element: Element) => element === document.activeElement

// ---------------------------------------------------------------- navigation

test('starts with an overview, and lists the features in words, posts first', async () => {
  const { page, complaints } = await openDocs()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Quay Notes')
  await expect.poll(() => heading(page)).toBe('Getting started')
  const groups = await page.getByRole('navigation', { name: 'Routes' }).locator('summary').allTextContents()
  expect(groups[0]).toMatch(/^Posts \d+$/)
  expect(groups.filter((name) => /-|_/.test(name))).toEqual([])
  expect(await page.getByRole('navigation').locator('a').count()).toBeGreaterThan(140)
  expect(complaints).toEqual([])
})

test('requests nothing but itself', async () => {
  const page = await (await newContext()).newPage()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(`${site.url}/api/docs#getCmsV2Posts`)
  await view(page).getByRole('button', { name: 'Send' }).waitFor()
  expect(requested.filter((url) => !url.startsWith('data:'))).toEqual([`${site.url}/api/docs`])
})

test('shows one route at a time, with an address, a title and a working back button', async () => {
  const { page, complaints } = await openDocs()
  const links = page.getByRole('navigation', { name: 'Routes' })
  await links.getByRole('link', { name: 'List posts' }).click()
  expect(page.url()).toBe(`${site.url}/api/docs#getCmsV2Posts`)
  await expect.poll(() => page.title()).toBe('List posts – Quay Notes')
  expect(await page.locator('.view:visible').count()).toBe(1)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('List posts')
  await links.getByRole('link', { name: 'Create a post' }).click()
  await expect.poll(() => heading(page)).toBe('Create a post')
  expect(await links.locator('[aria-current=page]').textContent()).toContain('Create a post')
  await page.goBack()
  await expect.poll(() => heading(page)).toBe('List posts')
  await expect.poll(() => page.title()).toBe('List posts – Quay Notes')
  await page.goBack()
  await expect.poll(() => page.title()).toBe('Quay Notes')
  expect(complaints).toEqual([])
})

test('opens the route or schema of an address, and says if there is none', async () => {
  const { page } = await openDocs('/api/docs#getCmsV2PostsById')
  await expect.poll(() => heading(page)).toBe('Read a post')
  await view(page).locator('.answers a').first().click()
  await page.locator('details.schema[open]').waitFor()
  expect(page.url()).toContain('#schema-')
  await page.goBack()
  await expect.poll(() => heading(page)).toBe('Read a post')
  await page.evaluate(() => {
    location.hash = 'getNothing'
  })
  await page.getByText('No route has this address.').waitFor()
  await page.goBack()
  await page.getByText('No route has this address.').waitFor({ state: 'hidden' })
})

test('shows the best matches of a search first, and says if there are none', async () => {
  const { page } = await openDocs()
  const results = page.getByRole('list', { name: 'Results' }).getByRole('link')
  const status = page.getByRole('search').getByRole('status')
  await searchField(page).fill('delete cms/v2/posts')
  expect(await results.first().textContent()).toContain('Move a post to the trash')
  await searchField(page).fill('xyzzyq')
  expect(await results.count()).toBe(0)
  expect(await status.textContent()).toBe('No route matches “xyzzyq”.')
  await searchField(page).fill('')
  expect(await page.getByRole('navigation', { name: 'Routes' }).isVisible()).toBe(true)
  expect(await status.textContent()).toBe('')
})

test('searches, opens, fills in and sends a route by keyboard', async () => {
  const { page } = await openDocs()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
  await page.keyboard.press('/')
  await page.keyboard.type('list posts')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
  expect(outline).toBe('solid')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.hash === '#getCmsV2Posts')
  const perPage = field(page, 'per_page')
  for (let pressed = 0; pressed < 10 && !(await perPage.evaluate(isFocused)); pressed++)
    await page.keyboard.press('Tab')
  await page.keyboard.type('1')
  await page.keyboard.press('Control+Enter')
  await response(page).getByText('200 OK').waitFor()
  expect(await bodyOf(page)).toHaveLength(1)
  await page.keyboard.press('Control+k')
  expect(await searchField(page).evaluate(isFocused)).toBe(true)
  await page.keyboard.press('Escape')
  expect(await searchField(page).inputValue()).toBe('')
})

// ---------------------------------------------------------------- trying a route

test('shows the request as curl, fetch and client before it is sent, and copies it', async () => {
  const { page, complaints } = await openDocs('/api/docs#getCmsV2Posts', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await field(page, 'per_page').fill('2')
  await unfold(page, /more arguments/)
  await field(page, 'orderby').selectOption('title')
  await unfold(page, 'Options of every route')
  await field(page, '_fields').fill('id,slug')
  const url = `${site.url}/api/cms/v2/posts?per_page=2&orderby=title&_fields=id,slug`
  // The order of the fields is that of the route.
  expect(new URL((await code(page).textContent())?.slice(6, -1) ?? '').search.slice(1).split('&').sort()).toEqual(
    new URL(url).search.slice(1).split('&').sort(),
  )
  await view(page).getByRole('button', { name: 'client', exact: true }).click()
  expect(await code(page).textContent()).toContain("client.get('/cms/v2/posts', {")
  await view(page).getByRole('button', { name: 'fetch', exact: true }).click()
  const shown = await code(page).textContent()
  expect(shown).toContain('await fetch(')
  await view(page).getByRole('region', { name: 'Request' }).getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  // The choice holds for other routes.
  await page.goto(`${site.url}/api/docs#postCmsV2Posts`)
  expect(await code(page).textContent()).toContain('await fetch(')
  expect(complaints).toEqual([])
})

test('shows status, time, headers and a body that folds', async () => {
  const { page, complaints } = await openDocs('/api/docs#getCmsV2Posts')
  await field(page, 'per_page').fill('2')
  await send(page)
  const status = response(page).getByRole('status')
  await status.getByText('200 OK').waitFor()
  expect(await status.textContent()).toMatch(/^200 OK \d+ ms · [\d.]+ kB$/)
  await unfold(page, /\d+ headers/)
  expect(await response(page).locator('.headers').textContent()).toMatch(/x-cms-total\d+/)
  expect(await bodyOf(page)).toHaveLength(2)
  await response(page).getByRole('button', { name: 'Fold all', exact: true }).click()
  expect(await response(page).getByText('"slug"').first().isVisible()).toBe(false)
  await response(page).locator('.json summary').nth(1).click()
  expect(await response(page).getByText('"slug"').first().isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

test('offers the values and the response of a recorded request', async () => {
  const { page } = await openDocs('/api/docs#postCmsV2Posts')
  expect(await field(page, 'title').inputValue()).toBe('High tide')
  expect(await code(page).textContent()).toContain('"title": "High tide"')
  expect(await response(page).textContent()).toContain('Example, status 201')
  await view(page).getByRole('button', { name: 'Clear' }).click()
  expect(await field(page, 'title').inputValue()).toBe('')
  expect(await code(page).textContent()).not.toContain('High tide')
  await view(page).getByRole('button', { name: 'Use the example' }).click()
  expect(await field(page, 'title').inputValue()).toBe('High tide')
})

test('shows the form above the tables of arguments and responses', async () => {
  const { page } = await openDocs('/api/docs#getCmsV2Posts', { viewport: { width: 1280, height: 900 } })
  const [button, table] = [view(page).getByRole('button', { name: 'Send' }), view(page).getByRole('table')]
  const [above, below] = [await button.boundingBox(), await table.boundingBox()]
  expect(above?.y).toBeLessThan(900)
  expect(above?.y).toBeLessThan(below?.y ?? 0)
})

test('shows error responses', async () => {
  const { page } = await openDocs('/api/docs#getCmsV2PostsById')
  await field(page, 'id').fill('')
  await send(page)
  expect(await response(page).getByRole('status').textContent()).toBe('Fill in id: it is part of the path.')
  expect(await field(page, 'id').evaluate(isFocused)).toBe(true)
  await field(page, 'id').fill('999999')
  await send(page)
  await response(page).getByText('404 Not Found').waitFor()
  expect(await bodyOf(page)).toMatchObject({ code: 'rest_post_invalid_id' })
})

test('signs in, writes and signs out; the password does not outlive the page', async () => {
  const { page, complaints } = await openDocs('/api/docs#postCmsV2Posts')
  const sendAndWait = async (status: string) => {
    await send(page)
    await response(page).getByText(status).waitFor()
  }
  await field(page, 'title').fill('Written from the page')
  await field(page, 'categories').fill('')
  await sendAndWait('401 Unauthorized')

  await signIn(page, 'ada', 'wrong')
  await page.getByText('The login or the application password is wrong.').waitFor()
  await signIn(page)
  await view(page).getByText('Sent as ada').waitFor()
  expect(await page.locator('#password').inputValue()).toBe('')
  expect(await code(page).textContent()).toContain("curl -X POST -u 'ada' ")
  await sendAndWait('201 Created')
  expect(await bodyOf(page)).toMatchObject({ status: 'draft', title: { raw: 'Written from the page' } })

  await page.getByRole('button', { name: 'Sign out ada' }).click()
  await sendAndWait('401 Unauthorized')
  await signIn(page)
  await view(page).getByText('Sent as ada').waitFor()
  await page.reload()
  await view(page).getByText('Sent as a visitor').waitFor()
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, ''])
  expect(complaints).toEqual([])
})

test('sends a chosen method and a typed body', async () => {
  const { page } = await openDocs('/api/docs#postCmsV2PostsById')
  await signIn(page)
  await view(page).getByText('Sent as ada').waitFor()
  await field(page, 'Method').selectOption('PATCH')
  await field(page, 'id').fill(String(site.ids['post.hello']))
  await field(page, 'title').fill('{"raw":"Named anew"}')
  expect(await code(page).textContent()).toContain('curl -X PATCH')
  await send(page)
  await response(page).getByText('200 OK').waitFor()
  expect(await bodyOf(page)).toMatchObject({ title: { raw: 'Named anew' } })

  await page.goto(`${site.url}/api/docs#postBuilderV1ChecklistUserProgress`)
  await field(page, 'Body').fill('{"is_popup_minimized":true}')
  await send(page)
  await response(page).getByText('200 OK').waitFor()
})

// ---------------------------------------------------------------- everywhere

test('works with a trailing slash and at the alternate root', async () => {
  for (const path of ['/api/docs/#getIndex', '/api/?rest_route=/docs#getIndex']) {
    const { page, complaints } = await openDocs(path)
    await send(page)
    await response(page).getByText('200 OK').waitFor()
    expect(complaints).toEqual([])
  }
})

test('shows the routes of a custom profile, with the example of an endpoint', async () => {
  const boat = endpoint({
    path: `/boats/${digits('id')}`,
    methods: ['GET'],
    args: { id: required(int()), rig: str() },
    summary: 'Read a boat',
    permission: anyone,
    example: { args: { id: 7, rig: 'sloop' }, response: { id: 7 } },
    handler: ({ args }) => args,
  })
  const own = profile({
    name: 'harbour',
    gmtOffset: 'text',
    features: [...toolFeatures, feature('small-boats', 'shop/v1', [boat])],
  })
  const shop = await openSite({ docs: true, seed: false, profile: own })
  const page = await (await newContext()).newPage()
  await page.goto(`${shop.url}/api/docs`)
  await page.locator('summary', { hasText: 'Small boats' }).click()
  await page.getByRole('link', { name: 'Read a boat' }).click()
  expect(await field(page, 'id').inputValue()).toBe('7')
  await view(page).getByRole('button', { name: 'Use the example' }).click()
  await send(page)
  await response(page).getByText('200 OK').waitFor()
  expect(await bodyOf(page)).toEqual({ id: 7, rig: 'sloop' })
})

test('is readable without scripts, and hides controls that need them', async () => {
  const page = await (await newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${site.url}/api/docs`)
  expect(await page.getByText('Searching and sending requests need JavaScript.').isVisible()).toBe(true)
  expect(await page.getByRole('search').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'List posts' }).click()
  expect(await page.locator('#getCmsV2Posts').getByRole('table').getByText('per_page').isVisible()).toBe(true)
  expect(await page.getByRole('button').count()).toBe(0)
})

test('has its navigation behind a button in a narrow window', async () => {
  const { page } = await openDocs('/api/docs', { viewport: { width: 375, height: 700 } })
  const navigation = page.getByRole('navigation', { name: 'Routes' })
  const menu = page.getByRole('button', { name: 'Menu' })
  expect([await navigation.isVisible(), await menu.getAttribute('aria-expanded')]).toEqual([false, 'false'])
  await menu.click()
  expect([await navigation.isVisible(), await menu.getAttribute('aria-expanded')]).toEqual([true, 'true'])
  await page.keyboard.press('Escape')
  expect([await navigation.isVisible(), await menu.evaluate(isFocused)]).toEqual([false, true])
  await menu.click()
  await searchField(page).fill('create post')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.hash === '#postCmsV2Posts')
  expect(await navigation.isVisible()).toBe(false)
  await expect.poll(() => heading(page)).toBe('Create a post')
})

test('keeps the theme that the switch chose', async () => {
  const { page } = await openDocs('/api/docs', { colorScheme: 'light' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.reload()
  expect(await background()).toBe(dark)
  expect(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed')).toBe('true')
})

const widths = [340, 375, 768, 1280]
const addresses = [
  'overview',
  'getCmsV2Posts',
  'postBuilderV1Notes',
  'getBuilderV1FormSubmissionsExport',
  'schemas',
  'errors',
]

test.each(widths)('needs no horizontal scrolling at %i pixels', async (width) => {
  const { page } = await openDocs('/api/docs', { viewport: { width, height: 700 } })
  for (const address of addresses) {
    await page.goto(`${site.url}/api/docs#${address}`)
    if (address.startsWith('get')) await send(page)
    if (address.startsWith('get')) await response(page).getByRole('status').getByText(/ms/).waitFor()
    await view(page).evaluate((shown) => {
      for (const details of shown.querySelectorAll('details')) details.open = true
    })
    const [whole, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect([address, whole]).toEqual([address, window])
  }
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each([375, 1280])('has no violations of accessibility rules at %i pixels', async (width) => {
    const { page, complaints } = await openDocs('/api/docs', { colorScheme, viewport: { width, height: 900 } })
    for (const address of ['overview', 'getCmsV2Posts', 'postBuilderV1Notes', 'errors']) {
      await page.goto(`${site.url}/api/docs#${address}`)
      if (address === 'getCmsV2Posts') {
        await send(page)
        await response(page).getByText('200 OK').waitFor()
        for (const details of await view(page).locator('.more > summary').all()) await details.click()
      }
      expect([address, await violationsOf(page)]).toEqual([address, []])
    }
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('has enough contrast of borders', async () => {
    const { page } = await openDocs('/api/docs#postCmsV2PostsById', { colorScheme })
    await send(page)
    await response(page).getByText('404 Not Found').waitFor()
    const measured = await page.evaluate(contrasts, 'header *, .side *, .view[data-current] .bench *, .answers *')
    expect(measured.length).toBeGreaterThan(300)
    expect(measured.filter(({ contrast, least }) => contrast < least)).toEqual([])
  })
})

test('can not be framed', async () => {
  const other = await openOrigin({ '/': `<!doctype html><iframe src="${site.url}/api/docs"></iframe>` })
  const page = await (await newContext()).newPage()
  await page.goto(other.url, { waitUntil: 'load' })
  const framed = page.frames().find((frame) => frame !== page.mainFrame())
  expect(framed).toBeDefined()
  expect(await framed?.locator('h1', { hasText: 'Quay Notes' }).count()).toBe(0)
})
