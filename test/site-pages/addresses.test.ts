/** Tests the addresses that permalinks name, and that each place has one. */
import { afterEach, describe, expect, test } from 'vitest'
import { baseUrl } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const headingOf = (text: string) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]

describe('an address', () => {
  test('of a published post shows its title and content', async () => {
    site = await createTestPages()
    const { status, text, headers } = await site.get('/hello/')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).toContain('<p>Third wording.</p>')
    expect(text).toContain(`<link rel="canonical" href="${baseUrl}/hello/">`)
  })

  test.each([
    ['/hello', '/hello/'],
    ['/HELLO/', '/hello/'],
    ['//hello//', '/hello/'],
    ['/hello?a=1&b=2', '/hello/?a=1&b=2'],
    ['/category/news-harbour/', '/category/news/news-harbour/'],
    ['/journal/page/1/', '/journal/'],
    ['/journal/feed', '/journal/feed/'],
  ])('%s is redirected to %s', async (path, target) => {
    site = await createTestPages()
    const { status, location } = await site.get(path)
    expect([status, location]).toEqual([301, baseUrl + target])
  })

  test('with the id of a post is redirected to its permalink', async () => {
    site = await createTestPages()
    const id = site.ids['post.hello']
    expect((await site.get(`/?p=${id}`)).location).toBe(`${baseUrl}/hello/`)
    expect((await site.get(`/?page_id=${site.ids['page.about']}&x=1`)).location).toBe(`${baseUrl}/front/about/?x=1`)
  })

  test('with an id is the address itself on a site without permalinks', async () => {
    site = await createTestPages()
    await site.api.site.options.write({ permalink: '' })
    const id = site.ids['post.hello']
    expect((await site.get(`/?p=${id}`)).status).toBe(200)
    expect((await site.get('/hello/')).status).toBe(404)
    const category = site.ids['category.news']
    expect(headingOf((await site.get(`/?cat=${category}`)).text)).toBe('News')
    expect(headingOf((await site.get('/?tag=red')).text)).toBe('Red')
    expect((await site.get(`/feed/?cat=${category}`)).status).toBe(200)
  })

  test('with the id or slug of a term is redirected to its path', async () => {
    site = await createTestPages()
    const harbour = site.ids['category.news-harbour']
    expect((await site.get(`/?cat=${harbour}&x=1`)).location).toBe(`${baseUrl}/category/news/news-harbour/?x=1`)
    expect((await site.get('/?tag=red')).location).toBe(`${baseUrl}/tag/red/`)
  })

  test('of a page below another one lists the slugs of its parents', async () => {
    site = await createTestPages()
    expect(headingOf((await site.get('/front/about/')).text)).toBe('About')
    expect((await site.get('/about/')).location).toBe(`${baseUrl}/front/about/`)
  })

  test('that holds the date of a post is redirected when the date is wrong', async () => {
    site = await createTestPages()
    await site.api.site.options.write({ permalink: '/{year}/{month}/{slug}/' })
    const { location } = await site.get(`/?p=${site.ids['post.hello']}`)
    const path = new URL(location as string).pathname
    expect((await site.get(path)).status).toBe(200)
    expect((await site.get('/1999/01/hello/')).location).toBe(location)
  })

  test.each([
    '/no-such-page/',
    '/author/sam-subscriber/',
    '/category/none/',
    '/2024/13/',
    '/journal/page/99/',
    '/%zz/',
    '/hello/page/2/',
  ])('%s is 404 with a page', async (path) => {
    site = await createTestPages()
    const { status, text, headers } = await site.get(path)
    expect(status).toBe(404)
    expect(headingOf(text)).toBe('This page does not exist')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  test.each(['draft', 'pending', 'private', 'future', 'trash'])('of a post that is %s is 404', async (status) => {
    site = await createTestPages()
    const date = status === 'future' ? '2030-01-01T00:00:00' : '2024-01-01T00:00:00'
    const { data } = await site.api.call<{ id: number }>(
      'POST',
      '/cms/v2/posts',
      { title: 'Hidden', slug: 'hidden', status: status === 'trash' ? 'draft' : status, date },
      { as: 'system' },
    )
    if (status === 'trash') await site.api.call('DELETE', `/cms/v2/posts/${data.id}`, {}, { as: 'system' })
    expect((await site.get('/hidden/')).status).toBe(404)
    expect((await site.get(`/?p=${data.id}`)).status).toBe(404)
  })

  test('below the root of the API goes to the API', async () => {
    site = await createTestPages()
    const { status, text } = await site.get('/api/cms/v2/posts?per_page=1')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveLength(1)
  })

  test('of the front page goes to the API when its query names a route', async () => {
    site = await createTestPages()
    const { text, headers } = await site.get('/?rest_route=/cms/v2/posts&per_page=2')
    expect(JSON.parse(text)).toHaveLength(2)
    expect(headers.get('link')).toContain(`<${baseUrl}/api/>; rel="service-desc"`)
    expect((await site.get('/hello/?rest_route=/cms/v2/posts')).headers.get('content-type')).toContain('text/html')
    expect((await site.get('/')).headers.get('link')).toContain(`<${baseUrl}/api/>; rel="service-desc"`)
  })

  test('keeps the path of a home that has one', async () => {
    site = await createTestPages({ url: 'https://quay.example/notes' })
    expect((await site.get('/notes/hello')).location).toBe('https://quay.example/notes/hello/')
    expect((await site.get('/notes/hello/')).status).toBe(200)
    expect((await site.get('/hello/')).status).toBe(404)
  })
})

describe('an archive', () => {
  test.each([
    ['/journal/', 'Journal'],
    ['/category/news/', 'News'],
    ['/author/arthur-author/', 'Posts by Arthur Author'],
    ['/2024/', '2024'],
    ['/?s=hello', 'Results for “hello”'],
  ])('%s has the heading %s and links its posts', async (path, heading) => {
    site = await createTestPages()
    const { status, text } = await site.get(path)
    expect(status).toBe(200)
    expect(headingOf(text)).toBe(heading)
    expect(text).toMatch(/<ol class="site-list"><li>/)
  })

  test('has its posts on pages of their own', async () => {
    site = await createTestPages({}, { postsPerPage: 2 })
    const [first, second] = [await site.get('/journal/'), await site.get('/journal/page/2/')]
    const links = (text: string) => [...text.matchAll(/<h2><a href="([^"]+)"/g)].map(([, link]) => link)
    expect(links(second.text)).toHaveLength(2)
    expect(links(first.text).filter((link) => links(second.text).includes(link))).toEqual([])
    expect(first.text).toContain(`<link rel="next" href="${baseUrl}/journal/page/2/">`)
    expect(second.text).toContain(`<link rel="prev" href="${baseUrl}/journal/">`)
  })

  test('costs the same number of storage calls for 6 posts and for 20', async () => {
    const countOf = async (size: number) => {
      let calls = 0
      const counting = (storage: object): never =>
        new Proxy(storage, {
          get(target, name) {
            const value = Reflect.get(target, name)
            if (typeof value === 'function') {
              return (...given: unknown[]) => {
                if (name !== 'changes') calls++
                return value.apply(target, given)
              }
            }
            return typeof value === 'object' && value !== null ? counting(value) : value
          },
        }) as never
      site = await createTestPages({ storage: counting }, { postsPerPage: size })
      await site.get('/journal/')
      calls = 0
      await site.get('/journal/')
      const counted = calls
      await site.dispose()
      return counted
    }
    const [few, many] = [await countOf(6), await countOf(20)]
    site = await createTestPages()
    expect(many).toBe(few)
  })
})
