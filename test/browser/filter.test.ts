/**
 * The filter against what a real browser does with its results: beside DOMPurify's defaults, and rendered with a function
 * that attacks call and that must never run.
 */
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { filterContent, filterTitle } from '../../src/render/filter/filter.ts'
import { contentCases, titleCases } from '../render/filter/cases.ts'
import { hostileMarkup } from '../render/filter/hostile-markup.ts'
import { allVectors } from '../render/filter/xss-vectors.ts'
import { browserTests } from './harness.ts'
import { activeParts, firings } from './in-page.ts'

const { newContext, openOrigin } = browserTests()
const purifier = fileURLToPath(new URL('../../node_modules/dompurify/dist/purify.min.js', import.meta.url))

const seed = 4711
const generated = fc.sample(hostileMarkup, { seed, numRuns: 3000 })
const fixtures = [contentCases, titleCases].flatMap((groups) =>
  Object.values(groups)
    .flat()
    .map(([html]) => html),
)
const sources = [...allVectors, ...fixtures, ...generated]
const filters = { content: (html: string) => filterContent(html), title: filterTitle }

/** Opens a page of a separate origin; only this page is loaded, and every request for a script is recorded. */
async function openPage(): Promise<{ readonly page: Page; readonly scripts: string[] }> {
  const { url } = await openOrigin({ '/': '<!doctype html><title>Filter</title><body></body>' })
  const page = await (await newContext()).newPage()
  const scripts: string[] = []
  await page.route('**', (route, request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
    return request.url() === `${url}/` ? route.continue() : route.abort()
  })
  await page.goto(`${url}/`)
  return { page, scripts }
}

test('the canary fires for many attacks that are not filtered', async () => {
  const { page } = await openPage()
  const fired = await page.evaluate(firings, allVectors)
  expect(new Set(fired).size).toBeGreaterThan(allVectors.length / 4)
})

test.each(Object.entries(filters))(
  '%s: nothing is left that a browser runs, unlike after DOMPurify',
  async (_list, filter) => {
    const { page } = await openPage()
    await page.addScriptTag({ path: purifier })
    const ours = sources.map(filter)
    const left = await page.evaluate(activeParts, ours)
    expect(left.map(({ index, found }) => ({ source: sources[index], result: ours[index], found }))).toEqual([])
    // Its defaults keep forms, styles and pictures in data addresses: the measure sees them, so it would see ours.
    const theirs = await page.evaluate((texts) => texts.map((text) => window.DOMPurify.sanitize(text)), sources)
    expect((await page.evaluate(activeParts, theirs)).length).toBeGreaterThan(0)
  },
)

test.each(Object.entries(filters))('%s: rendered and used, the results never fire', async (_list, filter) => {
  const { page, scripts } = await openPage()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const ours = [...new Set([...allVectors, ...fixtures, ...generated.slice(0, 400)].map(filter))]
  const fired = await page.evaluate(firings, ours)
  expect(fired.map((index) => ours[index])).toEqual([])
  expect({ dialogs, scripts }).toEqual({ dialogs: [], scripts: [] })
})
