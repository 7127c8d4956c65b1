/** Fills a form with steps in Chromium: by keyboard, one step at a time, and without a script all of them at once. */

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

const post = formPost('join', [
  field('who', 'step', 'Who you are'),
  field('name', 'text', 'Name', { required: 'true' }),
  field('trap', 'honeypot', 'Web site'),
  field('mail', 'text', 'E-mail', { width: '50' }),
  field('phone', 'tel', 'Phone', { width: '50' }),
  field('where', 'step', 'Where you live', { previous_button: 'Back', next_button: 'Go on' }),
  field('town', 'text', 'Town', { required: 'true' }),
  field('days', 'checkbox', 'Days', { field_options: 'Monday|Mon\nTuesday|Tue', required: 'true' }),
  field('last', 'step', 'What you write'),
  field('text', 'textarea', 'Message'),
])

beforeAll(async () => {
  served = await serveNode(
    async (url) => {
      site = await createTestSite({ url, profile: full, seed: withForms(post) })
      return site.api
    },
    { port: 0, fallThrough: (request, response) => listener(request, response) },
  )
  const listener = nodeListener(createSitePages(site.api).fetch)
})
afterAll(async () => {
  await served?.close({ graceMs: 0 })
  await site?.dispose()
})

const names = async (): Promise<string[]> => {
  const { body } = await site.as('ada')('GET', '/builder/v1/form-submissions', { query: { order: 'asc' } })
  return body.data.map(({ main }: Parsed) => main?.value)
}

const focused = (view: Page) => view.evaluate(() => document.activeElement?.textContent || document.activeElement?.id)
const progressOf = (view: Page) => view.locator('.builder-form-progress').textContent()

test.each([375, 768, 1280])('at %i pixels each step is accessible and fits', async (width) => {
  const view = await (await newContext({ viewport: { width, height: 900 } })).newPage()
  const problems: string[] = []
  view.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  await view.goto(`${served.url}/join/`)
  const shots = process.env['SCREENSHOTS']
  const look = async (step: number) => {
    expect(await view.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await violationsOf(view)).toEqual([])
    if (shots !== undefined) await view.screenshot({ path: `${shots}/steps-${width}-${step}.png`, fullPage: true })
  }
  await look(1)
  await view.getByLabel('Name').fill('Pat')
  await view.getByRole('button', { name: 'Next' }).click()
  await look(2)
  expect(problems).toEqual([])
})

test('a keyboard fills one step after the other; the focus goes along, and the progress is said', async () => {
  const view = await (await newContext()).newPage()
  await view.goto(`${served.url}/join/`)
  expect(await progressOf(view)).toBe('Step 1 of 3')
  expect(await view.getByRole('status').textContent()).toBe('Step 1 of 3')
  expect(await view.getByLabel('Town').isVisible()).toBe(false)
  expect(await view.getByRole('button', { name: 'Previous' }).isVisible()).toBe(false)
  await view.getByLabel('Name').focus()
  // A step with a wrong field is not left.
  await view.keyboard.press('Enter')
  expect([await progressOf(view), await focused(view)]).toEqual(['Step 1 of 3', 'form-field-name'])
  await view.keyboard.type('Pat of the quay')
  await view.keyboard.press('Tab')
  expect(await focused(view)).toBe('form-field-mail')
  await view.keyboard.press('Enter')
  expect([await progressOf(view), await focused(view)]).toEqual(['Step 2 of 3', 'Where you live'])
  await view.keyboard.press('Tab')
  await view.keyboard.type('Lower Bay')
  await view.keyboard.press('Enter')
  expect([await progressOf(view), await focused(view)]).toEqual(['Step 3 of 3', 'What you write'])
  await view.getByRole('button', { name: 'Previous' }).press('Enter')
  expect([await progressOf(view), await focused(view)]).toEqual(['Step 2 of 3', 'Where you live'])
  expect(await view.getByRole('button', { name: 'Send' }).isVisible()).toBe(false)
  await view.getByRole('button', { name: 'Go on' }).press('Enter')
  await view.getByRole('button', { name: 'Send' }).press('Enter')
  // The server alone knows that one of the days is required: the form goes back to them.
  await view.getByRole('alert').waitFor()
  expect(await progressOf(view)).toBe('Step 2 of 3')
  expect(await focused(view)).toBe('form-field-days-0')
  await view.keyboard.press('Space')
  await view.getByRole('button', { name: 'Go on' }).press('Enter')
  await view.getByRole('button', { name: 'Send' }).press('Enter')
  await view.getByText('Your message has arrived').waitFor()
  expect(await progressOf(view)).toBe('Step 1 of 3')
  expect(await focused(view)).toContain('Your message has arrived')
  expect(await names()).toEqual(['Pat of the quay'])
})

test('no person finds the field for programs: not with the eyes, the keyboard or a screen reader', async () => {
  const view = await (await newContext()).newPage()
  await view.goto(`${served.url}/join/`)
  const trap = view.locator('[name="form_fields[trap]"]')
  const box = await trap.evaluate((control) => control.closest('[aria-hidden=true]')?.getBoundingClientRect().toJSON())
  expect([box.width, box.height]).toEqual([1, 1])
  expect(await view.getByRole('textbox', { name: 'Web site' }).count()).toBe(0)
  await view.getByLabel('Name').focus()
  await view.keyboard.press('Tab')
  expect(await focused(view)).toBe('form-field-mail')
})

test('without a script all steps are there below their names, and the whole form is sent', async () => {
  const view = await (await newContext({ javaScriptEnabled: false })).newPage()
  await view.goto(`${served.url}/join/`)
  for (const name of ['Who you are', 'Where you live', 'What you write']) {
    expect(await view.getByRole('group', { name }).isVisible()).toBe(true)
  }
  await view.getByLabel('Name').fill('Lee')
  await view.getByLabel('Town').fill('Upper Bay')
  await view.getByLabel('Monday').check()
  await view.getByRole('button', { name: 'Send' }).click()
  await view.getByRole('status').first().waitFor()
  expect(await names()).toContain('Lee')
})
