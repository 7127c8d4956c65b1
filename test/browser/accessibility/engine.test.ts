/** Runs the example of docs/accessibility.md that judges scanned pages with axe-core in Chromium. */
import { type Browser, chromium } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { axeEngine } from '../../../docs/examples/accessibility/axe.ts'
import { full } from '../../../src/profiles/full.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { createTestSite } from '../../support/site.ts'
import { chromiumPath } from '../chromium.ts'

let browser: Browser | undefined
afterAll(() => browser?.close())

async function launch(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  browser = await chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: [...asRoot, '--disable-dev-shm-usage'],
  })
  return browser
}

test('a scan takes what axe-core finds, with the proposals of the own rules', async () => {
  const engine = axeEngine(launch)
  const site = await createTestSite({ profile: full, services: { accessibility: { engine } } })
  createSitePages(site.api)
  const content = '<img src="/pier.png"><p style="color:#bbb">Low tide</p><ul><li>One</li></ul><p class="shade">Ebb</p>'
  const sheet = '<style>.shade{color:#222;text-shadow:0 0 2px #000}</style>'
  const body = { title: 'Pier', slug: 'pier', status: 'publish', content: content + sheet }
  await site.as('ada')('POST', '/cms/v2/posts', { body })
  const { findings } = await site.api.site.accessibility.scan('/pier/', { store: false })
  expect(findings.map(({ rule, group, proposal }) => [rule, group, proposal?.type])).toEqual([
    ['color-contrast', 'colorContrast', 'STYLES'],
    ['image-alt', 'altText', 'ATTRIBUTE'],
  ])
  await site.dispose()
})
