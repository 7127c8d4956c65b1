import { expect, onTestFinished, test } from 'vitest'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import type { Parsed } from '../../support/parsed.ts'
import { baseUrl, createTestSite, type TestSiteOptions } from '../../support/site.ts'

const path = '/builder/v1/template-library/templates'
const heading = (more: object = {}) => ({
  ...{ id: '1a2b3c4', elType: 'widget', widgetType: 'heading', settings: { title: 'Hi' }, elements: [] },
  ...more,
})

async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite(options)
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  return {
    ...site,
    ada,
    save: (body: object, send = ada) => send('POST', path, { body }),
    titles: async (send = ada) =>
      (await send('GET', path)).body.templates.map(({ title }: { title: string }) => title) as string[],
    elements: async () => {
      const { documents = [] } = await site.api.site.export()
      return documents.map(({ meta }) => JSON.parse(String(meta?.['_builder_data'])))
    },
  }
}

test('an empty library lists the categories of the catalogue', async () => {
  const { ada } = await openSite()
  expect((await ada('GET', path)).body).toEqual({
    templates: [],
    config: { block: { categories: [] }, popup: { categories: [] } },
  })
})

test('saving responds with 200 and the template as it is listed', async () => {
  const { api, ada, save, clock } = await openSite()
  const events: unknown[] = []
  api.on('template.created', (payload) => void events.push(payload))
  const { status, body } = await save({
    title: 'Landing',
    type: 'page',
    content: [heading()],
    page_settings: { hide_title: 'yes' },
  })
  expect([status, body]).toEqual([
    200,
    {
      template_id: expect.any(Number),
      source: 'local',
      type: 'page',
      title: 'Landing',
      thumbnail: false,
      date: clock.now / 1000,
      human_date: 'June 15, 2024',
      human_modified_date: 'June 15, 2024',
      author: 'Ada Admin',
      status: 'publish',
      hasPageSettings: true,
      tags: [],
      export_link: expect.stringMatching(/^https:/),
      url: `${baseUrl}/?builder_library=landing`,
    },
  ])
  expect((await ada('GET', path)).body.templates).toEqual([body])
  expect(events).toEqual([{ id: body.template_id, type: 'page' }])
})

test('lists the newest first; equal titles get distinct slugs', async () => {
  const { save, titles, clock } = await openSite()
  const urls = []
  for (const title of ['Card', 'Card', 'Other']) {
    urls.push((await save({ title, type: 'section' })).body.url)
    clock.now += 1000
  }
  expect(urls).toEqual(['card', 'card-2', 'other'].map((slug) => `${baseUrl}/?builder_library=${slug}`))
  expect(await titles()).toEqual(['Other', 'Card', 'Card'])
})

test('filters by source; remote sources are empty', async () => {
  const { ada, save } = await openSite()
  await save({ type: 'page' })
  const count = async (source: string) => (await ada('GET', path, { query: { source } })).body.templates.length
  expect([await count('local'), await count('remote'), await count('cloud')]).toEqual([1, 0, 0])
  const unknown = await ada('GET', path, { query: { source: 'moon' } })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'rest_invalid_param'])
})

test('accepts elements as a list, an object or a single element, with new ids', async () => {
  const { save, elements } = await openSite()
  const nested = heading({ elements: [heading()] })
  for (const content of [[nested], { 0: nested }, nested, { elements: [nested] }]) await save({ type: 'page', content })
  await save({ type: 'page', content: {} })
  const stored = await elements()
  expect(stored.slice(4)).toEqual([[]])
  for (const [element] of stored.slice(0, 4)) {
    const ids = [element.id, element.elements[0].id]
    expect(new Set([...ids, '1a2b3c4']).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{7}$/)
    expect(element).toMatchObject({ widgetType: 'heading', settings: { title: 'Hi' } })
  }
})

test('filters and links follow the new ids of the elements that they name', async () => {
  const { save, elements } = await openSite()
  const link = '[builder-tag id="" name="off-canvas" settings="%7B%22off_canvas%22%3A%22aaaaaa1%22%7D"]'
  const content = [
    heading({ id: 'aaaaaa1', widgetType: 'off-canvas' }),
    heading({ id: 'aaaaaa2', settings: { title: 'aaaaaa1', items: [{ __dynamic__: { link } }] } }),
    heading({ id: 'aaaaaa3', widgetType: 'taxonomy-filter', settings: { selected_element: 'aaaaaa1' } }),
    heading({ id: 'aaaaaa4', widgetType: 'taxonomy-filter', settings: { selected_element: 'elsewhere' } }),
  ]
  await save({ title: 'Panel', type: 'page', content })
  const [[panel, { settings }, filter, other]] = (await elements()) as [Parsed[]]
  expect(panel.id).not.toBe('aaaaaa1')
  expect(settings).toEqual({ title: 'aaaaaa1', items: [{ __dynamic__: { link: link.replace('aaaaaa1', panel.id) } }] })
  expect([filter.settings.selected_element, other.settings.selected_element]).toEqual([panel.id, 'elsewhere'])
})

