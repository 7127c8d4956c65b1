import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { folderOfTemplates } from '../../../docs/examples/templates.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { baseUrl, createTestSite, type Received, type TestSiteOptions } from '../../support/site.ts'

const path = '/builder/v1/template-library/templates'

const heading = (title: string) => ({
  ...{ id: '1a2b3c4', elType: 'widget', widgetType: 'heading', settings: { title, size: { unit: 'px', size: 12 } } },
  elements: [],
})
const box = {
  ...{ id: '5d6e7f8', elType: 'container', settings: { tag: 'section' } },
  elements: [heading('One'), heading('Two "quoted" ☃')],
}

async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite(options)
  onTestFinished(() => site.dispose())
  const ada = site.as('ada')
  return { ...site, ada, save: (body: object, send = ada) => send('POST', path, { body }) }
}

/** Cuts an address of the API to the path below the root. */
const below = (address: string) => address.slice(address.indexOf('/builder/'))

const withoutIds = (file: Received['body']): Received['body'] =>
  JSON.parse(JSON.stringify(file, (key, value) => (key === 'id' ? '' : value)))

test('the export link of a template gives a file that makes an equal template', async () => {
  const { ada, save } = await openSite()
  const saved = (await save({ title: 'Landing', type: 'page', content: [box], page_settings: { hide_title: 'yes' } }))
    .body
  expect(saved.export_link.startsWith(`${baseUrl}/`)).toBe(true)
  const file = await ada('GET', below(saved.export_link))
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="landing.json"')
  expect(withoutIds(file.body)).toEqual(
    withoutIds({
      ...{ version: '0.4', title: 'Landing', type: 'page', content: [box] },
      page_settings: { hide_title: 'yes' },
    }),
  )
  const again = (await save(file.body)).body
  const second = await ada('GET', below(again.export_link))
  expect(withoutIds(second.body)).toEqual(withoutIds(file.body))
})

test('several templates are a zip archive, which the site editor takes in', async () => {
  const { api, ada, save } = await openSite({ profile: d2 })
  const titles = ['Masthead', 'Colophon']
  const ids: number[] = []
  for (const title of titles) ids.push((await save({ title, type: 'header', content: [box] })).body.template_id)
  const headers = { authorization: `Basic ${btoa('ada:adax 1a2B 3c4D 5e6F 7g8H 9i0J')}` }
  const zip = await api.fetch(new Request(`${baseUrl}${api.root}${path}/export?ids=${ids.join()}`, { headers }))
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const bytes = new Uint8Array(await zip.arrayBuffer())
  const names = Object.keys(unzipSync(bytes))
  expect(names.map((name) => name.slice(4)).sort()).toEqual(['colophon.json', 'masthead.json'])
  const fileData = Buffer.from(bytes).toString('base64')
  const imported = await ada('POST', '/builder/v1/site-editor/templates', { body: { fileName: 'all.zip', fileData } })
  expect(imported.body.map(({ title }: { title: string }) => title).sort()).toEqual([...titles].sort())
  for (const { export_link: link } of imported.body) {
    expect(withoutIds((await ada('GET', below(link))).body).content).toEqual(withoutIds([box]))
  }
})

test.each([
  [null, 401, 401],
  ['sam', 403, 403],
  ['arthur', 200, 404],
  ['connie', 200, 200],
  ['edith', 200, 200],
])(
  '%s gets %i for a published template and %i for one of connie that is pending',
  async (login, published, pending) => {
    const { as, save } = await openSite()
    const open = (await save({ title: 'Open', type: 'page' })).body
    const own = (await save({ title: 'Own', type: 'page' }, as('connie'))).body
    const status = async (address: string) => (await as(login)('GET', address)).status
    expect(await status(below(open.export_link))).toBe(published)
    expect(await status(below(own.export_link))).toBe(pending)
    expect(await status(`${path}/export?ids=${open.template_id},${own.template_id}`)).toBe(pending)
    expect(await status(`${path}/99999/export`)).toBe(published === 200 ? 404 : published)
  },
)

test('lists the templates of a folder as the remote ones, and gives each out as a file that can be saved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'templates-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = { title: 'Price table', type: 'block', content: [box], page_settings: {} }
  await writeFile(join(folder, 'price-table.json'), JSON.stringify(file))
  await writeFile(join(folder, 'notes.txt'), 'no template')
  const { ada, as } = await openSite({ services: { templates: folderOfTemplates(folder) } })
  const { templates } = (await ada('GET', path, { query: { source: 'remote' } })).body
  expect(templates).toEqual([
    {
      ...{ template_id: 'price-table', source: 'remote', type: 'block', title: 'Price table', thumbnail: false },
      ...{ date: 0, human_date: '', human_modified_date: '', author: '', status: 'publish', hasPageSettings: false },
      ...{ tags: [], url: '' },
      export_link: expect.stringContaining('/builder/v1/template-library/catalogue/price-table'),
    },
  ])
  const address = below(templates[0].export_link)
  expect((await as('sam')('GET', address)).status).toBe(403)
  expect((await ada('GET', address)).body).toEqual(file)
  expect((await ada('GET', '/builder/v1/template-library/catalogue/other')).body.code).toBe('template_not_found')
  expect((await ada('GET', path)).body.templates).toEqual([])
})

test('the categories of blocks and popups are those of the catalogue', async () => {
  const entry = (id: string, type: string, category?: string) => ({
    id,
    title: id,
    type,
    ...(category && { category }),
  })
  const list = () => [
    ...[entry('a', 'block', 'about'), entry('b', 'block', 'faq'), entry('c', 'block', 'about'), entry('d', 'block')],
    ...[entry('e', 'popup', 'classic'), entry('f', 'page', 'other'), entry('not/an/id', 'page')],
  ]
  const { ada } = await openSite({ services: { templates: { list, get: () => undefined } } })
  const config = { block: { categories: ['about', 'faq'] }, popup: { categories: ['classic'] } }
  expect((await ada('GET', path)).body).toEqual({ templates: [], config })
  const remote = (await ada('GET', path, { query: { source: 'remote' } })).body
  expect(remote.templates.map(({ template_id: id }: { template_id: string }) => id)).toEqual([...'abcdef'])
})

test('a catalogue that fails is 502 where it is asked for, and leaves the templates of the site as they are', async () => {
  const fail = () => Promise.reject(new Error('down'))
  const { ada, save } = await openSite({ services: { templates: { list: fail, get: fail } } })
  await save({ title: 'Own', type: 'page' })
  expect((await ada('GET', path)).body.templates).toHaveLength(1)
  for (const address of [`${path}?source=remote`, '/builder/v1/template-library/catalogue/a']) {
    const { status, body } = await ada('GET', address)
    expect([status, body.code]).toEqual([502, 'templates_unreachable'])
  }
})
