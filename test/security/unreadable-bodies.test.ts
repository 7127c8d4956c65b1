/** Bodies of `api.fetch` that can not be read: absent, read before, broken off in the middle. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withDocuments } from '../support/documents-profile.ts'
import { baseUrl, basic, createTestSite, failuresOf, type TestSite } from '../support/site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: withDocuments })
})
afterEach(() => site.dispose())

/** The three ways in which a body is read: its arguments, piece by piece, and whole as a file. */
const ways = [
  ['arguments', '/cms/v2/posts', { 'content-type': 'application/json' }],
  [
    'an upload',
    '/cms/v2/media',
    { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a.txt"' },
  ],
  ['an archive', '/site-api/v1/documents/import', { 'content-type': 'application/zip' }],
  ['a kit', '/site-api/v1/kit', { 'content-type': 'application/zip' }],
] as const

const request = (path: string, headers: { readonly [name: string]: string }, body?: BodyInit) =>
  new Request(`${baseUrl}/api${path}`, {
    method: 'POST',
    headers: { authorization: basic('ada'), ...headers },
    // The cast: Node needs `duplex` for a stream, and the types of the web do not know it.
    ...(body === undefined ? {} : ({ body, duplex: 'half' } as object)),
  })

/** One piece, then the connection is gone. */
const brokenOff = () => {
  let pulled = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled++ === 0) controller.enqueue(new TextEncoder().encode('{"title":'))
      else controller.error(new TypeError('terminated'))
    },
  })
}

const stored = () =>
  Promise.all(
    ['/cms/v2/posts?status=any', '/cms/v2/media'].map(async (path) => (await site.as('ada')('GET', path)).body.length),
  )

describe.each(ways)('%s', (_, path, headers) => {
  test('of a connection that ends in the middle are the mistake of the client, and write nothing', async () => {
    const before = await stored()
    const response = await site.api.fetch(request(path, headers, brokenOff()))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'rest_client_gone' })
    expect(await stored()).toEqual(before)
    expect(site.failures).toEqual([])
  })

  test('that the host has read before are a mistake of the host, and the log says which', async () => {
    const read = request(path, headers, '{"title":"Tide"}')
    await read.text()
    expect((await site.api.fetch(read)).status).toBe(500)
    expect(failuresOf(site)).toEqual([expect.stringContaining('The body was read before the api was called')])
  })

  test('that are absent are refused as such', async () => {
    const response = await site.api.fetch(request(path, headers))
    expect(response.status).toBe(400)
    expect(site.failures).toEqual([])
  })
})

test('a form without a body is none', async () => {
  const response = await site.api.fetch(request('/cms/v2/media', { 'content-type': 'multipart/form-data; boundary=x' }))
  expect([response.status, (await response.json()).code]).toEqual([400, 'rest_upload_invalid_form'])
})
