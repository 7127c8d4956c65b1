/** Previews show the copy of the global classes that is prepared; visitors see the live one. */
import { afterEach, expect, test } from 'vitest'
import { aClass, adding, color, element, variant } from '../features/builder/global-classes/fixture.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const root = '/builder/v1/global-classes'
const boxy = (value: string, label = 'boxy') => aClass('g-1', label, { variants: [variant(color(value))] })
const changing = (item: ReturnType<typeof boxy>) => ({
  ...adding(item),
  changes: { added: [], deleted: [], modified: [item.id] },
})

async function openSite() {
  site = await createTestPages()
  const ada = site.as('ada')
  const put = async (body: object, context = 'frontend') => {
    const { status } = await ada('PUT', root, { body: { context, ...body } })
    expect(status).toBeLessThan(300)
  }
  await put(adding(boxy('#aa0011')))
  const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify([element('e1', ['g-1'])]) }
  const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'Built', status: 'publish', meta } })
  const pathOf = (address: string) => address.replace('https://quay.example', '')
  const classSheet = (html: string) => /[^"]*\/sheets\/classes\.\w+\.css/.exec(html)?.[0] ?? ''
  const show = async (address: string) => {
    const { text } = await site.get(pathOf(address))
    const sheet = classSheet(text)
    const css = sheet === '' ? '' : (await site.get(pathOf(sheet))).text
    return { css, text, sheet: pathOf(sheet) }
  }
  return {
    put,
    id: body.id,
    live: () => show(body.link),
    preview: async () => show(await site.pages.previewUrl(body.id)),
  }
}

test('a preview has the prepared classes, the live page keeps its own', async () => {
  const { put, id, live, preview } = await openSite()
  expect((await preview()).css).toContain('#aa0011')
  const before = await live()
  await put(changing(boxy('#123456', 'square')), 'preview')
  const seen = await preview()
  expect([seen.css, seen.text]).toEqual([
    expect.stringContaining('.square{color:#123456}'),
    expect.stringContaining('square'),
  ])
  expect(await live()).toEqual(before)
  const drawn = async (context: object) => JSON.stringify(await site.api.render.document(id, context))
  expect(await drawn({ preview: true })).toContain('#123456')
  expect(await drawn({})).not.toContain('#123456')
  await put(changing(boxy('#123456', 'square')))
  expect((await live()).css).toContain('#123456')
})

test('a page in a cache that names an older sheet gets no prepared one', async () => {
  const { put, live, preview } = await openSite()
  const { sheet } = await live()
  await put(changing(boxy('#123456')), 'preview')
  expect((await preview()).css).toContain('#123456')
  const older = sheet.replace(/\w{16}\.css$/, '0123456789abcdef.css')
  expect((await site.get(older)).text).toContain('#aa0011')
})
