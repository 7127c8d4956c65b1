/** An administrator takes kits over and writes them over HTTP. A kit is stored whole or not at all, and a dry run stores nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kitFeatures, profile } from '../../../src/index.ts'
import { content } from '../../../src/profiles/content.ts'
import { full } from '../../../src/profiles/full.ts'
import { readZip, writeZip } from '../../../src/services/zip.ts'
import { baseUrl, basic, createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'

const withKits = profile({ ...full, name: 'with-kits', features: [...full.features, ...kitFeatures] })
const path = '/site-api/v1/kit'

let site: TestSite
const open = async (options: TestSiteOptions = {}) => {
  site = await createTestSite({ profile: withKits, ...options })
}
beforeEach(() => open())
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const text = new TextEncoder()
const kitOf = (files: { readonly [name: string]: unknown }) =>
  writeZip(Object.entries(files).map(([name, value]) => ({ name, bytes: text.encode(JSON.stringify(value)) })))

const heading = {
  id: 'a1b2c3d',
  elType: 'widget',
  widgetType: 'heading',
  elements: [],
  settings: { title: 'Hello pier' },
}
const files = {
  'manifest.json': {
    ...{ title: 'Pier', site: 'https://kit.example' },
    content: { page: { 12: { title: 'From the kit', doc_type: 'wp-page' } } },
    templates: { 13: { title: 'Top', doc_type: 'header', conditions: [{ type: 'include', name: 'general' }] } },
  },
  'site-settings.json': { settings: { system_colors: [{ _id: 'primary', title: 'Primary', color: '#102A43' }] } },
  'content/page/12.json': { content: [heading], settings: {} },
  'templates/13.json': { content: [heading], settings: [] },
}
const kit = kitOf(files)

async function send(
  bytes: Uint8Array<ArrayBuffer>,
  query = '',
  login: string | null = 'ada',
  type = 'application/zip',
  more: { readonly [name: string]: string } = {},
) {
  const headers = { ...more, 'content-type': type, ...(login === null ? {} : { authorization: basic(login) }) }
  const request = new Request(`${baseUrl}/api${path}${query}`, { method: 'POST', headers, body: bytes })
  const response = await site.api.fetch(request)
  return { status: response.status, body: await response.json() }
}

/** All that is stored, after a sign-in, which is noted once a day. */
async function state() {
  await pages()
  return site.api.site.export()
}

const pages = async () => {
  const { body } = await site.as('ada')('GET', '/cms/v2/pages', { query: 'search=From the kit' })
  return body.length
}
const primary = async () => (await site.as('ada')('GET', '/builder/v1/globals/colors/primary')).body.value

test('an administrator takes a kit over, and its design only where he says so', async () => {
  const { status, body } = await send(kit)
  expect(status).toBe(200)
  expect(body).toMatchObject({ items: 3, counts: { pages: { created: 1 } } })
  expect(body.problems).toContainEqual({ kind: 'kit-not-used', what: expect.any(String), count: 1 })
  expect([await pages(), await primary()]).toEqual([1, expect.not.stringMatching('#102A43')])
  const again = await send(kit, '?design=true')
  expect(again.body).toMatchObject({ counts: { pages: { created: 0, existing: 1 } } })
  expect([await pages(), await primary()]).toEqual([1, '#102A43'])
})

test('a dry run reports the same, and stores nothing', async () => {
  const told: string[] = []
  site.api.on('post.created', () => void told.push('post'))
  site.api.on('site.imported', () => void told.push('import'))
  const before = await state()
  const tried = await send(kit, '?design=true', 'ada', 'application/zip', { prefer: 'dry-run' })
  expect(tried).toMatchObject({ status: 200, body: { dry_run: true, status: 200, complete: true } })
  expect(tried.body.body).toMatchObject({ counts: { pages: { created: 1 } } })
  expect(tried.body.events).toContainEqual({ name: 'site.imported', payload: { items: 3 } })
  expect(await state()).toEqual(before)
  expect([await pages(), await primary(), told]).toEqual([0, expect.not.stringMatching('#102A43'), []])
  const done = await send(kit, '?design=true')
  // PostgreSQL gives no ids back, which the settings name.
  const { settings, ...others } = tried.body.body
  expect(done.body).toMatchObject(others)
  expect(Object.keys(done.body.settings)).toEqual(Object.keys(settings))
})

const broken = [
  ['that is no archive', text.encode('no archive')],
  ['without a manifest', kitOf({ 'readme.json': {} })],
  ['with a file that is missing', kitOf({ ...files, 'content/page/12.json': {} })],
] as const

test.each(broken)('a body %s is refused, and nothing is stored', async (_, bytes) => {
  const before = await state()
  expect(await send(bytes)).toMatchObject({ status: 400, body: { code: 'import_kit' } })
  expect(await state()).toEqual(before)
})

test('a body of another type, or larger than the limit of uploads, is refused', async () => {
  expect(await send(kit, '', 'ada', 'application/json')).toMatchObject({ status: 400 })
  expect(await send(text.encode('{}'), '', 'ada', 'application/json')).toMatchObject({
    status: 400,
    body: { code: 'import_kit' },
  })
  await site.dispose()
  await open({ limits: { uploadBytes: 500 } })
  expect(await send(kit)).toMatchObject({ status: 413 })
  expect(await pages()).toBe(0)
})

test('is for administrators, who write any markup', async () => {
  expect(await send(kit, '', 'edith')).toMatchObject({ status: 403, body: { code: 'rest_cannot_manage_kits' } })
  expect(await send(kit, '', null)).toMatchObject({ status: 401 })
  expect((await site.as('edith')('GET', path)).status).toBe(403)
  expect(await pages()).toBe(0)
})

test('the site is written as a kit, which another site takes over', async () => {
  await send(kit, '?design=true')
  const download = async (query: string) => {
    const headers = { authorization: basic('ada') }
    const response = await site.api.fetch(new Request(`${baseUrl}/api${path}${query}`, { headers }))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="kit.zip"')
    return new Uint8Array(await response.arrayBuffer())
  }
  const written = await download('')
  const design = await download('?content=false')
  expect(readZip(design).some(({ name }) => name.startsWith('content/'))).toBe(false)
  await site.dispose()
  await open()
  expect(await pages()).toBe(0)
  expect(await send(written, '?design=true')).toMatchObject({ status: 200 })
  expect([await pages(), await primary()]).toEqual([1, '#102A43'])
})

test('no other profile has the routes', async () => {
  for (const declared of [full, content]) {
    expect(declared.features.flatMap(({ endpoints }) => endpoints.map((one) => one.path))).not.toContain('/kit')
  }
})
