import { expect, test } from 'vitest'
import { HttpClientError } from '../../../../src/services/http-client/errors.ts'
import type { HttpClient } from '../../../../src/services/http-client/index.ts'
import { createMedia } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { smallSite } from '../../../support/small-site.ts'
import { base, openSite, refusalOf } from './fixture.ts'

const get = '/settings/get-media'
const setAltText = '/remediation/set-alt-text'
const uploads = 'https://quay.example/uploads'
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>Quay é</title></svg>'
const bytes = (text: string) => new TextEncoder().encode(text)

async function withDrawing(outbound?: HttpClient['get']) {
  const media = createMedia({ driver: memoryMedia() })
  await media.write('2024/06/icon.svg', bytes(drawing), 'image/svg+xml')
  const requested: string[] = []
  const unreachable: HttpClient['get'] = async () => {
    throw new HttpClientError('failed', 'connection refused')
  }
  const service: HttpClient = {
    get: (address, options) => {
      requested.push(address)
      return (outbound ?? unreachable)(address, options)
    },
  }
  return { ...(await openSite({ services: { media, outbound: service } })), requested, media }
}

// ---------------------------------------------------------------- text files

test('returns an SVG of the site as text, for each way to send its address', async () => {
  const { ada, requested } = await withDrawing()
  const url = `${uploads}/2024/06/icon.svg`
  for (const [body, type] of [
    [JSON.stringify(url), 'application/json'],
    [url, 'text/plain'],
    [`${url}?v=2\n`, 'text/plain'],
    [JSON.stringify(url), 'text/plain'],
    [JSON.stringify('/uploads/2024/06/icon.svg'), 'application/json'],
  ] as const) {
    const response = await ada('POST', `${base}${get}`, { body, headers: { 'content-type': type } })
    expect([response.status, response.body]).toEqual([200, { success: true, data: drawing }])
  }
  expect(requested).toEqual([])
})

test('reads no address outside of the uploads', async () => {
  const { ada, requested } = await withDrawing()
  for (const address of [
    'https://evil.example/uploads/2024/06/icon.svg',
    'http://quay.example/uploads/2024/06/icon.svg',
    'https://quay.example:8443/uploads/2024/06/icon.svg',
    'https://quay.example@evil.example/uploads/x.svg',
    'https://user:secret@quay.example/uploads/2024/06/icon.svg',
    'https://quay.example/api/cms/v2/posts',
    'https://quay.example/uploads/../secret.svg',
    'https://quay.example/uploads/%2e%2e/secret.svg',
    'https://quay.example/uploads/a%2f..%2f..%2fsecret.svg',
    'https://quay.example/uploadsecret.svg',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '//evil.example/uploads/x.svg',
    'https://quay.example/uploads/%ff.svg',
    'no address',
    '',
  ]) {
    const response = await ada('POST', `${base}${get}`, { body: JSON.stringify(address) })
    const wrong = response.status === 400 ? 'bad_request' : 'internal_server_error'
    expect([address, response.body.code]).toEqual([address, wrong])
    expect([400, 502]).toContain(response.status)
  }
  for (const body of [{}, { url: `${uploads}/2024/06/icon.svg` }, [], 7, true]) {
    expect(refusalOf(await ada('POST', `${base}${get}`, { body }))).toEqual([400, 'bad_request'])
  }
  expect(refusalOf(await ada('POST', `${base}${get}`))).toEqual([400, 'bad_request'])
  for (const address of requested) expect(address.startsWith(`${uploads}/`)).toBe(true)
})

test('requests a medium from the site when the media service does not have it', async () => {
  const fileAt = (address: string, more: object = {}) => ({
    url: address,
    status: 200,
    contentType: 'image/svg+xml',
    body: bytes(drawing),
    ...more,
  })
  const available = await withDrawing(async (address) => fileAt(address))
  const read = (site: typeof available) => site.ada('POST', `${base}${get}`, { body: `${uploads}/other.svg` })
  expect((await read(available)).body.data).toBe(drawing)
  expect(available.requested).toEqual([`${uploads}/other.svg`])
  const missing = await withDrawing(async (address) => fileAt(address, { status: 404 }))
  expect(refusalOf(await read(missing))).toEqual([502, 'internal_server_error'])
  const away = await withDrawing(async () => fileAt('https://evil.example/uploads/other.svg'))
  expect(refusalOf(await read(away))).toEqual([502, 'internal_server_error'])
  expect(refusalOf(await read(await withDrawing()))).toEqual([502, 'internal_server_error'])
})

