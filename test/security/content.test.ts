/** Tests stored content: HTML filtering, protected posts, slugs, permissions on single posts, and caching. */
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, createTestSite, type Requester, type TestSite } from '../support/site.ts'

let site: TestSite
let connie: Requester
let edith: Requester
beforeAll(async () => {
  site = await createTestSite()
  connie = site.as('connie')
  edith = site.as('edith')
})
afterAll(() => site.dispose())

const posts = '/cms/v2/posts'
const pathOf = (key: string) => `${posts}/${site.ids[`post.${key}`]}`

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="width:expression(alert(1))">x</p>',
  '<form action="https://evil.example"><input name=p></form>',
  '<object data="x.swf"></object><embed src="x.swf">',
  '<base href="https://evil.example">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<style>*{display:none}</style>',
  '<<script>script>alert(1)<</script>/script>',
  '<a href="x" onclick = "alert(1)" ONFOCUS=alert(1) autofocus>x</a>',
]

const harmful = /^(?:script|style|svg|base|meta|form|input|embed|frame|applet|link|iframe|mglyph)$/

/**
 * Lists what could run or load, in the tree of a browser: inside MathML, which is allowed, some markup parses
 * differently.
 */
function dangers(html: string): string[] {
  const dangerous: string[] = []
  const open: DefaultTreeAdapterMap['node'][] = [parseFragment(html)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('childNodes' in node) open.push(...node.childNodes)
    if (!('tagName' in node)) continue
    const { tagName, attrs } = node
    if (harmful.test(tagName)) dangerous.push(tagName)
    dangerous.push(...attrs.flatMap(({ name, value }) => dangersOf(tagName, name, value)))
  }
  return dangerous
}

function dangersOf(element: string, attribute: string, value: string): string[] {
  const isScript = /^on/i.test(attribute) || attribute === 'srcdoc'
  const isScriptUrl = /^(?:href|src|data|action)$/.test(attribute) && /^\s*(?:javascript|data|vbscript):/i.test(value)
  const isActiveStyle = attribute === 'style' && /url\(|expression/i.test(value)
  return [...(isScript ? [`${element} ${attribute}`] : []), ...(isScriptUrl || isActiveStyle ? [value] : [])]
}

describe('HTML filtering', () => {
  test.each(hostile)('removes everything that runs when a contributor saves %s', async (content) => {
    const { status, body } = await connie('POST', posts, { body: { title: `t ${content}`, content, excerpt: content } })
    if (status === 400) return
    expect(status).toBe(201)
    for (const text of [body.title, body.content, body.excerpt]) {
      expect(dangers(text.raw)).toEqual([])
      expect(dangers(text.rendered)).toEqual([])
    }
  })

  test('stores HTML unchanged for a user with unfiltered_html', async () => {
    const content = hostile.join('\n')
    expect((await edith('POST', posts, { body: { title: 'Kept', content } })).body.content.raw).toBe(content)
  })

  test('filters an autosave like a save', async () => {
    const { body: post } = await connie('POST', posts, { body: { title: 'Auto' } })
    const { body } = await connie('POST', `${posts}/${post.id}/autosaves`, { body: { content: '<script>x</script>y' } })
    expect(body.content.raw).toBe('xy')
  })
})

test('the filter keeps block comments byte for byte', async () => {
  const content =
    '<!-- cms:acme/thing {"a":1,"b":"x \\u0026amp; y","list":[1,2]} -->\n<p>inner</p>\n<!-- /cms:acme/thing -->\n<!-- cms:spacer {"height":"20px"} /-->'
  const { body } = await connie('POST', posts, { body: { title: 'Blocks', content } })
  expect(body.content).toMatchObject({ raw: content, block_version: 1 })
})

describe('a protected post', () => {
  const readings = (headers = {}) => [
    site.visitor('GET', pathOf('locked'), { headers }),
    site.as('sam')('GET', pathOf('locked'), { query: '_embed', headers }),
    site.visitor('GET', posts, { query: { include: site.ids['post.locked'] as number } }),
    site.visitor('GET', posts, { query: { include: site.ids['post.locked'] as number, _fields: 'content,excerpt' } }),
  ]

  test('hides content and excerpt in every response and sets protected', async () => {
    for (const { body } of await Promise.all(readings())) {
      const [post] = [body].flat()
      expect(post.content).toEqual({ rendered: '', protected: true })
      expect(post.excerpt).toEqual({ rendered: '', protected: true })
      expect(JSON.stringify(body)).not.toContain('Hidden')
    }
    expect((await site.visitor('GET', `${pathOf('locked')}/revisions`)).status).toBe(401)
    const link = encodeURIComponent('https://quay.example/locked/')
    const embedded = await site.visitor('GET', '/oembed/1.0/embed', { query: `url=${link}` })
    expect(JSON.stringify(embedded.body)).not.toContain('Hidden')
    expect((await site.visitor('GET', posts, { query: 'search=hidden' })).headers.get('x-cms-total')).toBe('0')
  })

  test('shows content and excerpt with the right password only', async () => {
    const opened = await site.visitor('GET', pathOf('locked'), { query: 'password=sesame' })
    expect(opened.body.content).toEqual({ rendered: '<p>Hidden.</p>\n', protected: true })
    expect(opened.body).not.toHaveProperty('password')
    expect(opened.headers.get('cache-control')).toBe('private, no-store')
    const wrong = await site.visitor('GET', pathOf('locked'), { query: 'password=x' })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'rest_post_incorrect_password' } })
  })

  test.each([
    ['password[$ne]=x', 400],
    ['password[]=sesame', 400],
    ['password=', 200],
    ['password=0', 403],
  ])('stays hidden with %s', async (query, status) => {
    const response = await site.visitor('GET', pathOf('locked'), { query })
    expect(response.status).toBe(status)
    expect(JSON.stringify(response.body)).not.toContain('Hidden')
  })
})

