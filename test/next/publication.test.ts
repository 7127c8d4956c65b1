/** Builds the publication of docs/examples in the application of create-next-app, and drives it in Chromium. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { content, createMedia, createSiteApi } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { violationsOf } from '../browser/axe.ts'
import { browserTests } from '../browser/harness.ts'
import { application, build, copyExample, removeFiles, resetApplication, type Served, serve } from './application.ts'

const home = join(import.meta.dirname, '../..')
const { newContext } = browserTests()

const uploads = join(application, 'uploads')
const environment = {
  SITE_FILE: join(application, 'site.db'),
  SITE_UPLOADS: uploads,
  SESSION_SECRET: 'for this test alone',
}
let served: Served
let password = ''
let post = ''

const open = () =>
  createSiteApi({
    storage: sqliteStorage(environment.SITE_FILE),
    profile: content,
    services: { media: createMedia({ folder: uploads }) },
  })

/** `plum-jam.jpg` is Plum jam. */
const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replace(/\..*/, '').replaceAll('-', ' ')

/** Seeds the sample site with pictures on some posts, and a thread of comments. */
async function prepare(): Promise<void> {
  const api = open()
  await api.site.seed(JSON.parse(readFileSync(join(home, 'docs/sample-site.json'), 'utf8')), {
    baseUrl: '',
  })
  await api.site.options.write({ anonymous_comments: true })
  const ada = (await api.site.users.find({ login: 'ada' }))?.id ?? 0
  const tomas = (await api.site.users.find({ login: 'tomas' }))?.id ?? 0
  password = (await api.site.passwords.create(ada, 'publication')).password
  const pictures = join(home, 'docs/sample-site/uploads/2024/09')
  const media: number[] = []
  for (const name of readdirSync(pictures)) {
    const bytes = new Uint8Array(readFileSync(join(pictures, name)))
    const uploaded = await api.site.media.upload(name, bytes, { title: titleOf(name), alt_text: `A drawing: ${name}` })
    media.push(uploaded.post.id)
  }
  const { data: latest } = await api.call<readonly { readonly id: number; readonly slug: string }[]>(
    'GET',
    '/cms/v2/posts',
    { per_page: 9 },
  )
  for (const [at, { id }] of latest.entries()) {
    if (at % 2 === 0) {
      const featured_media = media[(at / 2) % media.length]
      await api.call('POST', '/cms/v2/posts/{id}', { id, featured_media, comment_status: 'open' }, { as: ada })
    }
  }
  const first = latest[0]
  post = first?.slug ?? ''
  const said = { post: first?.id, content: 'I <em>walked</em> there on Sunday.' }
  const { data } = await api.call<{ readonly id: number }>('POST', '/cms/v2/comments', said, { as: ada })
  const answer = { post: first?.id, parent: data.id, content: 'So did we.' }
  await api.call('POST', '/cms/v2/comments', answer, { as: tomas })
  await api.close()
}

beforeAll(async () => {
  resetApplication()
  copyExample('next-publication')
  // The files of the sample's media.
  cpSync(join(home, 'docs/sample-site/uploads'), uploads, { recursive: true })
  removeFiles('app/globals.css', 'app/page.module.css', 'app/favicon.ico')
  await prepare()
  await build('turbopack', environment)
  // Addresses of pictures begin with that of the site.
  const port = await freePort()
  served = await serve({ ...environment, SITE_URL: `http://127.0.0.1:${port}` }, port)
})
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      // The cast: the address of a server that listens on a port.
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

afterAll(async () => {
  await served?.stop()
})

/** A page whose errors fail the test. */
async function openPage(options = {}): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const page = await (await newContext(options)).newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/favicon|404/.test(message.text() + message.location().url))
      problems.push(message.text())
  })
  return { page, problems }
}

/** In the page: the pictures that cannot be shown. */
async function brokenPictures(): Promise<string[]> {
  const broken: string[] = []
  for (const image of document.images) {
    image.loading = 'eager'
    await image.decode().catch(() => broken.push(image.src))
  }
  return broken
}

const addresses = ['/', '/?page=2', '/search?q=river', '/photographs', '/sign-in', '/nowhere', 'post'] as const

