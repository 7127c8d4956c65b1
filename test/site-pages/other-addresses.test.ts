/** Other addresses of a record, by parameters, short paths and feeds: one redirect leads to its address. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contentType } from '../../src/features/content/posts/content-type.ts'
import { content } from '../../src/profiles/content.ts'
import { full } from '../../src/profiles/full.ts'
import { baseUrl } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
beforeEach(async () => {
  site = await createTestPages({ profile: full })
})
afterEach(() => site.dispose())

const edith = async (method: string, path: string, body: object) => {
  const { status, body: answer } = await site.as('edith')(method, path, { body })
  expect(status).toBeLessThan(300)
  return answer
}
const createPage = async (slug: string, parent = 0, status = 'publish'): Promise<number> =>
  (await edith('POST', '/cms/v2/pages', { title: `Page ${slug}`, slug, parent, status })).id

const idOf = async (slug: string): Promise<number> =>
  (await site.as('ada')('GET', `/cms/v2/users?slug=${slug}`)).body[0].id

/** Follows a redirect, and expects that the page is there. */
async function targetOf(path: string): Promise<string> {
  const { status, location } = await site.get(path)
  expect(status, path).toBe(301)
  const target = (location as string).slice(baseUrl.length)
  expect((await site.get(target)).status, `${path} leads to ${target}`).toBe(200)
  return target
}

describe('a parameter of the home page', () => {
  test('with an id or a name is redirected to the address of the record or archive', async () => {
    const { 'post.hello': post, 'page.about': page, 'category.news': news } = site.ids
    const arthur = await idOf('arthur-author')
    const wanted = {
      [`/?p=${post}`]: '/hello/',
      [`/?p=${page}`]: '/front/about/',
      [`/?page_id=${page}`]: '/front/about/',
      '/?name=hello': '/hello/',
      '/?name=HELLO&post_type=post': '/hello/',
      '/?pagename=front/about': '/front/about/',
      [`/?author=${arthur}`]: '/author/arthur-author/',
      '/?author_name=arthur-author': '/author/arthur-author/',
      [`/?cat=${news}`]: '/category/news/',
      '/?category_name=news/news-harbour': '/category/news/news-harbour/',
      '/?tag=red': '/tag/red/',
      '/?m=2024': '/2024/',
      '/?m=202401': '/2024/01/',
      '/?year=2024&monthnum=1': '/2024/01/',
      '/?feed=rss2': '/feed/',
      '/?feed=atom': '/feed/atom/',
      [`/?cat=${news}&feed=rss2`]: '/category/news/feed/',
      [`/?author=${arthur}&feed=rss`]: '/author/arthur-author/feed/',
      [`/?p=${post}&feed=rss2`]: '/hello/feed/',
      [`/?p=${post}&embed=true`]: '/hello/embed/',
      '/?name=hello&utm=x': '/hello/?utm=x',
      '/journal/?feed=rss2': '/journal/feed/',
      '/hello/?feed=atom': '/hello/feed/atom/',
    }
    const found: { [path: string]: string } = {}
    for (const path of Object.keys(wanted)) found[path] = await targetOf(path)
    expect(found).toEqual(wanted)
  })

  test('with a page of an archive is redirected to that page', async () => {
    await site.api.site.options.write({ posts_per_page: 1 })
    const { 'category.news': news } = site.ids
    expect(await targetOf(`/?cat=${news}&paged=2`)).toBe('/category/news/page/2/')
    expect(await targetOf('/journal/?paged=1')).toBe('/journal/')
  })

  test('finds records in other scripts by their name', async () => {
    await edith('POST', '/cms/v2/posts', { title: '日本', status: 'publish' })
    expect(decodeURIComponent(await targetOf(`/?name=${encodeURIComponent('日本')}`))).toBe('/日本/')
  })

  test('that names nothing a visitor may see is 404', async () => {
    const secret = await edith('POST', '/cms/v2/posts', { title: 'Secret', slug: 'secret', status: 'private' })
    const draft = await createPage('draft', 0, 'draft')
    for (const query of [
      `p=${secret.id}`,
      'name=secret',
      'name=none',
      `page_id=${draft}`,
      'pagename=draft',
      `p=${secret.id}&feed=rss2`,
      // Visitors must not learn the logins of users without posts.
      `author=${await idOf('sam-subscriber')}`,
      'author=999999',
      'cat=999999',
      'tag=none',
    ]) {
      expect((await site.get(`/?${query}`)).status, query).toBe(404)
    }
  })

  test('with a value that is none of its kind, and one of the host, change nothing', async () => {
    for (const query of [
      'author=ada',
      'm=1',
      'year=none',
      'name=',
      'feed=none',
      'page=2',
      'post=1',
      'utm_source=mail',
    ]) {
      expect((await site.get(`/?${query}`)).status, query).toBe(200)
    }
    expect((await site.get('/hello/?name=Pat&author=2')).status).toBe(200)
  })

  test('is the address itself on a site without permalinks', async () => {
    await site.api.site.options.write({ permalink: '' })
    const id = site.ids['post.hello']
    expect(await targetOf('/?name=hello')).toBe(`/?p=${id}`)
    expect(await targetOf(`/?p=${id}&feed=rss2`)).toBe(`/feed/?p=${id}`)
  })
})

