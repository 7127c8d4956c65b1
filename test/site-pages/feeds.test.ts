/** Tests feeds, the sitemap, robots.txt, embedded posts, and the headers for caches. */
import { Parser } from 'htmlparser2'
import { afterEach, describe, expect, test } from 'vitest'
import { baseUrl } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

/** The texts of the elements of a name, in order. */
function textsOf(xml: string, wanted: string): string[] {
  const texts: string[] = []
  const open: string[] = []
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(name)
        if (name === wanted) texts.push('')
      },
      ontext(text) {
        if (open.at(-1) === wanted) texts.push((texts.pop() ?? '') + text)
      },
      onclosetag(name) {
        expect(open.pop()).toBe(name)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  expect(open).toEqual([])
  return texts
}

describe('a feed', () => {
  test('in RSS has the newest posts with address, date, author and content', async () => {
    site = await createTestPages()
    const { status, headers, text } = await site.get('/feed/')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=UTF-8'])
    const links = textsOf(text, 'link')
    expect(links[0]).toBe(`${baseUrl}/`)
    expect(links).toContain(`${baseUrl}/hello/`)
    expect(textsOf(text, 'pubDate')[0]).toMatch(/^\w{3}, \d\d \w{3} 2024 [\d:]{8} GMT$/)
    expect(textsOf(text, 'content:encoded').join('')).toContain('<p>Third wording.</p>')
    expect(textsOf(text, 'dc:creator')).toContain('Ada Admin')
    expect(textsOf(text, 'guid')).toContain(`${baseUrl}/?p=${site.ids['post.hello']}`)
  })

  test('in Atom has ids, dates and its own address', async () => {
    site = await createTestPages()
    const { headers, text } = await site.get('/feed/atom/')
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=UTF-8')
    expect(textsOf(text, 'id')).toContain(`${baseUrl}/?p=${site.ids['post.hello']}`)
    expect(textsOf(text, 'updated')[0]).toMatch(/^2024-\d\d-\d\dT[\d:]{8}Z$/)
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${baseUrl}/feed/atom/"/>`)
  })

  test('is well formed, whatever titles and names contain', async () => {
    site = await createTestPages()
    const hostile = `a ]]> <b> & "c" 'd' \u0007 \ud800 </item>`.toWellFormed()
    const term = await site.api.site.terms.create({ taxonomy: 'category', name: hostile, slug: 'odd' })
    const post = {
      title: hostile,
      status: 'publish',
      content: `<p>${hostile}</p><script>1</script>`,
      categories: [term.id],
    }
    await site.api.call('POST', '/cms/v2/posts', post, { as: 'system' })
    for (const path of ['/feed/', '/feed/atom/', '/category/odd/feed/']) {
      const { text } = await site.get(path)
      expect(textsOf(text, 'title').some((title) => title.includes(']]>'))).toBe(true)
      expect(text).not.toMatch(/[\0-\x08]|<script/)
    }
  })

  test('of an archive has its posts only', async () => {
    site = await createTestPages()
    const links = textsOf((await site.get('/category/news/feed/')).text, 'link')
    expect(links).toContain(`${baseUrl}/ferry/`)
    expect(links).not.toContain(`${baseUrl}/hello/`)
  })
})

