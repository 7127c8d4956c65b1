/** The harness of the browser tests. */
import { expect, test } from 'vitest'
import { browserTests } from './harness.ts'

const { newContext, openSite } = browserTests()

test('a browser reads the index of a site that listens on a free port', async () => {
  const { url, api } = await openSite()
  const page = await (await newContext()).newPage()
  const answer = await page.goto(`${url}${api.root}/`)
  expect(answer?.status()).toBe(200)
  expect(await page.locator('body').textContent()).toContain('Quay Notes')
})