test('refuses a medium that is too large', async () => {
  const site = await withDrawing()
  await site.media.write('large.svg', new Uint8Array(1024 * 1024 + 1), 'image/svg+xml')
  const response = await site.ada('POST', `${base}${get}`, { body: `${uploads}/large.svg` })
  expect(refusalOf(response)).toEqual([502, 'internal_server_error'])
  const long = await site.ada('POST', `${base}${get}`, { body: 'x'.repeat(20_000) })
  expect(refusalOf(long)).toEqual([413, 'rest_body_too_large'])
})

// ---------------------------------------------------------------- alternative texts

const altOf = async (site: Awaited<ReturnType<typeof openSite>>): Promise<unknown> => {
  const document = await site.api.site.export()
  return (document.media ?? []).find(({ slug }) => slug === 'pier')?.alt_text
}

test.each([
  `${uploads}/2024/01/pier.jpg`,
  `${uploads}/2024/01/pier-300x200.jpg`,
  `${uploads}/2024/01/pier.jpg?size=1`,
  '/uploads/2024/01/pier.jpg',
])('the alternative text of %s is changed', async (url) => {
  const site = await openSite()
  const events: unknown[] = []
  site.api.on('media.described', (payload) => events.push(payload))
  const response = await site.send('POST', setAltText, { url, alt_text: 'A <b>pier</b> at dusk ' })
  expect([response.status, response.body]).toEqual([200, { success: true, data: { message: expect.any(String) } }])
  expect(await altOf(site)).toBe('A pier at dusk')
  expect(events).toEqual([{ id: site.ids['media.pier'], by: site.ids['user.admin'] }])
  await site.send('POST', setAltText, { url })
  expect(await altOf(site)).toBeUndefined()
})

test('finds an image at the address where the host serves media', async () => {
  const media = createMedia({ driver: memoryMedia(), address: 'https://cdn.example/files/' })
  const site = await openSite({ services: { media } })
  await site.send('POST', setAltText, { url: 'https://cdn.example/files/2024/01/pier.jpg', alt_text: 'A pier' })
  expect(await altOf(site)).toBe('A pier')
  const elsewhere = { url: `${uploads}/2024/01/pier.jpg`, alt_text: 'x' }
  expect(refusalOf(await site.send('POST', setAltText, elsewhere))).toEqual([404, 'attachment_not_found'])
})

test('an image named like a smaller size of another one is matched exactly', async () => {
  const other = { ...smallSite.media[0], key: 'other', slug: 'other', file: '2024/01/pier-300x200.jpg' }
  const site = await openSite({ seed: { ...smallSite, media: [...smallSite.media, other] } })
  await site.send('POST', setAltText, { url: `${uploads}/2024/01/pier-300x200.jpg`, alt_text: 'Other' })
  expect(await altOf(site)).toBeUndefined()
})

test('an unknown medium is 404 and a missing address 400', async () => {
  const { send } = await openSite()
  for (const url of [`${uploads}/other.jpg`, 'https://evil.example/uploads/2024/01/pier.jpg', 'pier', 'http://[']) {
    expect(refusalOf(await send('POST', setAltText, { url, alt_text: 'x' }))).toEqual([404, 'attachment_not_found'])
  }
  expect(refusalOf(await send('POST', setAltText, { alt_text: 'x' }))).toEqual([400, 'missing_parameters'])
  const url = `${uploads}/2024/01/pier.jpg`
  expect(refusalOf(await send('POST', setAltText, { url, alt_text: 7 }))).toEqual([400, 'rest_invalid_param'])
  const long = { url, alt_text: 'x'.repeat(5001) }
  expect(refusalOf(await send('POST', setAltText, long))).toEqual([400, 'rest_invalid_param'])
})
