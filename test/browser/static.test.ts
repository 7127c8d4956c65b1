/** Pages as files in Chromium: they load without the running site, and send their forms to it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeListener, serveNode } from '../../adapters/node.ts'
import { writeStaticSite } from '../../src/site-pages/static/index.ts'
import { field, formPage } from '../features/builder/form-submissions/form-page.ts'
import { fileServer, mapDriver } from '../site-pages/static/sample.ts'
import { browserTests } from './harness.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const { newContext } = browserTests()

let site: ServedPages
let closeFiles: () => Promise<unknown>
let url = ''

const settings = {
  form_fields: [field('name', 'text', 'Name', { required: 'true' })],
  submit_actions: ['save-to-database'],
}

beforeAll(async () => {
  site = await servePages()
  const meta = {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify([{ id: 'c0ntain', elType: 'container', elements: formPage(settings) }]),
  }
  await site.call('POST', '/cms/v2/pages', { title: 'Write', slug: 'write', status: 'publish', meta })
  const files = new Map<string, Uint8Array>()
  let answer: ReturnType<typeof fileServer> | undefined
  const served = await serveNode(
    async (address) => {
      url = address
      await writeStaticSite(site.api, { to: mapDriver(files), url: address, server: site.url })
      answer = fileServer({ files })
      return site.api
    },
    {
      port: 0,
      fallThrough: nodeListener(async (request) => answer?.(request.url) ?? new Response('', { status: 500 })),
    },
  )
  closeFiles = () => served.close({ graceMs: 0 })
})
afterAll(async () => {
  await closeFiles?.()
  await site?.close()
})

test.each([375, 768, 1280])('at %i pixels a page loads its files from the folder, and nothing else', async (width) => {
  const page = await (await newContext({ viewport: { width, height: 800 } })).newPage()
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(`${url}/write/`)
  await page.getByLabel('Name').waitFor()
  expect(asked.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
  await page.getByRole('link', { name: 'Quay Notes' }).first().click()
  expect(page.url().startsWith(`${url}/`)).toBe(true)
})

test('a form is sent to the running site, which shows its response and keeps the submission', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(`${url}/write/`)
  await page.getByLabel('Name').fill('Ebba')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL((address) => address.href.startsWith(site.url))
  expect(await page.getByRole('main').textContent()).toContain('Your message has arrived')
  const { data } = await site.call<{ data: unknown[] }>('GET', '/builder/v1/form-submissions')
  expect(data).toHaveLength(1)
})
