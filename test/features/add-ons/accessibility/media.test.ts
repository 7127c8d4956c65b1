import memoryDriver from 'unstorage/drivers/memory'
import { expect, test } from 'vitest'
import { HttpClientError } from '../../../../src/services/http-client/errors.ts'
import type { HttpClient } from '../../../../src/services/http-client/index.ts'
import { createMedia } from '../../../../src/services/media.ts'
import { smallSite } from '../../../support/small-site.ts'
import { base, openSite, refusalOf } from './fixture.ts'

const get = '/settings/get-media'
const describeIt = '/remediation/set-alt-text'
const uploads = 'https://quay.example/uploads'
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>Quay é</title></svg>'
const bytes = (text: string) => new TextEncoder().encode(text)

async function withDrawing(outbound?: HttpClient['get']) {
  const media = createMedia({ driver: memoryDriver() })
  await media.write('2024/06/icon.svg', bytes(drawing), 'image/svg+xml')
  const asked: string[] = []
  const unreachable: HttpClient['get'] = async () => {
    throw new HttpClientError('failed', 'nobody is there')
  }
  const service: HttpClient = {
    get: (address, options) => {
      asked.push(address)
      return (outbound ?? unreachable)(address, options)
    },
  }
  return { ...(await openSite({ services: { media, outbound: service } })), asked, media }
}

// ---------------------------------------------------------------- the text of a medium

test('a drawing of the site is answered as text, however its address is sent', async () => {
  const { ada, asked } = await withDrawing()
  const url = `${uploads}/2024/06/icon.svg`
  for (const [body, type] of [
    [JSON.stringify(url), 'application/json'],
    [url, 'text/plain'],
    [`${url}?v=2\n`, 'text/plain'],
    [JSON.stringify(url), 'text/plain'],
    [JSON.stringify('/uploads/2024/06/icon.svg'), 'application/json'],
  ] as const) {
    const answer = await ada('POST', `${base}${get}`, { body, headers: { 'content-type': type } })
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: drawing }])
  }
  expect(asked).toEqual([])
})

test('nothing but media of the site is read', async () => {
  const { ada, asked } = await withDrawing()
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
    const answer = await ada('POST', `${base}${get}`, { body: JSON.stringify(address) })
    const wrong = answer.status === 400 ? 'bad_request' : 'internal_server_error'
    expect([address, answer.body.code]).toEqual([address, wrong])
    expect([400, 502]).toContain(answer.status)
  }
  for (const body of [{}, { url: `${uploads}/2024/06/icon.svg` }, [], 7, true]) {
    expect(refusalOf(await ada('POST', `${base}${get}`, { body }))).toEqual([400, 'bad_request'])
  }
  expect(refusalOf(await ada('POST', `${base}${get}`))).toEqual([400, 'bad_request'])
  for (const address of asked) expect(address.startsWith(`${uploads}/`)).toBe(true)
})

test('a medium that the host keeps elsewhere is fetched from the site', async () => {
  const answerOf = (address: string, more: object = {}) => ({
    ...{ url: address, status: 200, contentType: 'image/svg+xml', body: bytes(drawing) },
    ...more,
  })
  const found = await withDrawing(async (address) => answerOf(address))
  const read = (site: typeof found) => site.ada('POST', `${base}${get}`, { body: `${uploads}/other.svg` })
  expect((await read(found)).body.data).toBe(drawing)
  expect(found.asked).toEqual([`${uploads}/other.svg`])
  const gone = await withDrawing(async (address) => answerOf(address, { status: 404 }))
  expect(refusalOf(await read(gone))).toEqual([502, 'internal_server_error'])
  const away = await withDrawing(async () => answerOf('https://evil.example/uploads/other.svg'))
  expect(refusalOf(await read(away))).toEqual([502, 'internal_server_error'])
  expect(refusalOf(await read(await withDrawing()))).toEqual([502, 'internal_server_error'])
})

test('a medium that is too large is not read', async () => {
  const site = await withDrawing()
  await site.media.write('large.svg', new Uint8Array(1024 * 1024 + 1), 'image/svg+xml')
  const answer = await site.ada('POST', `${base}${get}`, { body: `${uploads}/large.svg` })
  expect(refusalOf(answer)).toEqual([502, 'internal_server_error'])
  const long = await site.ada('POST', `${base}${get}`, { body: 'x'.repeat(20_000) })
  expect(refusalOf(long)).toEqual([413, 'rest_body_too_large'])
})

// ---------------------------------------------------------------- the text that stands for one

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
  const told: unknown[] = []
  site.api.on('media.described', (payload) => told.push(payload))
  const answer = await site.send('POST', describeIt, { url, alt_text: 'A <b>pier</b> at dusk ' })
  expect([answer.status, answer.body]).toEqual([200, { success: true, data: { message: expect.any(String) } }])
  expect(await altOf(site)).toBe('A pier at dusk')
  expect(told).toEqual([{ id: site.ids['media.pier'], by: site.ids['user.admin'] }])
  await site.send('POST', describeIt, { url })
  expect(await altOf(site)).toBeUndefined()
})

test('a picture is found where the host serves its files', async () => {
  const media = createMedia({ driver: memoryDriver(), address: 'https://cdn.example/files/' })
  const site = await openSite({ services: { media } })
  await site.send('POST', describeIt, { url: 'https://cdn.example/files/2024/01/pier.jpg', alt_text: 'A pier' })
  expect(await altOf(site)).toBe('A pier')
  const elsewhere = { url: `${uploads}/2024/01/pier.jpg`, alt_text: 'x' }
  expect(refusalOf(await site.send('POST', describeIt, elsewhere))).toEqual([404, 'attachment_not_found'])
})

test('a picture that is called like a smaller form of another one is itself', async () => {
  const other = { ...smallSite.media[0], key: 'other', slug: 'other', file: '2024/01/pier-300x200.jpg' }
  const site = await openSite({ seed: { ...smallSite, media: [...smallSite.media, other] } })
  await site.send('POST', describeIt, { url: `${uploads}/2024/01/pier-300x200.jpg`, alt_text: 'Other' })
  expect(await altOf(site)).toBeUndefined()
})

test('an unknown medium is 404, and a missing address 400', async () => {
  const { send } = await openSite()
  for (const url of [`${uploads}/other.jpg`, 'https://evil.example/uploads/2024/01/pier.jpg', 'pier', 'http://[']) {
    expect(refusalOf(await send('POST', describeIt, { url, alt_text: 'x' }))).toEqual([404, 'attachment_not_found'])
  }
  expect(refusalOf(await send('POST', describeIt, { alt_text: 'x' }))).toEqual([400, 'missing_parameters'])
  const url = `${uploads}/2024/01/pier.jpg`
  expect(refusalOf(await send('POST', describeIt, { url, alt_text: 7 }))).toEqual([400, 'rest_invalid_param'])
  const long = { url, alt_text: 'x'.repeat(5001) }
  expect(refusalOf(await send('POST', describeIt, long))).toEqual([400, 'rest_invalid_param'])
})
