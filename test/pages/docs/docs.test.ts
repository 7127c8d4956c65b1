/** The content and headers of the docs page and `openapi.json`. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeScripts } from '../../../docs/page-script.ts'
import { integrityOf } from '../../../src/core/runtime/crypto.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { docsScript } from '../../../src/pages/docs/script.ts'
import { docsStyle } from '../../../src/pages/docs/style.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { full } from '../../../src/profiles/full.ts'
import { listsScript } from '../../../src/site-pages/theme/scripts/lists.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite

beforeAll(async () => {
  site = await createTestSite({ docs: true })
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

test('is served only if the option is set', async () => {
  const plain = await createTestSite({ seed: false })
  expect((await plain.visitor('GET', '/docs')).body.code).toBe('rest_no_route')
  expect((await plain.visitor('GET', '/openapi.json')).status).toBe(404)
  await plain.dispose()
})

test('serves the result of api.openapi() as openapi.json to every user', async () => {
  const { status, headers, body } = await site.visitor('GET', '/openapi.json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=UTF-8')
  expect(body).toEqual(await site.api.openapi())
  expect(body.info.title).toBe('Quay Notes')
  expect(body.servers).toEqual([{ url: 'https://quay.example/api' }])
})

test.each(['/docs', '/openapi.json'])('revalidates a cached %s', async (path) => {
  const { headers } = await site.visitor('GET', path)
  const tag = headers.get('etag') ?? ''
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect((await site.visitor('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304)
  await site.api.site.options.write({ description: `changed, and so is the site of ${path}` })
  expect((await site.visitor('GET', path)).status).toBe(200)
})

test('lists neither in the index nor in the document', async () => {
  expect(JSON.stringify(await site.api.index())).not.toMatch(/"\/(?:docs|openapi\.json)"/)
  const { paths } = await site.api.openapi()
  expect(Object.keys(paths).filter((path) => /docs|openapi|authorize$|connect\/return/.test(path))).toEqual([
    '/builder-one/v1/connect/authorize',
  ])
})

test('HEAD has the headers and no body', async () => {
  const { status, headers, body } = await site.visitor('HEAD', '/docs')
  expect([status, headers.get('content-type'), body]).toEqual([200, 'text/html; charset=UTF-8', undefined])
})

describe('the page', () => {
  let html = ''
  let policy = ''

  beforeAll(async () => {
    const { status, headers, body } = await site.visitor('GET', '/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
    html = body
    policy = headers.get('content-security-policy') ?? ''
  })

  test('shows every operation of the document, and every argument of each', async () => {
    const document = await site.api.openapi()
    const shown = new Map<string, string>(
      [
        ...html.matchAll(
          /<article class="view route" id="(\w+)"[^>]*? data-methods="([A-Z ]+)" data-path="([^"]+)"[\s\S]*?<\/article>/g,
        ),
      ].flatMap(([whole, , methods = '', path = '']) =>
        methods.split(' ').map((method) => [`${method} ${path}`, whole] as const),
      ),
    )
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    )
    const missing = operations.flatMap(({ name, operation }) => {
      const route = shown.get(name) ?? ''
      const expected = [
        '>Responses</h3>',
        ...operation.parameters.flatMap((parameter) => ('name' in parameter ? `data-name="${parameter.name}"` : [])),
      ]
      return expected.filter((part) => !route.includes(part)).map((part) => `${name}: ${part}`)
    })
    expect(missing).toEqual([])
  })

  test('has unique ids and no broken links', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect([...new Set(links)].filter((id) => !ids.includes(id))).toEqual([])
  })

  test('allows only its own script, style and origin', () => {
    expect(policy.split('; ').sort()).toEqual(
      [
        "default-src 'none'",
        `script-src '${integrityOf(docsScript)}'`,
        `style-src '${integrityOf(docsStyle)}'`,
        "connect-src 'self'",
        'img-src data:',
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].sort(),
    )
    expect(html).toContain(`<script>${docsScript}</script>`)
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html.replace(docsScript, '')).not.toMatch(/ on\w+="| style="/)
  })
})

test.each(Object.entries(await madeScripts()))('the generated script %s is up to date', (file, text) => {
  expect(readFileSync(file, 'utf8') === text, 'run npm run docs').toBe(true)
  // A preset of names knows `data-builder-id`, and not its name in a dataset.
  expect(text).not.toMatch(/\bbuilder[A-Z]/)
})

test('the script of lists has at most 5,000 bytes, as the documentation says', () => {
  expect(Buffer.byteLength(listsScript)).toBeLessThanOrEqual(5000)
})

test('escapes the name of the site', async () => {
  const hostile = await createTestSite({ docs: true, seed: false })
  await hostile.api.site.options.write({ name: '</title><script>alert(1)</script>' })
  const { body } = await hostile.visitor('GET', '/docs')
  expect(body).not.toContain('<script>alert')
  expect(body).toContain('<h1>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
  await hostile.dispose()
})

test('uses the names of the word map', async () => {
  const other = await createTestSite({ docs: true, seed: false, profile: d2, names: wordpress })
  const { body } = await other.visitor('GET', '/docs')
  expect(body).toContain('data-path="/wp/v2/posts"')
  expect(body).not.toMatch(/cms\/v2|X-CMS|_builder_/)
  await other.dispose()
})

test('sends totals in the headers of every route that documents them', async () => {
  const { paths } = await site.api.openapi()
  const post = site.ids['post.hello'] as number
  const paged = Object.entries(paths).filter(([, { get }]) => {
    const answer = get?.responses['200'] ?? get?.responses['2XX']
    return answer && 'headers' in answer && answer.headers?.['X-CMS-Total']
  })
  expect(paged.map(([path]) => path)).toEqual(
    expect.arrayContaining(['/cms/v2/posts', '/cms/v2/posts/{parent}/revisions']),
  )
  for (const [path] of paged) {
    const { status, headers } = await site.as('ada')('GET', path.replace('{parent}', String(post)))
    expect([path, status, headers.get('x-cms-total')]).toEqual([path, 200, expect.stringMatching(/^\d+$/)])
  }
})

describe.each(['/docs', '/openapi.json'])('compression of %s', (path) => {
  const read = (headers: { readonly [name: string]: string }) =>
    site.api.fetch(new Request(`https://quay.example/api${path}`, { headers }))

  test.each([
    ['gzip', 'gzip;q=0.8', gunzipSync],
    ['br', 'br, gzip;q=0.8', brotliDecompressSync],
    ['br', '*', brotliDecompressSync],
    ['gzip', 'br;q=0, *', gunzipSync],
  ] as const)('is %s for a client that accepts %s', async (coding, accepted, decompress) => {
    const plain = await read({})
    const compressed = await read({ 'accept-encoding': accepted })
    expect([plain, compressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, coding])
    expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
    expect(compressed.headers.get('content-type')).toBe(plain.headers.get('content-type'))
    expect(decompress(await compressed.arrayBuffer()).toString()).toBe(await plain.text())
  })

  test.each(['gzip;q=0', 'br;q=0.0, *;q=0', 'zstd', 'identity'])('is not used with %s', async (accepted) => {
    expect((await read({ 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull()
  })

  test('revalidates, with an etag for each encoding', async () => {
    const codings = ['identity', 'gzip', 'br']
    const tags = await Promise.all(
      codings.map(async (coding) => (await read({ 'accept-encoding': coding })).headers.get('etag') ?? ''),
    )
    expect(new Set(tags).size).toBe(3)
    for (const [at, coding] of codings.entries()) {
      expect((await read({ 'accept-encoding': coding, 'if-none-match': tags[at] ?? '' })).status).toBe(304)
    }
  })
})

test.each([
  [d2, 'gzip'],
  // Every route there is, as browsers ask for it.
  [full, 'gzip, deflate, br, zstd'],
] as const)('transfers less than 100 kB, with all routes of a profile', async (profile, accepted) => {
  const large = await createTestSite({ docs: true, seed: false, profile })
  const headers = { 'accept-encoding': accepted }
  const response = await large.api.fetch(new Request('https://quay.example/api/docs', { headers }))
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(100_000)
  await large.dispose()
})
