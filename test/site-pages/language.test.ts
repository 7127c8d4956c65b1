/** Pages and feeds are written in the language of the host's option, else in that of the site's settings. */
import { afterEach, expect, test } from 'vitest'
import type { SitePagesOptions } from '../../src/site-pages/index.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

async function languagesOf(options: SitePagesOptions, language?: string) {
  site = await createTestPages({}, options)
  if (language !== undefined) await site.api['~parts'].storage.options.write({ language })
  const page = (await site.get('/hello/')).text
  const feed = (await site.get('/feed/')).text
  return [
    /<html lang="([^"]*)"/.exec(page)?.[1],
    /og:locale" content="([^"]*)"/.exec(page)?.[1],
    /<language>([^<]*)</.exec(feed)?.[1],
    /<time [^>]*>([^<]*)</.exec(page)?.[1],
  ]
}

test.each([
  ['without a language', {}, undefined, ['en', 'en', 'en', 'January 10, 2024']],
  ['with one in its settings', {}, 'de_CH', ['de-CH', 'de_CH', 'de-CH', '10. Januar 2024']],
  ['with a variant of one', {}, 'de_DE_formal', ['de-DE-formal', 'de_DE-formal', 'de-DE-formal', '10. Januar 2024']],
  ['with a value that is none', {}, '"><x', ['en', 'en', 'en', 'January 10, 2024']],
  ['with an option of the host', { locale: 'en-GB' }, 'de_CH', ['en-GB', 'en_GB', 'en-GB', '10 January 2024']],
])('a site %s', async (_, options, language, expected) => {
  expect(await languagesOf(options, language)).toEqual(expected)
})

test('a page follows a change of the setting', async () => {
  await languagesOf({})
  await site.api.site.options.write({ language: 'fr_FR' })
  expect((await site.get('/hello/')).text).toContain('<html lang="fr-FR"')
})
