/** Comments below a post in Chromium, with the script of the pages and without any. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeListener, type Served, serveNode } from '../../adapters/node.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'

const { newContext } = browserTests()

let site: TestSite
let served: Served
let first = 0

beforeAll(async () => {
  served = await serveNode(
    async (url) => {
      const seed = { ...smallSite, options: { ...smallSite.options, anonymous_comments: true } }
      site = await createTestSite({ url, profile: full, seed })
      return site.api
    },
    { port: 0, fallThrough: (request, response) => listener(request, response) },
  )
  const listener = nodeListener(createSitePages(site.api, { challenge: false }).fetch)
  let parent = 0
  for (const content of ['When is high water today?', 'At noon.', 'Thank you, and tomorrow?', 'A little later.']) {
    const values = {
      post: site.ids['post.tide'],
      content,
      parent,
      status: 'approved',
      author_url: 'https://a.example/',
    }
    const { data } = await site.api.call<{ id: number }>('POST', '/cms/v2/comments', values, { as: 1 })
    parent = data.id
    first ||= data.id
  }
})
afterAll(async () => {
  await served?.close({ graceMs: 0 })
  await site?.dispose()
})

test.each([
  [375, 'light'],
  [768, 'dark'],
  [1280, 'light'],
] as const)('at %i pixels in the %s scheme they are accessible and fit', async (width, colorScheme) => {
  const page = await (await newContext({ viewport: { width, height: 900 }, colorScheme })).newPage()
  await page.goto(`${served.url}/tide/?reply=${first}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await violationsOf(page)).toEqual([])
  const shots = process.env['SCREENSHOTS']
  if (shots !== undefined) await page.screenshot({ path: `${shots}/comments-${width}.png`, fullPage: true })
})

test('a visitor without a script writes one, and is told that it waits', async () => {
  const page = await (await newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${served.url}/tide/`)
  await page
    .getByRole('link', { name: /^Reply to/ })
    .first()
    .click()
  await page.getByLabel('Comment', { exact: true }).fill('Watch the moon.')
  await page.getByLabel('Name').fill('Vera')
  await page.getByLabel('Email address').fill('vera@example.test')
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.getByRole('status').textContent()).toContain('once it has been approved')
  const { data } = await site.api.call<readonly object[]>(
    'GET',
    '/cms/v2/comments',
    { status: 'hold', context: 'edit' },
    { as: 1 },
  )
  expect(data).toMatchObject([{ author_name: 'Vera', parent: first, content: { raw: 'Watch the moon.' } }])
})
