/** The base sheet of a page has the rules of the kinds of elements that it shows, and no others. */
import { afterEach, expect, test } from 'vitest'
import { wordpress } from '../../src/names/wordpress.ts'
import { containerElement, storeDocument, storeTemplate, widgetElement } from '../support/documents.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const heading = (id: string) => widgetElement(id, 'heading', { title: 'Tide' })
const progress = (id: string) => widgetElement(id, 'progress', { title: 'Depth', percent: { size: 40 } })
const box = (...elements: unknown[]) => [containerElement('box', {}, elements)]

async function pageOf(elements: unknown[]) {
  const id = await storeDocument(site, elements)
  const path = new URL((await site.get(`/?p=${id}`)).location as string).pathname
  return { path, ...(await baseOf(path)) }
}

/** All addresses of base sheets in the page, and their rules. */
async function baseOf(path: string) {
  const { text } = await site.get(path)
  const addresses = [...text.matchAll(/href="https:\/\/quay\.example([^"]*\/sheets\/base[^"]*)"/g)].map(
    ([, address = '']) => address,
  )
  const answers = await Promise.all(addresses.map((address) => site.get(address)))
  return { addresses, css: answers.map(({ text: css }) => css).join('') }
}

test('a page links one sheet with the rules of its widgets, which pages with the same kinds share', async () => {
  site = await createTestPages()
  const one = await pageOf(box(heading('d1')))
  expect(one.addresses).toHaveLength(1)
  expect(one.css).toContain('.builder-heading-title')
  expect(one.css).toContain('.e-con{')
  for (const other of ['.builder-progress', '.builder-section', '.builder-shape', '.builder-grid', '.builder-form'])
    expect(one.css).not.toContain(other)
  const two = await pageOf(box(heading('d2'), progress('d3')))
  expect(two.css).toContain('.builder-progress')
  expect((await pageOf(box(heading('d4'), heading('d5')))).addresses).toEqual(one.addresses)
  expect(two.addresses).not.toEqual(one.addresses)
})

test('documents of one page have one sheet together, in the order of the cascade', async () => {
  site = await createTestPages()
  const { storage } = site.api['~parts']
  const header = await storeTemplate(storage, 'header', box(progress('h1')), { author: site.ids['user.admin'] ?? 0 })
  await storage.meta.write('post', [{ id: header, key: '_builder_conditions', value: ['include/general'] }])
  const { addresses, css } = await pageOf(box(heading('d1')))
  expect(addresses).toHaveLength(1)
  const places = ['.builder-widget{', '.e-con{', '.builder-heading-title', '.builder-progress'].map((rule) =>
    css.indexOf(rule),
  )
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(css.split('.e-con{')).toHaveLength(2)
})

test('an older page gets the current sheet of its own kinds', async () => {
  site = await createTestPages()
  const { path, addresses } = await pageOf(box(progress('d1')))
  await pageOf(box(heading('d2')))
  const old = (addresses[0] ?? '').replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.')
  const { text, headers } = await site.get(old, { referer: `https://quay.example${path}` })
  expect([headers.get('cache-control'), text.includes('.builder-progress')]).toEqual(['public, no-cache', true])
})

test('a page whose list is replaced by a script has all rules: other posts may have other widgets', async () => {
  site = await createTestPages()
  const settings = { pagination_type: 'load_more_on_click', posts_per_page: 1 }
  const { css } = await pageOf(box(widgetElement('d1', 'posts', settings)))
  for (const rule of ['.builder-progress', '.builder-section', '.builder-form']) expect(css).toContain(rule)
})

test.each([
  'class="own\n\tbuilder-button"',
  "class='builder-button'",
  'CLASS="builder-button"',
  'class = builder-button',
])('markup of the author has the rules of its classes: %j', async (attribute) => {
  site = await createTestPages()
  const { css } = await pageOf(box(widgetElement('d1', 'html', { html: `<p ${attribute}>Own</p>` })))
  expect(css).toContain('.builder-button{')
})

test('the rules have the words of the site', async () => {
  site = await createTestPages({ names: wordpress })
  const meta = { _elementor_edit_mode: 'builder', _elementor_data: JSON.stringify(box(heading('d1'))) }
  await site.as('ada')('POST', '/wp/v2/posts', { body: { title: 'x', slug: 'own-words', status: 'publish', meta } })
  const { css } = await baseOf('/own-words/')
  expect(css).toContain('.elementor-heading-title')
  expect(css).not.toMatch(/\.builder-|\.elementor-progress/)
})
