/** oEmbed of the site's own posts: lookup by URL, visitor permissions, no network requests. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HttpClient } from '../../../src/services/http-client/index.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

let site: TestSite
afterEach(() => expect(site.failures).toEqual([]))

const notFound = { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } }
const embed = (url: string, more = '', login: string | null = null) =>
  site.as(login)('GET', '/oembed/1.0/embed', { query: `url=${encodeURIComponent(url)}${more}` })
const proxy = (url: string, more = '', login: string | null = 'connie') =>
  site.as(login)('GET', '/oembed/1.0/proxy', { query: `url=${encodeURIComponent(url)}${more}` })

// ---------------------------------------------------------------- this site

describe('the posts of this site', () => {
  let requests = 0
  beforeAll(async () => {
    const outbound: HttpClient = {
      get: async () => {
        requests++
        throw new Error('the network was used')
      },
    }
    site = await createTestSite({ services: { outbound } })
  })
  afterAll(async () => {
    expect(requests).toBe(0)
    await site.dispose()
  })

  test('returns the embed data of a post', async () => {
    const { status, body, headers } = await embed('https://quay.example/hello/')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const { html, ...rest } = body
    expect(rest).toEqual({
      version: '1.0',
      provider_name: 'Quay Notes',
      provider_url: 'https://quay.example',
      author_name: 'Ada Admin',
      author_url: 'https://quay.example/author/ada-administrator/',
      title: 'Hello quay',
      type: 'rich',
      width: 600,
      height: 338,
    })
    expect(html).toMatch(
      /^<blockquote [^>]*><a href="https:\/\/quay\.example\/hello\/">Hello quay<\/a><\/blockquote><iframe [^>]*><\/iframe>$/,
    )
    expect(html).toMatch(
      / sandbox="allow-scripts" .* src="https:\/\/quay\.example\/hello\/embed\/" width="600" height="338"/,
    )
  })

  test.each([
    ['without the slash at the end', 'https://quay.example/hello', 'Hello quay'],
    ['over http', 'http://quay.example/hello/', 'Hello quay'],
    ['with www.', 'https://www.quay.example/hello/', 'Hello quay'],
    ['with a query and a fragment', 'https://quay.example/hello/?utm=1#part', 'Hello quay'],
    ['in capitals and escapes', 'https://QUAY.example/H%65llo/', 'Hello quay'],
    ['of the front page', 'https://quay.example/', 'Front'],
    ['of the front page, bare', 'https://quay.example', 'Front'],
    ['of a page below another', 'https://quay.example/front/about/', 'About'],
  ])('finds a post or page by a URL %s', async (_, url, title) => {
    const { status, body } = await embed(url)
    expect([status, body.title]).toEqual([200, title])
  })

  test('finds a post or page by its id', async () => {
    expect((await embed(`https://quay.example/?p=${site.ids['post.tide']}`)).body.title).toBe('Reading the tide')
    const { body } = await embed(`https://quay.example/?page_id=${site.ids['page.about']}`)
    expect(body.html).toContain('href="https://quay.example/front/about/"')
  })

  test.each([
    ['nothing', ''],
    ['no URL', 'nonsense'],
    ['a URL without a host', '/hello/'],
    ['another site', 'https://other.example/hello/'],
    ['another port', 'https://quay.example:8443/hello/'],
    ['another scheme', 'ftp://quay.example/hello/'],
    ['an unknown path', 'https://quay.example/nobody/'],
    ['the page of the newest posts', 'https://quay.example/journal/'],
    ['a page without its parent', 'https://quay.example/about/'],
    ['a path with an extra segment', 'https://quay.example/hello/hello/'],
    ['half an escape', 'https://quay.example/%E0%A4%A/'],
    ['an unknown id', 'https://quay.example/?p=999999'],
    ['a very long path', `https://quay.example/${'a/'.repeat(500)}`],
    ['a draft', 'https://quay.example/draft/'],
    ['a private post', 'https://quay.example/private/'],
    ['a scheduled post', 'https://quay.example/future/'],
    ['a post in the trash', 'https://quay.example/thrown-away__trashed/'],
  ])('responds with 404 for %s to every caller, from embed and proxy', async (_, url) => {
    for (const login of [null, 'arthur', 'ada']) {
      const { status, body } = await embed(url, '', login)
      expect([status, body]).toEqual([404, notFound])
    }
    if (url.includes('other.example') || url.includes(':8443')) return
    const { status, body } = await proxy(url, '', 'ada')
    expect([status, body]).toEqual([404, notFound])
  })

  test.each(['draft', 'private', 'future', 'trashed'])('responds with 404 for a %s post by its id', async (key) => {
    for (const login of [null, 'ada']) {
      expect((await embed(`https://quay.example/?p=${site.ids[`post.${key}`]}`, '', login)).status).toBe(404)
    }
  })

  test('responds with 404 for a medium and a revision by id', async () => {
    for (const key of ['media.pier', 'revision.hello.1']) {
      expect((await embed(`https://quay.example/?p=${site.ids[key]}`)).status).toBe(404)
    }
  })

  test.each([
    ['', 600, 338],
    ['&maxwidth=300', 300, 200],
    ['&maxwidth=500', 500, 282],
    ['&maxwidth=100', 200, 200],
    ['&maxwidth=9999', 600, 338],
    ['&maxwidth=1e999', 600, 338],
    ['&maxwidth=0', 200, 200],
    ['&maxwidth=-5', 200, 200],
    ['&maxwidth=abc', 200, 200],
    ['&maxwidth=', 200, 200],
    ['&maxwidth[]=500', 200, 200],
    ['&maxwidth=300&maxheight=50', 300, 200],
  ])('clamps the width: %j is %i wide', async (more, width, height) => {
    const { status, body } = await embed('https://quay.example/hello/', more)
    expect([status, body.width, body.height]).toEqual([200, width, height])
  })

  test('a protected post shows its title, without content or image', async () => {
    const { body } = await embed('https://quay.example/locked/')
    expect(body.title).toBe('Protected: Behind a password')
    expect(JSON.stringify(body)).not.toContain('Hidden')
  })

  test('returns the featured image as the thumbnail', async () => {
    const { body } = await embed('https://quay.example/tide/')
    expect(body).toMatchObject({
      thumbnail_url: 'https://quay.example/uploads/2024/01/pier.jpg',
      thumbnail_width: 600,
      thumbnail_height: 400,
    })
    const narrow = await embed('https://quay.example/tide/', '&maxwidth=299')
    expect(narrow.body).toMatchObject({ width: 299, thumbnail_width: 299, thumbnail_height: 199 })
  })

  test('writes escaped XML with format=xml', async () => {
    const created = await site.as('ada')('POST', '/cms/v2/posts', {
      body: { title: 'Salt & <em>pepper</em> "]]>', status: 'publish', slug: 'salt' },
    })
    const { status, body, headers } = await embed('https://quay.example/salt/', '&format=xml')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/xml; charset=UTF-8'])
    expect(body).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<oembed><version>1\.0<\/version>.*<\/oembed>$/)
    expect(body).toMatch(/<title>Salt &amp;[^<]*&lt;em&gt;pepper&lt;\/em&gt;[^<]*<\/title>/)
    await site.as('ada')('DELETE', `/cms/v2/posts/${created.body.id}`, { query: 'force=true' })
  })

  test('the HTML contains no markup of the title', async () => {
    const created = await site.as('ada')('POST', '/cms/v2/posts', {
      body: { title: '<img src=x onerror="alert(1)">"><script>x</script>Title', status: 'publish', slug: 'bad' },
    })
    const { html } = (await embed('https://quay.example/bad/')).body
    expect(html).not.toMatch(/<img|<script|onerror/)
    expect(html.match(/<\w+/g)).toEqual(['<blockquote', '<a', '<iframe'])
    await site.as('ada')('DELETE', `/cms/v2/posts/${created.body.id}`, { query: 'force=true' })
  })

  test.each(['format=yaml', 'format=', 'format[]=xml'])('%s is JSON', async (format) => {
    expect((await embed('https://quay.example/hello/', `&${format}`)).body.title).toBe('Hello quay')
  })

  test('refuses an embed without a URL, or with a list of URLs, with 400', async () => {
    const missing = await site.visitor('GET', '/oembed/1.0/embed')
    expect(missing).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } })
    const listed = await site.visitor('GET', '/oembed/1.0/embed', { query: 'url[]=x' })
    expect(listed).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
  })

  test.each([
    [null, 401],
    ['sam', 403],
  ])('the proxy refuses %s with %i', async (login, status) => {
    const answer = await proxy('https://quay.example/hello/', '', login)
    expect(answer).toMatchObject({ status, body: { code: 'rest_forbidden' } })
  })

  test.each(['connie', 'arthur', 'edith', 'ada'])('the proxy returns posts of this site to %s', async (login) => {
    const { status, body } = await proxy('https://quay.example/hello/', '&maxwidth=300', login)
    expect([status, body.title, body.width, body.height]).toEqual([200, 'Hello quay', 300, 200])
  })

  test('the proxy writes XML too, and checks its arguments', async () => {
    expect((await proxy('https://quay.example/hello/', '&format=xml')).body).toContain('<title>Hello quay</title>')
    for (const more of ['&format=yaml', '&maxwidth=abc', '&maxheight=abc', '&discover=perhaps']) {
      expect((await proxy('https://quay.example/hello/', more)).status).toBe(400)
    }
  })
})

describe('the permalink', () => {
  afterEach(() => site.dispose())

  test.each([
    ['/{year}/{month}/{slug}/', '/2024/01/hello/', '/2023/01/hello/'],
    ['/archive/{id}', '/archive/{id}', '/archive/999'],
    ['/Notes/{day}-{slug}.html', '/notes/10-hello.html', '/notes/11-hello.html'],
  ])('%s finds the post at %s, not at %s', async (permalink, right, wrong) => {
    site = await createTestSite({ seed: { ...smallSite, options: { ...smallSite.options, permalink } } })
    const at = (path: string) => `https://quay.example${path.replace('{id}', String(site.ids['post.hello']))}`
    expect((await embed(at(right))).body.title).toBe('Hello quay')
    expect((await embed(at(wrong))).status).toBe(404)
  })

  test('finds posts of a site below a path, with posts on its front page', async () => {
    const options = { ...smallSite.options, show_on_front: 'posts' }
    site = await createTestSite({ seed: { ...smallSite, options }, url: 'https://quay.example/blog' })
    const request = (url: string) =>
      site.api.fetch(new Request(`https://quay.example/api/oembed/1.0/embed?url=${encodeURIComponent(url)}`))
    expect((await request('https://quay.example/blog/hello/')).status).toBe(200)
    expect((await request('https://quay.example/hello/')).status).toBe(404)
    expect((await request('https://quay.example/blog/')).status).toBe(404)
  })
})
