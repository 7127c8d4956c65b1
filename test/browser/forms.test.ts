/** A form with a field of each type in Chromium: wrong and right, with the script of the pages and without any; its mail arrives. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeListener, type Served, serveNode } from '../../adapters/node.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { field, formPage } from '../features/builder/form-submissions/form-page.ts'
import { createMailServer } from '../support/mail-server.ts'
import type { Parsed } from '../support/parsed.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'

const { newContext } = browserTests()

let site: TestSite
let served: Served
let smtp: Awaited<ReturnType<typeof createMailServer>>

const settings = {
  form_fields: [
    field('name', 'text', 'Name', { required: 'true', placeholder: 'As on your boat' }),
    field('mail', 'email', 'E-mail'),
    field('site', 'url', 'Web site', { width: '50' }),
    field('phone', 'tel', 'Phone', { width: '50' }),
    field('age', 'number', 'Age', { field_min: 18, field_max: 120, width: '33' }),
    field('day', 'date', 'Day', { min_date: '2024-06-01', max_date: '2024-06-30', width: '33' }),
    field('hour', 'time', 'Hour', { min_time: '09:00', max_time: '17:30', width: '33' }),
    field('topic', 'select', 'Topic', { field_options: 'Choose|\nBoats|boats\nTides|tides' }),
    field('piers', 'select', 'Piers', { field_options: 'East\nWest', allow_multiple: 'yes' }),
    field('size', 'radio', 'Size', { field_options: 'Small|S\nLarge|L', inline_list: 'builder-subgroup-inline' }),
    field('days', 'checkbox', 'Days', { field_options: 'Monday|Mon\nTuesday|Tue' }),
    field('secret', 'password', 'Secret'),
    field('text', 'textarea', 'Message', { rows: 3 }),
    field('papers', 'upload', 'Papers', { file_types: 'txt,pdf', allow_multiple_upload: 'yes' }),
    field('source', 'hidden', 'Source', { field_value: 'page' }),
    field('note', 'html', '', { field_html: '<p>We answer within a day.</p>' }),
    field('agreed', 'acceptance', 'Terms', { acceptance_text: 'I agree', required: 'true' }),
  ],
  submit_actions: ['save-to-database', 'email'],
  email_to: 'desk@quay.example',
  custom_messages: 'yes',
  success_message: 'We have your form.',
  // The colours of a site without a kit have less contrast.
  ...{ label_color: '#222222', field_text_color: '#222222', button_background_color: '#1d4e89' },
}

const page = (key: string, more: object) => ({
  ...{ key, slug: key, title: `Form ${key}`, status: 'publish', author: 'editor', date: '2024-02-20T09:00:00' },
  ...{ content: '', categories: [] },
  meta: {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify([
      { id: 'c0ntain', elType: 'container', elements: formPage({ ...settings, ...more }) },
    ]),
  },
})

beforeAll(async () => {
  smtp = await createMailServer()
  const posts = [
    ...smallSite.posts,
    page('written', {}),
    page('led', { submit_actions: ['save-to-database', 'redirect'], redirect_to: '/tide/?thanks=[field id="name"]' }),
  ]
  served = await serveNode(
    async (url) => {
      site = await createTestSite({ url, profile: full, seed: { ...smallSite, posts }, services: { mail: smtp.mail } })
      return site.api
    },
    { port: 0, fallThrough: (request, response) => listener(request, response) },
  )
  const listener = nodeListener(createSitePages(site.api).fetch)
})
afterAll(async () => {
  await served?.close({ graceMs: 0 })
  await site?.dispose()
  await smtp?.close()
})

const submissions = async (): Promise<Parsed[]> => {
  const { body } = await site.as('ada')('GET', '/builder/v1/form-submissions', { query: { order: 'asc' } })
  return Promise.all(
    body.data.map(
      async ({ id }: { id: number }) => (await site.as('ada')('GET', `/builder/v1/form-submissions/${id}`)).body.data,
    ),
  )
}

async function fill(view: Page, name: string): Promise<void> {
  await view.getByLabel('Name', { exact: true }).fill(name)
  await view.getByLabel('E-mail').fill('bob@mail.test')
  await view.getByLabel('Web site').fill('https://a.test/')
  await view.getByLabel('Phone').fill('+351 2 1')
  await view.getByLabel('Age', { exact: true }).fill('18')
  await view.getByLabel('Day', { exact: true }).fill('2024-06-30')
  await view.getByLabel('Hour').fill('09:30')
  await view.getByLabel('Topic').selectOption('tides')
  await view.getByLabel('Piers').selectOption(['East', 'West'])
  await view.getByLabel('Large').check()
  await view.getByLabel('Monday').check()
  await view.getByLabel('Tuesday').check()
  await view.getByLabel('Secret').fill('hunter22')
  await view.getByLabel('Message').fill('Two\nlines')
  await view.getByLabel('Papers').setInputFiles([
    { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('the first') },
    { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('the second') },
  ])
  await view.getByLabel('I agree').check()
}

const expected = (name: string) => ({
  ...{ name, mail: 'bob@mail.test', site: 'https://a.test/', phone: '+351 2 1', age: '18', day: '2024-06-30' },
  ...{ hour: '09:30', topic: 'tides', piers: 'East, West', size: 'L', days: 'Mon, Tue', text: 'Two\nlines' },
  ...{ source: 'page', agreed: 'on' },
})

test.each([375, 768, 1280])('at %i pixels it is accessible and fits', async (width) => {
  const view = await (await newContext({ viewport: { width, height: 900 } })).newPage()
  const problems: string[] = []
  view.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  await view.goto(`${served.url}/written/`)
  expect(await view.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await violationsOf(view)).toEqual([])
  expect(problems).toEqual([])
  const shots = process.env['SCREENSHOTS']
  if (shots !== undefined) await view.screenshot({ path: `${shots}/form-${width}.png`, fullPage: true })
})

test.each([
  ['with the script', true],
  ['without a script', false],
])('a right form is taken %s, with its files, and the mail arrives', async (name, javaScriptEnabled) => {
  const view = await (await newContext({ javaScriptEnabled })).newPage()
  const before = smtp.received.length
  await view.goto(`${served.url}/written/`)
  await fill(view, `Bob ${name}`)
  await view.getByRole('button', { name: 'Send' }).click()
  await view.getByRole('status').first().waitFor()
  if (javaScriptEnabled) expect(await view.getByRole('status').first().textContent()).toBe('We have your form.')
  const stored = (await submissions()).at(-1)
  const values = Object.fromEntries(stored.values.map(({ key, value }: { key: string; value: string }) => [key, value]))
  const { papers, ...texts } = values
  expect(texts).toEqual(expected(`Bob ${name}`))
  expect(papers.split(', ')).toEqual([
    expect.stringMatching(/\/forms\/[0-9a-f]{32}\/one\.txt$/),
    expect.stringMatching(/\/forms\/[0-9a-f]{32}\/two\.txt$/),
  ])
  await site.api.site.runDue()
  const mail = smtp.received.slice(before)
  expect(mail.map(({ to }) => to)).toEqual([['desk@quay.example']])
  expect(mail[0]?.source).not.toContain('hunter22')
})

test.each([
  ['with the script', true],
  ['without a script', false],
])('a wrong form is refused with what is wrong %s', async (_, javaScriptEnabled) => {
  const view = await (await newContext({ javaScriptEnabled })).newPage()
  const before = (await submissions()).length
  await view.goto(`${served.url}/written/`)
  await fill(view, 'Bob')
  await view
    .getByLabel('Papers')
    .setInputFiles([{ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') }])
  await view.getByRole('button', { name: 'Send' }).click()
  const note = view.getByRole('alert').first()
  await note.waitFor()
  expect(await note.textContent()).toMatch(/files of the kinds txt, pdf/)
  if (javaScriptEnabled) expect(await view.getByLabel('Papers').getAttribute('aria-invalid')).toBe('true')
  expect(await submissions()).toHaveLength(before)
})

test.each([
  ['with the script', true],
  ['without a script', false],
])('a form leads to its address %s', async (_, javaScriptEnabled) => {
  const view = await (await newContext({ javaScriptEnabled })).newPage()
  await view.goto(`${served.url}/led/`)
  await fill(view, 'A & B')
  await view.getByRole('button', { name: 'Send' }).click()
  await view.waitForURL(`${served.url}/tide/?thanks=A%20%26%20B`)
})