describe('slugs', () => {
  test.each(['..', '/', 'x'.repeat(300), '🎣', '日本語', 'feed', 'embed', '?p=1', '%2e%2e%2f', '-', '%'])(
    'made from %s are safe, unique and never empty once published',
    async (slug) => {
      const slugs = []
      for (let i = 0; i < 2; i++) {
        const { status, body } = await edith('POST', posts, { body: { title: slug, slug, status: 'publish' } })
        expect(status).toBe(201)
        slugs.push(body.slug)
        expect(body.slug).toMatch(/^[a-z0-9%_-]{1,200}$/)
        // An escaped slash that was typed stays one, as recorded; it parts no path. Escaped dots would.
        expect(body.slug).not.toMatch(/^\.+$|[/?#]|%2e/i)
        expect(new URL(body.link).origin).toBe('https://quay.example')
      }
      expect(new Set(slugs).size).toBe(2)
    },
  )
})

describe('permissions on single posts', () => {
  test("an author cannot edit, delete or read in edit context another author's post", async () => {
    const before = (await edith('GET', pathOf('tide'), { query: 'context=edit' })).body
    const arthur = site.as('arthur')
    for (const [method, query, body] of [
      ['GET', 'context=edit', undefined],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['DELETE', 'force=true', undefined],
    ] as const) {
      expect((await arthur(method, pathOf('tide'), { query, ...(body ? { body } : {}) })).status).toBe(403)
    }
    expect((await edith('GET', pathOf('tide'), { query: 'context=edit' })).body).toEqual(before)
  })

  test('ignores members that are not writable', async () => {
    const readOnly = {
      guid: 'x',
      modified: '2001-01-01T00:00:00',
      type: 'page',
      link: 'https://evil.example',
      id: 1,
      version: 9,
    }
    const more = { _links: {}, password_hash: 'x', role: 'administrator', mime_type: 'x', parent: 5 }
    const { body } = await edith('POST', posts, { body: { title: 'Mass', ...readOnly, ...more } })
    expect(body).toMatchObject({ type: 'post', link: `https://quay.example/?p=${body.id}` })
    expect(body.modified).not.toContain('2001')
    expect(JSON.stringify(body)).not.toContain('evil')
    expect(site.ids['post.hello']).not.toBe(body.id)
  })

  test('shows editor-only meta keys in edit context only, and never stores unknown keys', async () => {
    const meta = { _builder_edit_mode: 'builder', _secret: 'x', footnotes: 'seen' }
    const { body } = await edith('POST', posts, { body: { title: 'Meta', status: 'publish', meta } })
    expect(body.meta._builder_edit_mode).toBe('builder')
    const seen = (await site.visitor('GET', `${posts}/${body.id}`)).body
    expect(seen.meta).toEqual({ footnotes: 'seen' })
    // The response to the write may name the parts that it left out; the stored text does not have them.
    const stored = await edith('GET', `${posts}/${body.id}`, { query: 'context=edit' })
    expect(JSON.stringify([body.meta, stored.body])).not.toContain('_secret')
    expect((await site.as('connie')('POST', `${posts}/${body.id}`, { body: { meta } })).status).toBe(403)
  })
})

test('a shared cache never serves the response for one user to another', async () => {
  const cache = new Map<string, { vary: Record<string, string>; body: unknown }[]>()
  const fetch = async (path: string, headers: Record<string, string>) => {
    const fits = (entry: { vary: Record<string, string> }) =>
      Object.entries(entry.vary).every(([name, value]) => (headers[name] ?? '') === value)
    const hit = cache.get(path)?.find(fits)
    if (hit) return hit.body
    const response = await site.visitor('GET', path, { headers })
    if (!/no-store|private/.test(response.headers.get('cache-control') ?? '')) {
      const names = (response.headers.get('vary') ?? '').toLowerCase().split(/,\s*/)
      const vary = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']))
      cache.set(path, [...(cache.get(path) ?? []), { vary, body: response.body }])
    }
    return response.body
  }
  const path = `${pathOf('private')}?context=view`
  const mine = await fetch(path, { authorization: basic('arthur') })
  expect(mine.id).toBe(site.ids['post.private'])
  expect((await fetch(path, {})).code).toBe('rest_forbidden')
  expect((await fetch(path, { authorization: basic('aiko') })).code).toBe('rest_forbidden')
  const list = `${posts}?status=any&per_page=100`
  const forEditors = await fetch(list, { authorization: basic('edith') })
  expect((await fetch(list, {})).code).toBe('rest_invalid_param')
  expect(forEditors.length).toBeGreaterThan(10)
  const opened = `${pathOf('locked')}?password=sesame`
  expect((await fetch(opened, {})).content.rendered).not.toBe('')
  expect((await fetch(pathOf('locked'), {})).content.rendered).toBe('')
})