test('a template without a title gets one; without the right to publish it is pending', async () => {
  const { as, save } = await openSite()
  expect((await save({ type: 'page', title: '  ' })).body).toMatchObject({ title: '(no title)', status: 'publish' })
  expect((await save({ type: 'page' }, as('connie'))).body).toMatchObject({ title: '(no title)', status: 'pending' })
  expect((await save({ type: 'page' }, as('arthur'))).body).toMatchObject({ status: 'publish' })
})

test('lists unpublished templates for their authors and editors only', async () => {
  const { as, save, titles } = await openSite()
  await save({ type: 'page', title: 'Of connie' }, as('connie'))
  await save({ type: 'page', title: 'Of ada' })
  expect(await titles(as('connie'))).toHaveLength(2)
  expect(await titles(as('edith'))).toHaveLength(2)
  expect(await titles(as('arthur'))).toEqual(['Of ada'])
})

test('filters markup of users without the unfiltered-HTML capability', async () => {
  const { as, save, elements } = await openSite()
  const title = 'A<script>alert(1)</script><img src=x onerror=alert(1)>'
  const content = [heading({ settings: { title, plain: 'a < b & c', deep: [{ html: title }] } })]
  const saved = await save({ type: 'page', title, content, page_settings: { note: title } }, as('connie'))
  const stored = JSON.stringify([saved.body, await elements()])
  expect(stored).not.toMatch(/<script|onerror/)
  expect(stored).toContain('a &lt; b')
  await save({ type: 'page', content })
  expect((await elements())[1][0].settings.title).toBe(title)
})

test('accepts the template types of each profile', async () => {
  const siteD1 = await openSite({ profile: d1 })
  const siteD2 = await openSite({ profile: d2 })
  const code = async (site: typeof siteD1, type: unknown) => (await site.save({ type })).body.code
  expect([await code(siteD1, 'e-flexbox'), await code(siteD2, 'loop-item'), await code(siteD2, 'page')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect([await code(siteD1, 'loop-item'), await code(siteD2, 'e-flexbox'), await code(siteD1, 7)]).toEqual(
    Array.from({ length: 3 }, () => 'rest_invalid_param'),
  )
  expect(await code(siteD1, undefined)).toBe('rest_missing_callback_param')
  expect((await siteD1.save({ type: 'page', content: 7 })).body.code).toBe('rest_invalid_param')
})

test('who may', async () => {
  const { as, save } = await openSite()
  const expected: [string | null, number, number][] = [
    [null, 401, 401],
    ['sam', 403, 403],
    ['connie', 200, 200],
    ['arthur', 200, 200],
    ['edith', 200, 200],
    ['ada', 200, 200],
  ]
  for (const [login, reading, writing] of expected) {
    const [read, written] = [await as(login)('GET', path), await save({ type: 'page' }, as(login))]
    expect([login, read.status, written.status]).toEqual([login, reading, writing])
    if (reading !== 200) expect([read.body.code, written.body.code]).toEqual(['rest_forbidden', 'save_error'])
  }
})

test('a picture keeps its number where the medium has the file of its address, and is shown by the address elsewhere', async () => {
  const { save, ada, ids } = await openSite()
  const pier = ids['media.pier'] as number
  const stranger = 'https://elsewhere.example/uploads/hero.png'
  const picture = (id: number | string, url: string) => ({ id, url })
  const own = `${baseUrl}/uploads/2024/01/pier-300x200.jpg`
  const settings = {
    image: picture(pier, stranger),
    own: picture(pier, own),
    text: picture(String(pier), own),
    other: picture(pier, 'https://elsewhere.example/uploads/2024/01/pier.jpg'),
    bare: picture(pier, '//elsewhere.example/hero.png'),
    gallery: [picture(pier, stranger), picture(pier, own)],
    background_image: picture(999_999, stranger),
    link: { url: stranger },
    tagged: {
      $$type: 'image-src',
      value: { id: { $$type: 'image-attachment-id', value: pier }, url: { $$type: 'url', value: stranger } },
    },
  }
  const { body } = await save({ title: 'Foreign', type: 'page', content: [heading({ settings })] })
  const [stored] = (await ada('GET', `${path}/${body.template_id}/export`)).body.content
  const outside = picture('', stranger)
  expect(stored.settings).toEqual({
    ...settings,
    image: outside,
    other: picture('', 'https://elsewhere.example/uploads/2024/01/pier.jpg'),
    bare: picture('', '//elsewhere.example/hero.png'),
    gallery: [outside, picture(pier, own)],
    background_image: outside,
    tagged: { $$type: 'image-src', value: { id: null, url: { $$type: 'url', value: stranger } } },
  })
})
