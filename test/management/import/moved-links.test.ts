/** Links to pages of the old site, after an import. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { exportFile, inPieces, item, site as old } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: full })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const home = 'https://quay.example'
const texts: readonly (readonly [written: string, expected: string])[] = [
  [
    `<a href="${old}/menu/">Menu</a> <a href='${old}'>Home</a>`,
    `<a href="${home}/menu/">Menu</a> <a href='${home}'>Home</a>`,
  ],
  [`<a href="${old}?s=fish">Fish</a>`, `<a href="${home}?s=fish">Fish</a>`],
  [`<a href="http://www.old.example/old.html">Old</a>`, `<a href="${home}/old.html">Old</a>`],
  ...[
    `See ${old}/menu/ or <code>href is ${old}</code>`,
    `<a href="${old}/wp-content/uploads/card.pdf">Card</a> <a href="${old}/files/card.pdf">Card</a>`,
    `<a href="${old}.evil.example/">Other</a> <a href="https://other.example/?to=${old}/">Other</a>`,
    `<img src="${old}/wp-content/uploads/pier.jpg">`,
  ].map((text) => [text, text] as const),
]

/** A link of the current generation. */
const tagged = (address: string) => ({ $$type: 'url', value: `${address}/menu/` })

test.each(texts)('of %s', async (written, expected) => {
  const elements = [
    { id: 'a', elType: 'widget', settings: { editor: written, link: { url: `${old}/menu/` }, to: tagged(old) } },
  ]
  const escaped = JSON.stringify(elements).replaceAll('/', '\\/')
  const meta = [['_elementor_data', escaped] as const]
  const file = exportFile(item({ id: 5, slug: 'linked', content: written, excerpt: written, meta }))
  await site.api.site.import(inPieces(file, 999))
  const [post] = (await site.as('ada')('GET', '/cms/v2/posts?slug=linked&context=edit')).body
  expect([post.content.raw, post.excerpt.raw]).toEqual([expected, expected])
  const [{ settings }] = JSON.parse(post.meta._builder_data)
  expect(settings).toEqual({ editor: expected, link: { url: `${home}/menu/` }, to: tagged(home) })
})

test('lead from the address that the caller names', async () => {
  const content = `<a href="https://earlier.example/shop/menu/">Menu</a> <a href="${old}/menu/">Menu</a>`
  const file = exportFile(item({ id: 5, slug: 'linked', content }))
  await site.api.site.import(inPieces(file, 999), { urlFrom: 'https://earlier.example/shop/' })
  const [post] = (await site.as('ada')('GET', '/cms/v2/posts?slug=linked&context=edit')).body
  expect(post.content.raw).toBe(`<a href="${home}/menu/">Menu</a> <a href="${old}/menu/">Menu</a>`)
})
