/** oEmbed of other sites, which are a server on loopback; requests go through the real address checks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttpClient, type HttpClient } from '../../../src/services/http-client/index.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const notFound = { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } }
const proxy = (url: string, more = '', login: string | null = 'connie') =>
  site.as(login)('GET', '/oembed/1.0/proxy', { query: `url=${encodeURIComponent(url)}${more}` })

describe('other sites', () => {
  type Page = (request: IncomingMessage, response: ServerResponse) => void
  let pages: { [path: string]: Page } = {}
  let requests: IncomingMessage[] = []
  let port = 0
  const server = createServer((request, response) => {
    requests.push(request)
    const page = pages[(request.url ?? '').split('?')[0] ?? '']
    if (page) page(request, response)
    else response.writeHead(404).end()
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  afterAll(() => void server.close())

  beforeEach(async () => {
    pages = {}
    requests = []
    const outbound = createHttpClient({
      limits: { timeoutMs: 30_000 },
      resolve: async (hostname) => {
        if (hostname === 'private.example') return ['10.0.0.5']
        if (hostname.endsWith('.example')) return ['127.0.0.1']
        throw new Error(`ENOTFOUND ${hostname}`)
      },
      allow: (address, at) => address === '127.0.0.1' && at === port,
    })
    site = await createTestSite({ services: { outbound } })
  })

  const at = (path: string) => `http://video.example:${port}${path}`
  const html =
    (body: string): Page =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
    }
  const json =
    (value: unknown): Page =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
  const linking = (href: string, type = 'application/json+oembed') =>
    html(`<!doctype html><head><title>x</title><link rel="alternate" type="${type}" href="${href}"></head><body>`)
  const frame = '<iframe src="https://player.example/1" width="640" height="360"></iframe>'
  const rich = (more: object = {}) => ({ version: '1.0', type: 'rich', title: 'A film', html: frame, ...more })

  test('discovers the endpoint, and forwards the requested size', async () => {
    pages = { '/film': linking('/oembed?id=1&amp;x=2'), '/oembed': json(rich({ width: '640', height: 360 })) }
    const { status, body } = await proxy(at('/film'), '&maxwidth=500&maxheight=400')
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: '1.0', type: 'rich', title: 'A film', width: 640, height: 360 })
    expect(requests.map(({ url }) => url)).toEqual(['/film', '/oembed?id=1&x=2&maxwidth=500&maxheight=400'])
  })

  test('reads and writes XML', async () => {
    const xml =
      '<?xml version="1.0"?><oembed><version>1.0</version><type>photo</type><title>Fish &amp; chips</title>' +
      '<url>https://img.example/1.jpg</url><width>300</width><height>200</height></oembed>'
    pages = {
      '/photo': linking('/oembed', 'text/xml+oembed'),
      '/oembed': (_, response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end(xml),
    }
    const { body } = await proxy(at('/photo'))
    expect(body).toMatchObject({ type: 'photo', title: 'Fish & chips', url: 'https://img.example/1.jpg', width: 300 })
    expect((await proxy(at('/photo'), '&format=xml')).body).toContain('<title>Fish &amp; chips</title>')
  })

  test('forwards no header of the caller', async () => {
    pages = { '/film': linking('/oembed'), '/oembed': json(rich()) }
    await site.as('connie')('GET', '/oembed/1.0/proxy', {
      query: { url: at('/film') },
      headers: { cookie: 'session=1', referer: 'https://quay.example/secret', 'user-agent': 'Browser' },
    })
    expect(requests).toHaveLength(2)
    for (const { headers } of requests) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
      expect(headers['user-agent']).toBe('site-api')
    }
  })

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://private.example/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'http://user:pass@video.example/',
  ])('checks the discovered endpoint like the first URL: %s', async (href) => {
    pages = { '/film': linking(href) }
    const { status, body } = await proxy(at('/film'))
    expect([status, body]).toEqual([404, notFound])
    expect(requests).toHaveLength(1)
  })

  test.each<[string, { [path: string]: Page }]>([
    ['that is not there', {}],
    ['without a link', { '/film': html('<head></head>') }],
    [
      'with a link in its body alone',
      { '/film': html('<body><link rel="alternate" type="application/json+oembed" href="/oembed">') },
    ],
    ['that is no HTML', { '/film': json({}) }],
    [
      'whose provider fails',
      { '/film': linking('/oembed'), '/oembed': (_, response) => void response.writeHead(500).end() },
    ],
    ['whose provider sends no JSON', { '/film': linking('/oembed'), '/oembed': html('{') }],
    ['whose provider sends a list', { '/film': linking('/oembed'), '/oembed': json([rich()]) }],
    ['of an unknown type', { '/film': linking('/oembed'), '/oembed': json(rich({ type: 'game' })) }],
    ['of a photo without an address', { '/film': linking('/oembed'), '/oembed': json({ type: 'photo' }) }],
    ['that is too large', { '/film': linking('/oembed'), '/oembed': json(rich({ html: 'x'.repeat(1_100_000) })) }],
  ])('responds with 404 for a page %s', async (_, offered) => {
    pages = { ...offered, '/oembed': offered['/oembed'] ?? json(rich()) }
    const { status, body } = await proxy(at('/film'))
    expect([status, body]).toEqual([404, notFound])
  })

  test('gives the same response for refused, unknown and unreachable hosts', async () => {
    const responses = []
    for (const url of ['http://127.0.0.1/', 'http://private.example/', 'http://nobody.test/', 'ftp://video.example/']) {
      responses.push(await proxy(url))
    }
    for (const { status, body } of responses) expect([status, body]).toEqual([404, notFound])
    expect(requests).toEqual([])
  })

  test('without discovery only known providers get a request', async () => {
    pages = { '/film': linking('/oembed'), '/oembed': json(rich()) }
    expect((await proxy(at('/film'), '&discover=false')).status).toBe(404)
    expect(requests).toEqual([])
  })

  test('reads only the first part of a page', async () => {
    const link = '<link rel="alternate" type="application/json+oembed" href="/oembed">'
    pages = {
      '/long': html(`<head>${link}</head><body>${'x'.repeat(2_000_000)}`),
      '/late': html(`<head><style>${'x'.repeat(2_000_000)}</style>${link}</head>`),
      '/oembed': json(rich()),
    }
    expect((await proxy(at('/long'))).status).toBe(200)
    expect((await proxy(at('/late'))).status).toBe(404)
  })

  test('caches a response for a day, and sends one request for parallel calls', async () => {
    pages = { '/film': linking('/oembed'), '/oembed': json(rich()) }
    const [first, second] = await Promise.all([proxy(at('/film')), proxy(at('/film'), '', 'ada')])
    expect(first.body).toEqual(second.body)
    await proxy(at('/film'))
    expect(requests).toHaveLength(2)
    site.clock.now += 25 * 60 * 60 * 1000
    await proxy(at('/film'))
    expect(requests).toHaveLength(4)
  })

  test('repeats the request a minute after a failure', async () => {
    expect((await proxy(at('/film'))).status).toBe(404)
    pages = { '/film': linking('/oembed'), '/oembed': json(rich()) }
    expect((await proxy(at('/film'))).status).toBe(404)
    expect(requests).toHaveLength(1)
    site.clock.now += 61 * 1000
    expect((await proxy(at('/film'))).status).toBe(200)
  })

  describe('sanitizing the HTML of providers', () => {
    const proxied = async (value: unknown) => {
      pages = { '/film': linking('/oembed'), '/oembed': json(value) }
      return proxy(at('/film'))
    }

    test.each([
      ['a script beside a frame', `<script>alert(1)</script>${frame}<script src="https://x.example/"></script>`],
      ['handlers on a frame', '<iframe onload="alert(1)" src="https://player.example/1"></iframe>'],
      ['a frame with srcdoc', '<iframe srcdoc="<script>alert(1)</script>" src="https://player.example/1"></iframe>'],
      [
        'a frame that opens its own sandbox',
        '<iframe sandbox="allow-same-origin allow-top-navigation" src="https://player.example/1"></iframe>',
      ],
      ['a frame in a picture with a handler', `<img src=x onerror=alert(1)>${frame}`],
      ['a quote in the URL', '<iframe src="https://player.example/&quot;onload=&quot;alert(1)"></iframe>'],
      ['a title that breaks out', '<iframe title="&quot;&gt;&lt;script&gt;" src="https://player.example/1"></iframe>'],
    ])('%s becomes a sandboxed frame', async (_, input) => {
      const { status, body } = await proxied(rich({ html: input }))
      expect(status).toBe(200)
      expect(body.html).toMatch(
        /^<iframe sandbox="allow-scripts allow-popups" src="https:\/\/player\.example\/[^"]*" [^>]*><\/iframe>$/,
      )
      expect(body.html).not.toMatch(/ on\w+=|srcdoc|<script|allow-same-origin|allow-top/)
      expect(body.html.match(/<\w+/g)).toEqual(['<iframe'])
    })

    test.each([
      ['no frame', '<p>Hello</p><script>alert(1)</script>'],
      ['a quotation of an unknown provider', '<blockquote>Hello</blockquote>'],
      ['a frame over http', '<iframe src="http://player.example/1"></iframe>'],
      ['a script as the URL', '<iframe src="javascript:alert(1)"></iframe>'],
      ['data as the URL', '<iframe src="data:text/html,x"></iframe>'],
      ['no URL', '<iframe srcdoc="x"></iframe>'],
      ['a URL without a host', '<iframe src="/1"></iframe>'],
      ['credentials in the URL', '<iframe src="https://a:b@player.example/1"></iframe>'],
      ['a frame inside a hidden element', `<template>${frame}</template><svg>${frame}</svg>`],
      ['no text', 7],
    ])('refuses HTML with %s', async (_, input) => {
      expect((await proxied(rich({ html: input }))).status).toBe(404)
    })

    test('photos and links get generated HTML', async () => {
      const photo = {
        type: 'photo',
        url: 'https://img.example/1.jpg',
        title: '"><script>',
        html: '<script>',
        width: 3,
        height: 2,
      }
      const { body } = await proxied(photo)
      expect(body.html).toBe(
        `<a href="${at('/film')}"><img src="https://img.example/1.jpg" alt="&quot;&gt;" width="3" height="2"></a>`,
      )
      site.clock.now += 25 * 60 * 60 * 1000
      expect((await proxied({ type: 'link', title: 'There' })).body.html).toBe(`<a href="${at('/film')}">There</a>`)
    })

    test('members of a wrong type are left out', async () => {
      const { body } = await proxied(
        rich({
          title: '<img src=x onerror=alert(1)>Tom & < Jerry',
          author_name: 7,
          author_url: 'javascript:alert(1)',
          provider_url: 'https://video.example',
          thumbnail_url: 'data:image/png,x',
          width: '100%',
          height: -3,
          extra: '<script>',
        }),
      )
      const { html: _, ...rest } = body
      expect(rest).toEqual({
        version: '1.0',
        type: 'rich',
        title: 'Tom & &lt; Jerry',
        provider_url: 'https://video.example/',
      })
    })
  })
})

// ---------------------------------------------------------------- known providers

describe('known providers', () => {
  let requested: string[] = []
  let providerResponse: object = {}
  const outbound: HttpClient = {
    get: async (url) => {
      requested.push(url)
      const body = new TextEncoder().encode(JSON.stringify(providerResponse))
      return { url, status: 200, contentType: 'application/json', body }
    },
  }
  beforeEach(async () => {
    requested = []
    site = await createTestSite({ services: { outbound } })
  })

  test('get the request at their endpoint, without discovery', async () => {
    providerResponse = {
      type: 'video',
      title: 'Film',
      html: '<iframe src="https://player.vimeo.com/video/1" width="640" height="360"></iframe>',
    }
    const { body } = await proxy('https://vimeo.com/1', '&discover=false')
    expect(requested).toEqual([
      'https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F1&format=json&maxwidth=600',
    ])
    // A frame on the provider's own host keeps its origin.
    expect(body.html).toContain('sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"')
  })

  test('cannot give the frame of another host an origin', async () => {
    for (const host of ['quay.example', 'notvimeo.com', 'vimeo.com.evil.example']) {
      providerResponse = { type: 'video', html: `<iframe src="https://${host}/x"></iframe>` }
      const { body } = await proxy(`https://vimeo.com/${host.length}`)
      expect(body.html).toContain('sandbox="allow-scripts allow-popups"')
    }
  })

  test('may send a quotation, of which text and links remain', async () => {
    providerResponse = {
      type: 'rich',
      html: `<blockquote class="x" onclick="alert(1)"><p>Hi <b>there</b> &lt;b&gt;<br><a href="https://t.example/?a=1&amp;b" onclick="x">link</a>
        <a href="javascript:alert(1)">bad</a><script>alert(1)</script><svg><a href="https://x.example/">no</a></svg></blockquote>
        <script async src="https://platform.example/widgets.js"></script>`,
    }
    const { body } = await proxy('https://x.com/a/status/1')
    expect(body.html.replace(/\s+/g, ' ')).toBe(
      '<blockquote><p>Hi there &lt;b&gt;<br><a href="https://t.example/?a=1&amp;b" rel="nofollow noopener">link</a> bad</p></blockquote>',
    )
  })
})
