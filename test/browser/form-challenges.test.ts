/** Sends forms and comments with a challenge in Chromium: with the script, which works in a worker, and without any. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeListener, type Served, serveNode } from '../../adapters/node.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { field } from '../features/builder/form-submissions/form-page.ts'
import { formPost, withForms } from '../site-pages/form-posts.ts'
import type { Parsed } from '../support/parsed.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'

const { newContext } = browserTests()

let site: TestSite
let served: Served

const name = field('name', 'text', 'Name', { required: 'true' })
const papers = field('papers', 'upload', 'Papers', { file_types: 'txt', required: 'true' })
const posts = [
  formPost('asked', [name, field('proof', 'captcha', 'Proof')]),
  formPost('plain', [name]),
  formPost('papers', [name, papers]),
]

beforeAll(async () => {
  const seed = withForms(...posts)
  served = await serveNode(
    async (url) => {
      const options = { ...seed.options, anonymous_comments: true }
      // The challenge needs a clock that goes on.
      site = await createTestSite({ url, profile: full, seed: { ...seed, options }, clock: Date.now })
      return site.api
    },
    { port: 0, fallThrough: (request, response) => listener(request, response) },
  )
  const listener = nodeListener(createSitePages(site.api, { challenge: true }).fetch)
})
afterAll(async () => {
  await served?.close({ graceMs: 0 })
  await site?.dispose()
})

const kept = async (): Promise<string[]> => {
  const { body } = await site.as('ada')('GET', '/builder/v1/form-submissions', { query: { per_page: 50 } })
  return body.data.map(({ main }: Parsed) => main?.value)
}

async function open(path: string, options: object = {}): Promise<{ view: Page; problems: string[] }> {
  const view = await (await newContext(options)).newPage()
  const problems: string[] = []
  view.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) problems.push(message.text())
  })
  view.on('pageerror', (error) => void problems.push(String(error)))
  await view.goto(`${served.url}${path}`)
  return { view, problems }
}

test.each([
  ['a field for it', '/asked/'],
  ['nothing but the wish of the host', '/plain/'],
])('a person with a keyboard sends a form with %s; the script solves the challenge', async (_, path) => {
  const { view, problems } = await open(path)
  await view.keyboard.press('Tab')
  await view.getByLabel('Name').focus()
  await view.keyboard.type(`Pat ${path}`)
  await view.keyboard.press('Enter')
  await view.getByText('Your message has arrived').waitFor()
  expect(await kept()).toContain(`Pat ${path}`)
  // Each submission of the same page gets another challenge.
  await view.getByLabel('Name').fill(`Lee ${path}`)
  await view.getByRole('button', { name: 'Send' }).press('Enter')
  await expect.poll(kept, { timeout: 15_000 }).toContain(`Lee ${path}`)
  // The policy of the page lets the worker run.
  expect(problems).toEqual([])
})

test('a person whose browser has no worker is asked to send it once more', async () => {
  const { view } = await open('/asked/', {})
  await view.evaluate(() => Reflect.deleteProperty(globalThis, 'Worker'))
  await view.getByLabel('Name').fill('Old browser')
  await view.getByRole('button', { name: 'Send' }).click()
  await view.getByText('Please wait a few seconds').waitFor()
})

test.each([375, 768, 1280])('without a script a form is sent once more, at %i pixels', async (width) => {
  const view = await (await newContext({ viewport: { width, height: 900 } })).newPage()
  // The check of accessibility is a script itself.
  await view.route(/\/forms\.\w+\.js$/, (route) => route.abort())
  await view.goto(`${served.url}/asked/`)
  await view.getByLabel('Name').fill(`Kim ${width}`)
  await view.getByRole('button', { name: 'Send' }).click()
  const note = view.getByRole('alert')
  await note.waitFor()
  expect(await violationsOf(view)).toEqual([])
  const shots = process.env['SCREENSHOTS']
  if (shots !== undefined) await view.screenshot({ path: `${shots}/again-${width}.png`, fullPage: true })
  await expect
    .poll(
      async () => {
        await view.getByRole('alert').getByRole('button', { name: 'Send' }).click()
        return view.getByRole('status').count()
      },
      { timeout: 15_000 },
    )
    .toBe(1)
  expect(await kept()).toContain(`Kim ${width}`)
})

test('without a script the files of a form are chosen anew', async () => {
  const { view } = await open('/papers/', { javaScriptEnabled: false })
  const file = { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('the first') }
  await view.getByLabel('Name').fill('Files')
  await view.getByLabel('Papers').setInputFiles([file])
  await view.getByRole('button', { name: 'Send' }).click()
  await view.getByRole('alert').waitFor()
  await expect
    .poll(
      async () => {
        await view.getByRole('alert').locator('input[type=file]').setInputFiles([file])
        await view.getByRole('alert').getByRole('button', { name: 'Send' }).click()
        return view.getByRole('status').count()
      },
      { timeout: 15_000 },
    )
    .toBe(1)
  expect(await kept()).toContain('Files')
})

test.each([
  ['with the script', true],
  ['without a script, once more', false],
])('a comment is sent %s', async (text, javaScriptEnabled) => {
  const { view, problems } = await open('/tide/', { javaScriptEnabled })
  const comments = view.locator('.site-comments form')
  await comments.getByLabel('Comment', { exact: true }).fill(`Written ${text}.`)
  await comments.getByLabel('Name').fill('Vera')
  await comments.getByLabel('Email').fill('vera@example.test')
  await comments.getByRole('button').click()
  if (!javaScriptEnabled) {
    await view.getByRole('alert').waitFor()
    expect(await view.getByRole('alert').textContent()).toContain('once more')
    // The sender takes the time that the page asks for.
    await expect
      .poll(
        async () => {
          await comments.getByRole('button').click()
          return view.url()
        },
        { timeout: 15_000 },
      )
      .toMatch(/comment/)
  }
  await view.waitForURL(/comment=held|#comment-/)
  expect(problems).toEqual([])
})
