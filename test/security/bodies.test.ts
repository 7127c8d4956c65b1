/** Request bodies: parsed once, limited in size and depth, and typed by the schema of the route. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { serveNode } from '../../adapters/node.ts'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { isWrite, recorded } from '../support/spied-storage.ts'
import { signedInBefore } from './signed-in-before.ts'

const { calls, wrap } = recorded()
let site: TestSite

const json = 'application/json'
const send = (body: string, type: string | undefined = json, path = '/cms/v2/posts') =>
  site.as('arthur')('POST', path, { body, headers: type === undefined ? {} : { 'content-type': type } })
const bytes = (body: Uint8Array, type: string) =>
  site.api
    .fetch(
      new Request(`https://quay.example/api/cms/v2/posts`, {
        method: 'POST',
        headers: { 'content-type': type, authorization: basic('arthur') },
        body: body as BodyInit,
      }),
    )
    .then(async (response) => ({ status: response.status, body: await response.json() }))

describe('rejected bodies write nothing', () => {
  beforeAll(async () => {
    site = await signedInBefore(await createTestSite({ storage: wrap, limits: { bodyBytes: 100_000 } }))
  })
  beforeEach(() => {
    calls.length = 0
  })
  afterEach(() => {
    expect(site.failures).toEqual([])
    expect(calls.filter(isWrite)).toEqual([])
  })
  afterAll(() => site.dispose())

  test.each([
    '{',
    '{"title":"x",}',
    '[1,]',
    "{'title':'x'}",
    '{"title":}',
    '{"title":"x"} {}',
    '{"a":1}}',
    'undefined',
    'NaN',
    '{"a":01}',
    '{"a":"\t"}',
    '"',
    '{"\\u00zz":1}',
    '\u{feff}\u{feff}{}',
    '<xml/>',
  ])('rejects %j as invalid JSON', async (text) => {
    const response = await send(text)
    expect(response).toMatchObject({ status: 400, body: { code: 'rest_invalid_json', data: { status: 400 } } })
    // The message contains neither a position in our code nor any part of the body.
    expect(JSON.stringify(response.body)).not.toMatch(/\.ts|\bat |stack|Unexpected/)
  })

  test.each([
    ['/cms/v2/posts', '{"title":"a","meta":{"_builder_page_settings":{"a":1e400}}}'],
    ['/cms/v2/posts', '{"title":"a","author":-1e400}'],
    [
      '/batch/v1',
      '{"requests":[{"path":"/cms/v2/posts","body":{"title":"a"}},{"path":"/cms/v2/posts","body":{"x":[1e400]}}]}',
    ],
  ])('refuses a number that JSON can not hold again, on %s', async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await site.as('ada')('POST', path, { body, headers })
    expect(response).toMatchObject({ status: 400, body: { code: 'rest_invalid_number' } })
  })

  test('rejects broken JSON before it checks arguments and permissions, for visitors too', async () => {
    const headers = { 'content-type': json }
    expect((await site.visitor('POST', '/cms/v2/posts/999999', { body: '{', headers })).body.code).toBe(
      'rest_invalid_json',
    )
  })

  test.each([
    '"text"',
    '5',
    'true',
    'null',
    '[]',
    '["title"]',
    '[{"title":"x"}]',
    '',
    '{}',
    '{"title":""}',
    '\u{feff}{}',
    '   {}   ',
  ])('%j has no arguments', async (text) => {
    // Documented: only an object has arguments; UTF-8 text may begin with a byte order mark.
    expect(await send(text)).toMatchObject({ status: 400, body: { code: 'empty_content' } })
  })

  test('rejects bytes that are not UTF-8', async () => {
    for (const bad of [
      [0x22, 0xff, 0x22],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
    ]) {
      expect(await bytes(Uint8Array.from(bad), json)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_json' },
      })
    }
  })

  describe('depth', () => {
    const nested = (depth: number, [open, close]: readonly [string, string]) => open.repeat(depth) + close.repeat(depth)
    const lists = ['[', ']'] as const
    const objects = ['{"a":', '}'] as const
    const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

    test.each([1000, 5000, 200_000])('rejects %d levels anywhere in the body', async (depth) => {
      const own = await createTestSite({ limits: { bodyBytes: 10_000_000 } })
      onTestFinished(() => own.dispose())
      for (const deep of [nested(depth, lists), deepObject(depth)]) {
        for (const [path, body] of [
          ['/cms/v2/posts', `{"title":${deep}}`],
          ['/cms/v2/posts', `{"title":"x","meta":{"_builder_page_settings":${deep}}}`],
          ['/cms/v2/posts', `{"title":"x","unknown":${deep}}`],
          ['/cms/v2/posts', deep],
          [
            '/batch/v1',
            `{"requests":[{"path":"/cms/v2/posts","body":{"title":"x","meta":{"_builder_page_settings":{"a":${deep}}}}}]}`,
          ],
          ['/builder/v1/globals/colors/deep', `{"title":"x","value":${deep}}`],
          ['/builder/v1/variables/batch', `{"watermark":0,"operations":[{"type":"create","variable":${deep}}]}`],
        ] as const) {
          const { status, body: response } = await own.as('ada')('POST', path, {
            body,
            headers: { 'content-type': json },
          })
          expect({ path, status, code: response.code }).toEqual({ path, status: 400, code: 'rest_too_deep' })
        }
      }
      expect(own.failures).toEqual([])
      expect((await own.as('ada')('GET', '/cms/v2/posts', { query: 'context=edit' })).status).toBe(200)
    })

    test.each([
      ['lists', (depth: number) => nested(depth, lists)],
      ['objects', deepObject],
      ['both', (depth: number) => nested(depth / 2, ['[{"a":', '}]']).replace(':}', ':1}')],
      ['lists that never end', (depth: number) => '['.repeat(depth)],
      ['lists behind a quote', (depth: number) => `["\\"",${nested(depth, lists)}]`],
    ])('limits the depth of JSON inside a string too: %s', async (_, make) => {
      for (const depth of [1000, 5000, 30_000].filter((one) => make(one).length < 90_000)) {
        const response = await send(JSON.stringify({ title: 'x', meta: { _builder_data: make(depth) } }))
        expect(response).toMatchObject({ status: 400, body: { code: 'rest_too_deep' } })
      }
    })

    test('brackets inside strings do not count as depth', async () => {
      const own = await createTestSite()
      onTestFinished(() => own.dispose())
      const data = JSON.stringify([{ text: '[{'.repeat(500), quote: '\\"[[[' }])
      const body = { title: '['.repeat(500), meta: { _builder_data: data } }
      expect((await own.as('ada')('POST', '/cms/v2/posts', { body })).body.meta._builder_data).toBe(data)
    })

    test('a value of the allowed depth can be read back', async () => {
      const own = await createTestSite()
      onTestFinished(() => own.dispose())
      const body = `{"title":"x","meta":{"_builder_page_settings":${nested(190, objects).replace(':}', ':1}')}}}`
      const created = await own.as('ada')('POST', '/cms/v2/posts', { body, headers: { 'content-type': json } })
      expect(created.status).toBe(201)
      const query = 'context=edit&_fields=meta,_links&_embed=1&_envelope=1'
      expect((await own.as('ada')('GET', `/cms/v2/posts/${created.body.id}`, { query })).status).toBe(200)
      expect(own.failures).toEqual([])
    })
  })

  describe('size', () => {
    const limit = 100_000
    const sized = (length: number) => `{"title":"${'x'.repeat(length - 12)}"}`
    /** A stream in chunks of 10 000 bytes that counts the bytes pulled from it. */
    const slow = (length: number) => {
      const pulled = { bytes: 0, cancelled: false }
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const size = Math.min(10_000, length - pulled.bytes)
          if (size === 0) return controller.close()
          pulled.bytes += size
          controller.enqueue(new Uint8Array(size).fill(120))
        },
        cancel() {
          pulled.cancelled = true
        },
      })
      return { pulled, stream }
    }
    const post = (body: BodyInit, headers: { [name: string]: string } = {}) =>
      site.api.fetch(
        new Request('https://quay.example/api/cms/v2/posts', {
          ...{ method: 'POST', body, duplex: 'half' },
          headers: { 'content-type': json, authorization: basic('arthur'), ...headers },
        } as RequestInit),
      )

    test('rejects one byte too many, with and without Content-Length', async () => {
      for (const headers of [{}, { 'content-length': String(limit + 1) }]) {
        const response = await post(sized(limit + 1), headers as { [name: string]: string })
        expect(response.status).toBe(413)
        expect(await response.json()).toMatchObject({ code: 'rest_body_too_large', data: { status: 413 } })
      }
    })

    test('the limit counts bytes, not characters', async () => {
      expect((await post(`{"title":"${'é'.repeat(limit / 2)}"}`)).status).toBe(413)
    })

    test('rejects a Content-Length above the limit before reading the body', async () => {
      const { pulled, stream } = slow(1_000_000_000)
      expect((await post(stream, { 'content-length': '1000000000' })).status).toBe(413)
      expect(pulled.bytes).toBeLessThanOrEqual(10_000)
    })

    test.each([{}, { 'content-length': '10' }])(
      'stops reading at the limit, whatever Content-Length says: %j',
      async (headers) => {
        const { pulled, stream } = slow(1_000_000_000)
        expect((await post(stream, headers as { [name: string]: string })).status).toBe(413)
        expect(pulled.bytes).toBeLessThanOrEqual(limit + 30_000)
        expect(pulled.cancelled).toBe(true)
      },
    )

    test('reads a body within the limit to its end when it arrives in chunks', async () => {
      const { stream } = slow(limit)
      expect(await (await post(stream)).json()).toMatchObject({ code: 'rest_invalid_json' })
    })

    test('rejects a compressed body with 415', async () => {
      for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x-unknown']) {
        expect((await post(sized(100), { 'content-encoding': encoding })).status).toBe(415)
      }
    })

    test('over a socket, cuts off chunks without a length and keeps serving', async () => {
      const served = await serveNode(site.api, { port: 0 })
      onTestFinished(() => served.close())
      const headers = { 'content-type': json, authorization: basic('arthur') }
      const url = `${served.url}/api/cms/v2/posts`
      const { pulled, stream } = slow(200_000_000)
      const status = await fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit).then(
        (response) => response.status,
        () => 'cut off' as const,
      )
      expect([413, 'cut off']).toContain(status)
      expect(pulled.bytes).toBeLessThan(20_000_000)
      expect((await fetch(url, { headers })).status).toBe(200)
    })
  })

  describe('content types', () => {
    const text = '{"title":"Typed","status":"draft"}'

    test.each([
      'text/plain',
      'text/html',
      'multipart/mixed; boundary=x',
      'application/octet-stream',
      'text/json',
      'application/xml',
      'application/jsonp',
      'application/x-json',
      '',
      '/',
      'json',
    ])('a body of type %j has no arguments', async (type) => {
      expect(await send(text, type)).toMatchObject({ status: 400, body: { code: 'empty_content' } })
    })

    const part = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const inParts = 'multipart/form-data; boundary=x'

    test.each([
      ['a broken form', text, inParts, 400, 'rest_invalid_form'],
      ['a form that is cut off', part('title', 'Typed').slice(0, -8), inParts, 400, 'rest_invalid_form'],
      ['a form without a boundary', part('title', 'Typed'), 'multipart/form-data', 400, 'rest_invalid_form'],
      ['a reserved name', `${part('meta[__proto__][a]', '1')}--x--\r\n`, inParts, 400, 'rest_invalid_param'],
      ['too many values', `${part('a[]', '1').repeat(1001)}--x--\r\n`, inParts, 414, 'rest_query_too_large'],
    ] as const)('refuses %s', async (_, form, type, status, code) => {
      expect(await send(form, type)).toMatchObject({ status, body: { code } })
    })

    test('JSON sent as a form is parsed as a form and has no known arguments', async () => {
      expect((await send(text, 'application/x-www-form-urlencoded')).status).toBe(400)
    })

    test.each([
      'application/json; charset=utf-16',
      'application/json; charset=utf-16le',
      'application/json;charset=iso-8859-1',
      'application/json; charset="utf-7"',
      'application/x-www-form-urlencoded; charset=utf-16',
      'application/json; charset=',
    ])('rejects the content type %s', async (type) => {
      expect(await send(text, type)).toMatchObject({ status: 415, body: { code: 'rest_unsupported_encoding' } })
    })

    test('a GET request reads no arguments from a body', async () => {
      const request = { method: 'POST', body: JSON.stringify({ context: 'edit', status: 'draft', include: [1] }) }
      const response = await site.api.handle({
        ...{ source: 'http', method: 'GET', path: '/cms/v2/posts', query: '', mayHaveBody: true },
        header: (name) => (name === 'content-type' ? json : undefined),
        readBody: () => ({ bytes: new TextEncoder().encode(request.body) }),
      })
      expect(response.status).toBe(200)
    })
  })
})

describe('content types with arguments', () => {
  test.each([
    ['application/json', '{"title":"Typed"}'],
    ['application/json; charset=utf-8', '{"title":"Typed"}'],
    ['application/json; charset="UTF-8"', '{"title":"Typed"}'],
    ['APPLICATION/JSON', '{"title":"Typed"}'],
    ['application/vnd.example+json', '{"title":"Typed"}'],
    ['application/json', '\u{feff}{"title":"Typed"}'],
    ['application/x-www-form-urlencoded', 'title=Typed'],
    ['application/x-www-form-urlencoded; charset=UTF-8', 'title[raw]=Typed'],
  ])('%s', async (type, body) => {
    site = await createTestSite()
    onTestFinished(() => site.dispose())
    expect(await send(body, type)).toMatchObject({ status: 201, body: { title: { raw: 'Typed' } } })
  })
})
