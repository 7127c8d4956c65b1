/** Templates of the builder, which a post names in place of one of the theme. */
import { afterEach, expect, test } from 'vitest'
import { wordpress } from '../../src/names/wordpress.ts'
import { containerElement, storeDocument, storeTemplate, widgetElement } from '../support/documents.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const box = (title: string) => [containerElement('box', {}, [widgetElement('d1', 'heading', { title })])]
const pathOf = async (id: number) => new URL((await site.get(`/?p=${id}`)).location as string).pathname
const shown = async (id: number) => (await site.get(await pathOf(id))).text

async function built(template: string, settings: object = {}): Promise<string> {
  const id = await storeDocument(site, box('The document'), { title: 'The title', pageSettings: settings })
  const saved = await site.as('ada')('PUT', `/cms/v2/posts/${id}`, { body: { template } })
  expect([saved.status, saved.body.template]).toEqual([200, template])
  return shown(id)
}

async function header(): Promise<void> {
  const { storage } = site.api['~parts']
  const id = await storeTemplate(storage, 'header', box('Our header'), { author: site.ids['user.admin'] as number })
  await storage.meta.write('post', [{ id, key: '_builder_conditions', value: ['include/general'] }])
}

const partsOf = (text: string) =>
  Object.fromEntries(
    Object.entries({
      document: 'The document',
      header: 'Our header',
      title: '<h1',
      comments: 'id="comments"',
      footer: '<footer',
      skip: 'site-skip',
    }).map(([name, part]) => [name, text.includes(part)]),
  )

test('canvas shows the document alone, full width header and footer around it', async () => {
  site = await createTestPages()
  await header()
  const theme = { document: true, header: true, title: true, footer: true, skip: true }
  expect(partsOf(await built(''))).toMatchObject(theme)
  expect(partsOf(await built('builder_theme'))).toMatchObject(theme)
  expect(partsOf(await built('builder_canvas'))).toEqual({
    ...{ document: true, header: false, title: false, comments: false, footer: false, skip: false },
  })
  const full = { document: true, header: true, title: false, comments: false, footer: true, skip: true }
  expect(partsOf(await built('builder_header_footer'))).toEqual(full)
})

test('the settings of a document name one too, and hide the title', async () => {
  site = await createTestPages()
  expect(partsOf(await built('', { template: 'builder_canvas' })).footer).toBe(false)
  expect(partsOf(await built('builder_theme', { template: 'builder_canvas' })).footer).toBe(true)
  expect(partsOf(await built('', { hide_title: 'yes' })).title).toBe(false)
})

test('posts without a document show their text alone', async () => {
  site = await createTestPages()
  const body = { title: 'Plain', content: '<p>Only this</p>', status: 'publish', template: 'builder_canvas' }
  const { body: saved } = await site.as('ada')('POST', '/cms/v2/posts', { body })
  const text = await shown(saved.id)
  expect(text).toContain('<p>Only this</p>')
  expect(text).not.toMatch(/<h1|<header|<footer/)
})

test('clients with other names read and write them in these', async () => {
  site = await createTestPages({ names: wordpress })
  const body = { title: 'Named', status: 'publish', template: 'elementor_canvas' }
  const saved = await site.as('ada')('POST', '/wp/v2/posts', { body })
  expect([saved.status, saved.body.template]).toEqual([201, 'elementor_canvas'])
  expect(await shown(saved.body.id)).not.toContain('<header')
  const unknown = await site.as('ada')('POST', '/wp/v2/posts', { body: { ...body, template: 'builder_other' } })
  expect(unknown.status).toBe(400)
})
