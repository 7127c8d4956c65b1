/** The sample site in Chromium: ten pages at three widths, in both schemes, and what its script does. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeListener, type Served, serveNode } from '../../adapters/node.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'

const home = join(import.meta.dirname, '../..')
const { newContext } = browserTests()

let site: TestSite
let served: Served

const documentOf = (file: string) => JSON.parse(readFileSync(join(home, file), 'utf8'))
const pictures = join(home, 'docs/sample-site/uploads')

beforeAll(async () => {
  const media = createMedia({ driver: memoryMedia() })
  served = await serveNode(
    async (url) => {
      site = await createTestSite({ url, profile: full, seed: false, services: { media }, checkResponses: false })
      return site.api
    },
    { port: 0, fallThrough: (request, response) => listener(request, response) },
  )
  for (const path of globSync('**/*.jpg', { cwd: pictures })) {
    await media.write(path, readFileSync(join(pictures, path)), 'image/jpeg')
  }
  await site.api.site.seed([documentOf('docs/sample-site.json'), documentOf('docs/sample-site/pages.json')], {
    baseUrl: served.url,
  })
  const pages = nodeListener(createSitePages(site.api).fetch)
  const listener: typeof pages = (request, response) => {
    const file = /^\/uploads\/(.+)$/.exec(request.url ?? '')?.[1]
    if (file === undefined) return pages(request, response)
    void media
      .read(file)
      .then((bytes) => response.writeHead(bytes ? 200 : 404, { 'Content-Type': 'image/jpeg' }).end(bytes))
  }
})
afterAll(async () => {
  await served?.close({ graceMs: 0 })
  await site?.dispose()
})

const addresses = [
  '/',
  '/journal/',
  '/flood-november/',
  '/about/',
  '/subscribe/',
  '/photographs/',
  '/write/',
  '/category/kitchen/',
  '/?s=river',
  '/subscribers-only/',
  '/nowhere/',
]

describe.each(addresses)('%s', (address) => {
  test.each([
    [375, 'light'],
    [768, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %i pixels in the %s scheme is accessible, fits, and logs no error', async (width, colorScheme) => {
    const context = await newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      // The status of the page itself is no error of its content.
      if (message.type() === 'error' && message.location().url !== served.url + address) problems.push(message.text())
    })
    page.on('response', (response) => {
      if (response.status() >= 400 && response.url() !== served.url + address) problems.push(response.url())
    })
    await page.goto(served.url + address)
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(problems).toEqual([])
    expect(excess).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })
})

test('the ids in pages.json are those that its records get', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(`${served.url}/`)
  expect(await page.locator('.e-loop-item').count()).toBe(3)
  const sizes = await page.locator('img').evaluateAll(async (images) => {
    for (const image of images as HTMLImageElement[]) {
      image.loading = 'eager'
      await image.decode()
    }
    return (images as HTMLImageElement[]).map(({ naturalWidth }) => naturalWidth)
  })
  expect(sizes.length).toBeGreaterThan(6)
  expect(sizes.every((size) => size > 0)).toBe(true)
})

test('feeds and the sitemap are well-formed XML', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(`${served.url}/about/`)
  for (const path of ['/feed/', '/feed/atom/', '/category/kitchen/feed/', '/sitemap.xml', '/sitemap-post-1.xml']) {
    const mistakes = await page.evaluate(async (address) => {
      const text = await (await fetch(address)).text()
      return new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror')?.textContent ?? ''
    }, path)
    expect(mistakes).toBe('')
  }
})

test('a form is sent in place with the script, and by loading the page without it', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await newContext({ javaScriptEnabled })).newPage()
    await page.goto(`${served.url}/write/`)
    await page.getByLabel('Your name').fill('Bob')
    await page.getByLabel('E-mail').fill('bob@mail.test')
    await page.getByLabel('Your letter').fill('Thirteen swifts.')
    await page.getByRole('button', { name: 'Send the letter' }).click()
    await page.getByText('Your message has arrived.').waitFor()
    expect(new URL(page.url()).search).toMatch(javaScriptEnabled ? /^$/ : /^\?sent=/)
  }
  const { data } = await site.api.call<{ meta: { count: { all: number } } }>(
    'GET',
    '/builder/v1/form-submissions',
    {},
    { as: 'system' },
  )
  expect(data.meta.count.all).toBe(2)
})

test('tabs show one panel with the script and all of them without it', async () => {
  const tabs = ['One', 'Two'].map((tab_title, at) => ({ _id: `t${at}`, tab_title, tab_content: `Panel ${tab_title}` }))
  const ids = await site.api.site.users.find({ login: 'ada' })
  const fixture = { ...site, ids: { 'user.admin': ids?.id ?? 0 } }
  const id = await storeDocument(fixture, [containerElement('c', {}, [widgetElement('w', 'tabs', { tabs })])])
  const plain = await (await newContext({ javaScriptEnabled: false })).newPage()
  await plain.goto(`${served.url}/?p=${id}`)
  expect(await plain.getByText('Panel Two').isVisible()).toBe(true)
  const page = await (await newContext()).newPage()
  await page.goto(`${served.url}/?p=${id}`)
  await page.getByText('Panel Two').waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: 'One' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('Panel Two').waitFor({ state: 'visible' })
  expect(await page.getByText('Panel One').isVisible()).toBe(false)
})

test('a protected post opens with its password', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(`${served.url}/subscribers-only/`)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('This is not the password.').waitFor()
  await page.getByLabel('Password').fill('folding table')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('The difference bought a second folding table.').waitFor()
})

test('columns of blocks are side by side, and below each other on phones', async () => {
  const column = (text: string) =>
    `<!-- cms:column --><div class="cms-block-column"><p>${text}</p></div><!-- /cms:column -->`
  const content = `<!-- cms:columns --><div class="cms-block-columns">${column('One')}${column('Two')}</div><!-- /cms:columns -->`
  const wide = `<!-- cms:cover {"align":"full"} --><div class="cms-block-cover alignfull"><p>Wide</p></div><!-- /cms:cover -->`
  const body = { title: 'Blocks', content: content + wide, status: 'publish' }
  const { data } = await site.api.call<{ readonly link: string }>('POST', '/cms/v2/posts', body, { as: 'system' })
  for (const [width, isBeside] of [
    [1280, true],
    [375, false],
  ] as const) {
    const page = await (await newContext({ viewport: { width, height: 900 } })).newPage()
    await page.goto(served.url + new URL(data.link).pathname)
    const tops = await page.$$eval('.cms-block-column', (all) => all.map((one) => one.getBoundingClientRect().top))
    expect(tops[0] === tops[1]).toBe(isBeside)
    const cover = await page.$eval('.cms-block-cover', (one) => one.getBoundingClientRect().width)
    expect(Math.round(cover)).toBe(width)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})