describe('the sitemap', () => {
  test('lists files, and the files list what visitors may see', async () => {
    site = await createTestPages()
    const files = textsOf((await site.get('/sitemap.xml')).text, 'loc')
    expect(files).toContain(`${baseUrl}/sitemap-post-1.xml`)
    const all = await Promise.all(
      files.map(async (file) => textsOf((await site.get(new URL(file).pathname)).text, 'loc')),
    )
    const addresses = all.flat()
    for (const path of ['/hello/', '/front/about/', '/category/news/news-harbour/', '/author/arthur-author/', '/']) {
      expect(addresses).toContain(baseUrl + path)
    }
    const statuses = await Promise.all(
      addresses.map(async (address) => (await site.get(new URL(address).pathname)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const path of ['/locked/', '/private/', '/draft/', '/author/sam-subscriber/']) {
      expect(addresses).not.toContain(baseUrl + path)
    }
  })

  test('has files of at most 2000 addresses, each made with the same number of reads', async () => {
    let reads = 0
    const counted = (storage: object): never =>
      new Proxy(storage, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (name !== 'posts') return value
          return new Proxy(value as object, {
            get: (posts, method) => {
              reads++
              return Reflect.get(posts, method)
            },
          })
        },
      }) as never
    site = await createTestPages({ storage: counted })
    const { storage } = site.api['~parts']
    const [row] = await storage.posts.read([site.ids['post.hello'] as number])
    const { id: _id, version: _version, ...values } = row as NonNullable<typeof row>
    await storage.posts.insert(Array.from({ length: 2100 }, (_, at) => ({ ...values, slug: `many-${at}` })))
    const files = textsOf((await site.get('/sitemap.xml')).text, 'loc')
    expect(files.filter((file) => file.includes('sitemap-post-'))).toHaveLength(2)
    reads = 0
    expect(textsOf((await site.get('/sitemap-post-1.xml')).text, 'loc')).toHaveLength(2000)
    const whole = reads
    reads = 0
    expect(textsOf((await site.get('/sitemap-post-2.xml')).text, 'loc').length).toBeGreaterThan(100)
    expect(reads).toBe(whole)
  })

  test.each(['/sitemap-post-9.xml', '/sitemap-none-1.xml', '/sitemap-post-0.xml', '/sitemap-.xml'])(
    '%s does not exist',
    async (path) => {
      site = await createTestPages()
      expect((await site.get(path)).status).toBe(404)
    },
  )

  test('is named by robots.txt', async () => {
    site = await createTestPages()
    const { text, headers } = await site.get('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=UTF-8')
    expect(text).toContain(`Sitemap: ${baseUrl}/sitemap.xml`)
  })
})

describe('a page for caches', () => {
  test.each(['/hello/', '/journal/', '/feed/', '/sitemap.xml', '/robots.txt', '/hello/embed/'])(
    '%s has a validator, and is not sent again while it is the same',
    async (path) => {
      site = await createTestPages()
      const first = await site.get(path)
      const etag = first.headers.get('etag') as string
      const again = await site.get(path, { 'if-none-match': `"x", W/${etag}` })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
      const changed = { title: 'Changed', content: 'Changed' }
      await site.api.call('POST', `/cms/v2/posts/${site.ids['post.hello']}`, changed, { as: 'system' })
      const expected = ['/robots.txt', '/sitemap.xml'].includes(path) ? 304 : 200
      expect((await site.get(path, { 'if-none-match': etag })).status).toBe(expected)
    },
  )

  test('answers HEAD as GET without the body', async () => {
    site = await createTestPages()
    const [get, head] = [await site.get('/hello/'), await site.send('/hello/', { method: 'HEAD' })]
    expect([head.status, head.text, [...head.headers]]).toEqual([200, '', [...get.headers]])
  })

  test('leads clients to the API, to its record and to its embed data', async () => {
    site = await createTestPages()
    const { headers, text } = await site.get('/hello/')
    const id = site.ids['post.hello']
    expect(headers.get('link')).toContain(`<${baseUrl}/api/>; rel="service-desc"`)
    expect(headers.get('link')).toContain(`<${baseUrl}/api/cms/v2/posts/${id}>; rel="alternate"`)
    const embed =
      /application\/json\+oembed" title="[^"]*" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const data = JSON.parse((await site.get(embed.slice(baseUrl.length))).text)
    const frame = /src="([^"]+)"/.exec(data.html)?.[1] ?? ''
    const shown = await site.get(new URL(frame).pathname)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(shown.text).toContain('Hello quay')
  })
})
