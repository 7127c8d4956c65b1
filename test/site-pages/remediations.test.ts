/** Remediations on the pages of the site, in feeds and in embeds: which apply, what readers and caches get, and what they can not bring in. */
import { afterEach, describe, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import type { SitePagesOptions } from '../../src/site-pages/index.ts'
import { baseUrl } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const url = `${baseUrl}/pier/`
const alt = (value: string, xpath = '//img[@src="/pier.png"]') => ({
  ...{ type: 'ATTRIBUTE', category: 'A', action: 'add', xpath, attribute_name: 'alt', attribute_value: value },
})

async function open(options: SitePagesOptions = {}) {
  site = await createTestPages({ profile: full }, options)
  const ada = site.as('ada')
  const content =
    '<p>Low tide</p><img src="/pier.png"><button onclick="tide()">Go</button><iframe src="https://map.example/"></iframe>'
  const { body: post } = await ada('POST', '/cms/v2/posts', {
    body: { title: 'Pier', slug: 'pier', status: 'publish', date: '2024-06-14T10:00:00', content },
  })
  const send = async (method: string, path: string, body: object = {}) => {
    const response = await ada(method, `/a11y/v1/remediation${path}`, { body })
    expect(response.status).toBe(200)
    return response.body.data
  }
  const add = async (remediation: object, more: object = {}): Promise<number> => {
    const body = { url, rule: 'img_alt_missing', group: 'altText', remediation, ...more }
    return (await send('POST', '/item', body)).remediation.id
  }
  const show = async (path = '/pier/', headers = {}) => site.get(path, headers)
  return { post, send, add, show, ada }
}

describe('the page of a post', () => {
  test('has its remediations, and each change of them at once', async () => {
    const { add, send, show } = await open()
    const before = await show()
    expect(before.text).not.toContain('alt="A pier')
    const id = await add(alt('A pier of oak'))
    const shown = await show()
    expect(shown.text).toContain('src="/pier.png" alt="A pier of oak">')
    const changed = JSON.stringify(alt('A pier of pine'))
    await send('PUT', '/item', { id, url, content: changed })
    expect((await show()).text).toContain('alt="A pier of pine"')
    await send('PATCH', '/item', { id, url, active: false })
    expect((await show()).text).toBe(before.text)
    await send('PATCH', '/item', { id, url, active: true })
    await send('DELETE', '/item', { id, url })
    expect((await show()).text).toBe(before.text)
  })

  test('has the ETag of what it shows', async () => {
    const { add, show } = await open()
    const tagOf = async () => (await show()).headers.get('etag') ?? ''
    const before = await tagOf()
    expect((await show('/pier/', { 'if-none-match': before })).status).toBe(304)
    await add(alt('A pier of oak'))
    const renewed = await show('/pier/', { 'if-none-match': before })
    expect([renewed.status, renewed.text.includes('A pier of oak')]).toEqual([200, true])
    expect((await show('/pier/', { 'if-none-match': await tagOf() })).status).toBe(304)
    expect(await tagOf()).not.toBe(before)
  })

  test('has them whatever query a reader adds', async () => {
    const { add, show } = await open()
    await add(alt('A pier of oak'))
    expect((await show('/pier/?from=letter')).text).toContain('alt="A pier of oak"')
  })

  test('has those of all pages, unless one is switched off there', async () => {
    const { add, send, show } = await open()
    const id = await add({ type: 'STYLES', rule: '.site-lead { color: #222 }' }, { global: true })
    const has = async (path: string) => (await show(path)).text.includes('.site-lead { color: #222 }')
    expect(await Promise.all(['/pier/', '/', '/nowhere/', '/?s=pier'].map(has))).toEqual([true, true, true, true])
    await send('PUT', '/global-item', { id, url, active: false })
    expect([await has('/pier/'), await has('/')]).toEqual([false, true])
  })

  test('has none of another page', async () => {
    const { add, show } = await open()
    await add(alt('A pier of oak'), { url: `${baseUrl}/bay/` })
    expect((await show()).text).not.toContain('A pier of oak')
  })

  test('has none by option', async () => {
    const { add, show } = await open({ remediations: false, cacheTags: 'Cache-Tag' })
    await add(alt('A pier of oak'))
    const { text, headers } = await show()
    expect([text.includes('A pier of oak'), headers.get('cache-tag')?.includes('records:a11y')]).toEqual([false, false])
  })

  test('names them in the tags for caches, before there are any', async () => {
    const { show } = await open({ cacheTags: 'Cache-Tag' })
    for (const path of ['/pier/', '/feed/', '/pier/embed/']) {
      expect((await show(path)).headers.get('cache-tag')).toContain('records:a11y_remediations')
    }
  })

  test('is written by no reader', async () => {
    const { add, send, show } = await open()
    await send('POST', '/register', { url })
    await add(alt('A pier of oak'))
    await show()
    const { records } = site.api['~parts'].storage
    const kept = await records.query({ name: 'a11y_html', fields: { url: 'text' } }, { where: { every: [] } })
    expect(kept.rows).toEqual([])
  })
})

test('a page without remediations costs one read more', async () => {
  let reads = 0
  site = await createTestPages({
    profile: full,
    storage: (storage) => {
      const { query } = storage.records
      const counted: typeof query = (collection, conditions) => {
        if (collection.name.startsWith('a11y_')) reads++
        return query.call(storage.records, collection, conditions)
      }
      return Object.create(storage, {
        records: { value: Object.create(storage.records, { query: { value: counted } }) },
      })
    },
  })
  await site.get('/hello/')
  expect(reads).toBe(1)
  await site.get('/feed/')
  expect(reads).toBe(2)
})

describe('a feed and an embed', () => {
  test('have the remediations of each entry that name no place in the page', async () => {
    const { add, show, post } = await open()
    await add(alt('A pier of oak'))
    for (const path of ['/feed/', '/feed/atom/']) {
      expect((await show(path)).text).toContain('src=&quot;/pier.png&quot; alt=&quot;A pier of oak&quot;')
    }
    const { text } = await show('/pier/feed/')
    expect(text).not.toContain('A pier of oak')
    expect(post.id).toBeGreaterThan(0)
  })

  test.each(['/html/body/img[1]', '//img[1]', '//main//img[last()]', '//body/img'])(
    'leave out what %s addresses, which is another element there',
    async (xpath) => {
      const { add, show } = await open()
      await add(alt('A pier of oak', xpath))
      expect((await show('/feed/')).text).not.toContain('A pier of oak')
    },
  )

  test('find an element by its HTML', async () => {
    const { add, show } = await open()
    await add({ ...alt('A pier of oak', '/html/body/main/img[7]'), find: '<img src="/pier.png">' })
    expect((await show('/feed/')).text).toContain('A pier of oak')
  })

  test('has the ETag of what it shows', async () => {
    const { add, show } = await open()
    const before = (await show('/feed/')).headers.get('etag') ?? ''
    await add(alt('A pier of oak'))
    expect((await show('/feed/', { 'if-none-match': before })).status).toBe(200)
  })
})

describe('an administrator, who may write unfiltered HTML, brings in', () => {
  const attribute = (xpath: string, name: string, value: string) => ({
    ...{ type: 'ATTRIBUTE', action: 'add', xpath, attribute_name: name, attribute_value: value },
  })
  const image = '//img[@src="/pier.png"]'
  const replace = (find: string, by: string, xpath = '//main') => ({ type: 'REPLACE', xpath, find, replace: by })

  test.each([
    attribute(image, 'onerror', 'evil()'),
    attribute(image, 'ONLOAD', 'evil()'),
    attribute('//a', 'href', 'java\tscript:evil()'),
    attribute('//a', 'ping', 'https://evil.example/'),
    attribute('//iframe', 'srcdoc', '<script>evil()</script>'),
    attribute('//iframe', 'src', 'https://evil.example/'),
    attribute('//link', 'href', 'https://evil.example/x.css'),
    attribute('//form', 'action', 'https://evil.example/'),
    { type: 'ELEMENT', action: 'add_after', xpath: image, content: '<script>evil()</script>' },
    { type: 'ELEMENT', action: 'add_after', xpath: image, content: '<img src=x onerror="evil()">' },
    { type: 'ELEMENT', action: 'update', xpath: image, content: '<iframe src="https://evil.example/"></iframe>' },
    replace('<img', '<img onerror="evil()"'),
    replace('Low tide', '<svg><set attributeName="href" to="javascript:evil()"></set></svg>'),
    replace('Low tide', '</p><script src="https://evil.example/x.js"></script><p>'),
    replace('tide()', 'evil()'),
    replace('https://map.example/', 'https://evil.example/'),
    replace(
      'Low tide',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=evil()&gt;">',
    ),
    { type: 'STYLES', rule: 'p { } </style><script>evil()</script>' },
    { type: 'STYLES', xpath: image, rule: 'background: url(javascript:evil())' },
  ])('no script, handler or frame by %j', async (remediation) => {
    const { add, show } = await open()
    const activeIn = (text: string) => text.match(/<script|<iframe|\son\w+=/g)
    const before = activeIn((await show()).text)
    await add(remediation)
    const [page, feed] = [await show(), await show('/feed/')]
    expect(activeIn(page.text)).toEqual(before)
    for (const { text } of [page, feed]) expect(text).not.toContain('evil')
  })

  test('what is harmless', async () => {
    const { add, show } = await open()
    await add(replace('<p>Low tide</p>', '<h2 id="tide">Low <em>tide</em></h2>', '//p[.="Low tide"]'))
    await add(attribute('//iframe', 'title', 'Map of the bay'))
    const { text } = await show()
    expect(text).toContain('<h2 id="tide">Low <em>tide</em></h2>')
    expect(text).toContain('title="Map of the bay"')
    expect(text).toContain('onclick="tide()"')
  })
})

test('a page that is too deep for its remediations is shown as it came', async () => {
  const { add, show, ada } = await open()
  const content = `${'<div>'.repeat(1200)}<img src="/pier.png">`
  await ada('POST', '/cms/v2/posts', { body: { title: 'Deep', slug: 'deep', status: 'publish', content } })
  await add(alt('A pier of oak'), { url: `${baseUrl}/deep/` })
  const { status, text } = await show('/deep/')
  expect([status, text.includes('A pier of oak')]).toEqual([200, false])
})

test('profiles without remediations have pages all the same', async () => {
  site = await createTestPages()
  expect((await site.get('/hello/')).status).toBe(200)
})