test('a parameter of the name of a type finds its records', async () => {
  await site.dispose()
  const film = contentType({
    name: 'film',
    labels: { singular: 'Film', plural: 'Films' },
    restBase: 'films',
    supports: ['title'],
  })
  site = await createTestPages({ profile: { ...content, features: [...content.features, film] } })
  await edith('POST', '/cms/v2/films', { title: 'Alien', status: 'publish' })
  expect(await targetOf('/?film=alien')).toBe('/alien/')
  expect(await targetOf('/?name=alien&post_type=film')).toBe('/alien/')
  expect((await site.get('/?film=none')).status).toBe(200)
})

describe('the path of a page', () => {
  test('without some of its parents is redirected to the whole one', async () => {
    const town = await createPage('town')
    const harbour = await createPage('harbour', town)
    await createPage('walk', harbour)
    for (const path of ['/walk/', '/walk', '/WALK/', '/harbour/walk/', '/town/walk/', '/walk/?x=1', '/walk/feed/']) {
      const query = path.includes('?') ? '?x=1' : ''
      expect(await targetOf(path)).toBe(`/town/harbour/walk/${path.includes('feed') ? 'feed/' : ''}${query}`)
    }
    expect((await site.get('/harbour/town/walk/')).status).toBe(404)
    expect((await site.get('/other/walk/')).status).toBe(404)
  })

  test('leads only to a page that visitors may see, and the nearest one', async () => {
    const town = await createPage('town')
    const north = await createPage('north', town)
    await createPage('mill', north)
    expect(await targetOf('/mill/')).toBe('/town/north/mill/')
    const hidden = await createPage('mill', town, 'private')
    expect(await targetOf('/mill/')).toBe('/town/north/mill/')
    await edith('POST', `/cms/v2/pages/${hidden}`, { status: 'publish' })
    expect(await targetOf('/mill/')).toBe('/town/mill/')
    const draft = await createPage('quay', town, 'draft')
    expect((await site.get('/quay/')).status).toBe(404)
    expect((await site.get(`/?page_id=${draft}`)).status).toBe(404)
  })

  test('without parents yields to a post and to an old address of a record', async () => {
    const town = await createPage('town')
    await createPage('hello', town)
    await createPage('2024', town)
    expect((await site.get('/hello/')).status).toBe(200)
    expect((await site.get('/2024/')).status).toBe(200)
    await createPage('tide', town)
    await edith('PUT', `/cms/v2/posts/${site.ids['post.tide']}`, { slug: 'high-tide' })
    expect(await targetOf('/tide/')).toBe('/high-tide/')
  })

  test('of a draft without a slug is that of the pages above and below it', async () => {
    const town = await createPage('town')
    const drafts = [await createPage('', 0, 'draft'), await createPage('', town, 'pending')]
    for (const [index, parent] of drafts.entries()) {
      const kid = await edith('POST', '/cms/v2/pages', { title: `Kid ${index}`, status: 'publish', parent })
      const path = ['/kid-0/', '/town/kid-1/'][index] as string
      expect(kid.link).toBe(baseUrl + path)
      expect((await site.get(path)).text).toContain(`<link rel="canonical" href="${baseUrl}${path}">`)
      expect((await site.get(`/?page_id=${kid.id}`)).location).toBe(baseUrl + path)
      const found = await site.visitor('GET', `/cms/v2/search?search=Kid%20${index}`)
      expect(found.body.map(({ url }: { url: string }) => url)).toEqual([baseUrl + path])
      const embed = await site.visitor('GET', `/oembed/1.0/embed?url=${encodeURIComponent(baseUrl + path)}`)
      expect(embed.body).toMatchObject({ title: `Kid ${index}` })
      expect((await site.get('/sitemap-page-1.xml')).text).toContain(`<loc>${baseUrl}${path}</loc>`)
    }
  })
})