describe.each(addresses)('%s', (address) => {
  test.each([
    [375, 'light'],
    [768, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %i pixels in the %s scheme is accessible, fits, and logs no error', async (width, colorScheme) => {
    const { page, problems } = await openPage({ viewport: { width, height: 900 }, colorScheme })
    const path = address === 'post' ? `/${post}` : address
    await page.goto(served.url + path, { waitUntil: 'networkidle' })
    const folder = process.env['SCREENSHOTS']
    const name = `${path.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`
    if (folder) await page.screenshot({ path: join(folder, name), fullPage: true })
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(brokenPictures)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await page.locator('h1').count()).toBe(1)
    expect(problems).toEqual([])
  })
})

test('lists posts by pages and shows one with its thread', async () => {
  const { page } = await openPage()
  await page.goto(served.url)
  expect(await page.locator('article.card').count()).toBe(9)
  const picture = page.locator('article.lead img')
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  expect(await page.locator('article.lead .byline').innerText()).toMatch(/\p{L}+ · \d/u)
  await page.getByRole('link', { name: 'Older →' }).click()
  await page.getByRole('heading', { level: 1, name: 'Letters, page 2' }).waitFor()
  await page.goBack()
  await page.locator('article.lead h2 a').click()
  await page.waitForURL(`${served.url}/${post}`)
  expect(await page.locator('.thread .thread').innerText()).toContain('So did we.')
  expect(await page.locator('.thread em').first().innerText()).toBe('walked')
  expect((await page.goto(`${served.url}/nowhere`))?.status()).toBe(404)
})

test('searches', async () => {
  const { page } = await openPage()
  await page.goto(served.url)
  await page.getByRole('searchbox').fill('gauge')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Letters with “gauge”' }).waitFor()
  expect(await page.getByRole('link', { name: 'How to read the river gauge' }).count()).toBe(1)
  await page.goto(`${served.url}/search?q=zzzz`)
  expect(await page.getByRole('status').innerText()).toBe('0 letters were found.')
})

test.each([true, false])('takes comments of visitors for approval, with scripts: %s', async (javaScriptEnabled) => {
  const { page } = await openPage({ javaScriptEnabled })
  await page.goto(`${served.url}/${post}`)
  const text = `Good morning, ${javaScriptEnabled}`
  await page.getByLabel('Name').fill('Bea')
  await page.getByLabel('E-mail address').fill(`bea-${javaScriptEnabled}@example.test`)
  await page.getByLabel('Comment', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your comment waits for approval.').waitFor()
  expect(await page.locator('.thread').first().innerText()).not.toContain(text)

  // An editor approves it over the API; then readers see it.
  const headers = { authorization: `Basic ${btoa(`ada:${password}`)}`, 'content-type': 'application/json' }
  const held = await fetch(`${served.url}/api/cms/v2/comments?status=hold`, { headers })
  const [{ id }] = (await held.json()) as [{ readonly id: number }]
  const body = JSON.stringify({ status: 'approved' })
  await fetch(`${served.url}/api/cms/v2/comments/${id}`, { method: 'POST', headers, body })
  await page.goto(`${served.url}/${post}`)
  expect(await page.locator('.thread').first().innerText()).toContain(text)
})

test('says why a comment is refused, and keeps what was written', async () => {
  const { page } = await openPage()
  await page.goto(`${served.url}/${post}`)
  await page.getByLabel('Name').fill('Cy')
  await page.getByLabel('E-mail address').fill('cy@example')
  await page.getByLabel('Comment', { exact: true }).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.notice.problem').waitFor()
  expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Hello')
})

test('lets whoever has signed in upload a photograph, and nobody else', async () => {
  const { page } = await openPage()
  await page.goto(`${served.url}/photographs`)
  expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
  const signIn = async (secret: string) => {
    await page.goto(`${served.url}/sign-in`)
    await page.getByLabel('Login or e-mail address').fill('ada')
    await page.getByLabel('Application password').fill(secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await signIn('wrong')
  await page.getByText('Login or password are wrong.').waitFor()
  await signIn(password)
  await page.waitForURL(`${served.url}/photographs`)
  await page.getByLabel('File').setInputFiles(join(home, 'docs/sample-site/uploads/2024/03/weir.jpg'))
  await page.getByLabel('Title').fill('The weir in March')
  await page.getByLabel('What it shows').fill('Water falls over a weir')
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('The photograph is published.').waitFor()
  const image = page.getByAltText('Water falls over a weir')
  await image.waitFor()
  await image.scrollIntoViewIfNeeded()
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') })
  await page.getByLabel('Title').fill('Not a picture')
  await page.getByLabel('What it shows').fill('Nothing')
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.locator('.notice.problem').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
})
