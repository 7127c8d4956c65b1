/** Svg files of the library: who may upload them, which bytes are stored, and how pages show them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { full } from '../../../../src/profiles/full.ts'
import { createHttpClient } from '../../../../src/services/http-client/index.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'
import { fileAt, mediaSite, sendUpload, upload, uploadForm, uploadsOf } from './pictures.ts'

let site: TestSite
const open = async (options: TestSiteOptions = {}) => {
  site = await mediaSite(options)
  return site
}
afterEach(() => site.dispose())

const type = 'image/svg+xml'
const logo =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd">' +
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><defs><style>.cls-1{fill:#12343b}</style></defs>' +
  '<title>Quay</title><path class="cls-1" d="M0 0h120v40z"/></svg>'
const clean =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><defs></defs>' +
  '<title>Quay</title><path class="cls-1" d="M0 0h120v40z" style="fill:#12343b"></path></svg>'

test('an editor uploads a drawing, which is stored clean with its extent and shown by its type', async () => {
  await open()
  const { status, body } = await upload(site, 'Our logo.svg', logo, { type })
  expect([status, body.mime_type, body.media_type]).toEqual([201, type, 'image'])
  expect(body.media_details).toMatchObject({ width: 120, height: 40, filesize: clean.length })
  expect(body.missing_image_sizes).toEqual([])
  const file = await fileAt(site, body.source_url)
  expect(await file.text()).toBe(clean)
  expect([file.headers.get('content-type'), file.headers.get('x-content-type-options')]).toEqual([type, 'nosniff'])
  expect(file.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
})

test('an author may not, unless the option names a right that authors have', async () => {
  await open()
  const refused = await upload(site, 'logo.svg', logo, { type, as: 'arthur' })
  expect([refused.status, refused.body.code]).toEqual([400, 'rest_upload_sideload_error'])
  await site.dispose()
  await open({ svgUploads: 'upload_files' })
  expect((await upload(site, 'logo.svg', logo, { type, as: 'arthur' })).status).toBe(201)
  expect((await upload(site, 'logo.svg', logo, { type, as: 'connie' })).status).toBe(403)
})

test('with the option false only the host itself may', async () => {
  await open({ svgUploads: false })
  expect((await upload(site, 'logo.svg', logo, { type, as: 'ada' })).body.code).toBe('rest_upload_sideload_error')
  await expect(uploadsOf(site).upload('logo.svg', new Blob([logo]))).rejects.toMatchObject({
    code: 'rest_upload_sideload_error',
  })
})

test('a form, the process, and an address take drawings by the same rules', async () => {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': type }).end(logo))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await open({ services: { outbound: createHttpClient({ allow: (_address, asked) => asked === port }) } })
    const form = new FormData()
    form.append('file', new Blob([logo], { type }), 'form.svg')
    const sent = await uploadForm(site, form)
    const { address } = await uploadsOf(site).upload('process.svg', new Blob([logo]))
    const body = Buffer.from(JSON.stringify({ url: `http://127.0.0.1:${port}/drawing` }))
    const fetched = await sendUpload(site, 'edith', body, '', { 'content-type': 'application/json' })
    for (const url of [sent.body.source_url, address, fetched.body.source_url]) {
      expect(url).toMatch(/\.svg$/)
      expect(await (await fileAt(site, url)).text()).toBe(clean)
    }
  } finally {
    server.close()
  }
})

test('a site document brings drawings clean, and none that can not be read', async () => {
  const drawing = (source: string) => ({
    ...{ key: 'mark', slug: 'mark', title: 'Mark', file: '2024/01/mark.svg', mime_type: type, author: 'editor' },
    ...{ width: 1, height: 1, date: '2024-01-02T10:00:00', data: btoa(source) },
  })
  const seedOf = (source: string) => ({ ...smallSite, media: [...smallSite.media, drawing(source)] })
  await open({ seed: seedOf(logo) })
  const { body } = await site.visitor('GET', `/cms/v2/media/${site.ids['media.mark']}`)
  expect(body.media_details).toMatchObject({ width: 120, height: 40 })
  expect(await (await fileAt(site, body.source_url)).text()).toBe(clean)
  await expect(createTestSite({ seed: seedOf('<svg><script>') })).rejects.toMatchObject({
    code: 'rest_upload_svg_unreadable',
  })
})

test('a name and a content that differ are refused', async () => {
  await open()
  for (const [name, text] of [
    ['logo.png', logo],
    ['logo.txt', logo],
    ['words.svg', 'High at six.'],
    ['dot.svg', `GIF89a${'\0'.repeat(20)}`],
    ['page.svg', '<html><svg/></html>'],
  ] as const) {
    expect((await upload(site, name, text, { type })).status, name).toBe(400)
  }
})

test('a drawing has no sizes to make and is not edited', async () => {
  await open()
  const { body } = await upload(site, 'logo.svg', logo, { type })
  const edited = await site.as('edith')('POST', `/cms/v2/media/${body.id}/edit`, {
    body: { src: body.source_url, modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
  })
  expect([edited.status, edited.body.code]).toEqual([400, 'rest_cannot_edit_file_type'])
  const done = await site.as('edith')('POST', `/cms/v2/media/${body.id}/post-process`, {
    body: { action: 'create-image-subsizes' },
  })
  expect([done.status, done.body.media_details.sizes]).toEqual([200, {}])
})

test('an icon of the library is inline, and one whose file is on the old site is a picture', async () => {
  let storage: Storage | undefined
  await open({ profile: full, storage: (opened) => (storage = opened) })
  const { body } = await upload(site, 'logo.svg', logo, { type })
  const away = 'https://old.example/files/sign.svg'
  const elsewhere = await upload(site, 'sign.svg', logo, { type })
  await storage?.meta.write('post', [{ id: elsewhere.body.id, key: '_attached_file', value: away }])
  const icon = (id: number) =>
    widgetElement(`i${id}`, 'icon', { selected_icon: { library: 'svg', value: { id, url: away } } })
  const id = await storeDocument(site, [icon(body.id), icon(elsewhere.body.id), icon(999_999)])
  const html = (await site.api.render.document(id))?.html ?? ''
  expect(html).toContain('<svg viewBox="0 0 120 40" aria-hidden="true">')
  expect(html).toContain(`<img class="e-icon-file" src="${away}" alt="" width="120" height="40" loading="lazy">`)
  expect(html.match(/builder-icon-wrapper/g)).toHaveLength(2)
})