test('the name of a post alone is redirected to its permalink', async () => {
  await site.api.site.options.write({ permalink: '/{year}/{month}/{slug}/' })
  expect(await targetOf('/hello/')).toMatch(/^\/2024\/\d\d\/hello\/$/)
  expect(await targetOf('/hello/feed/')).toMatch(/^\/2024\/\d\d\/hello\/feed\/$/)
})

describe('oEmbed', () => {
  const titleAt = async (address: string) =>
    (await site.visitor('GET', `/oembed/1.0/embed?url=${encodeURIComponent(address)}`)).body.title

  test('knows the address of the frame of a post, a page and the front page', async () => {
    expect(await titleAt(`${baseUrl}/hello/embed/`)).toBe('Hello quay')
    expect(await titleAt(`${baseUrl}/hello/embed`)).toBe('Hello quay')
    expect(await titleAt(`${baseUrl}/front/about/embed/`)).toBe('About')
    expect(await titleAt(`${baseUrl}/?p=${site.ids['post.hello']}&embed=true`)).toBe('Hello quay')
    expect(await titleAt(`${baseUrl}/embed/`)).toBe(await titleAt(`${baseUrl}/`))
    expect(await titleAt(`${baseUrl}/hello/embed/embed/`)).toBeUndefined()
  })
})

describe('the feed of a post', () => {
  const addComment = (post: number, body: object) =>
    site.as('ada')('POST', '/cms/v2/comments', { body: { post, ...body } })

  test('has its approved comments, the newest first', async () => {
    const post = (await edith('POST', '/cms/v2/posts', { title: 'Bread & salt', slug: 'bread', status: 'publish' })).id
    await addComment(post, { content: 'Which <b>flour</b>?', date: '2024-05-01T10:00:00' })
    await addComment(post, { content: 'Rye & wheat.', date: '2024-05-02T10:00:00' })
    await addComment(post, { content: 'Held back', status: 'hold' })
    const { status, headers, text } = await site.get('/bread/feed/')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=UTF-8'])
    expect(text).toMatch(/<title>Bread &amp; salt – /)
    expect(text.indexOf('Rye')).toBeLessThan(text.indexOf('flour'))
    expect(text).not.toContain('Held back')
    expect(text).toMatch(new RegExp(`<link>${baseUrl}/bread/#comment-\\d+</link>`))
    expect((await site.get('/bread/feed/atom/')).headers.get('content-type')).toContain('application/atom+xml')
    expect((await site.get('/bread/')).text).toContain(`href="${baseUrl}/bread/feed/"`)
  })

  test('shows no comments of a post with a password, and none of what visitors may not see', async () => {
    const locked = { title: 'Cellar', slug: 'cellar', status: 'publish', password: 'open' }
    const post = (await edith('POST', '/cms/v2/posts', locked)).id
    await addComment(post, { content: 'A secret' })
    const { status, text } = await site.get('/cellar/feed/')
    expect(status).toBe(200)
    expect(text).not.toContain('A secret')
    const hidden = await edith('POST', `/cms/v2/posts/${post}`, { status: 'private', password: '' })
    expect(hidden.status).toBe('private')
    expect((await site.get('/cellar/feed/')).status).toBe(404)
  })

  test('changes with the next comment', async () => {
    const post = site.ids['post.hello'] as number
    const before = (await site.get('/hello/feed/')).text
    await addComment(post, { content: 'News of the tide' })
    expect(before).not.toContain('News of the tide')
    expect((await site.get('/hello/feed/')).text).toContain('News of the tide')
  })
})
