/** Built pages: templates, sheets, the script and forms. */
import { afterEach, describe, expect, test } from 'vitest'
import { wordpress } from '../../src/names/wordpress.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { containerElement, storeDocument, storeTemplate, widgetElement } from '../support/documents.ts'
import { smallSite } from '../support/small-site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const heading = (id: string, title: string, settings: object = {}) =>
  widgetElement(id, 'heading', { title, ...settings })
const box = (...elements: unknown[]) => [containerElement('box', {}, elements)]
const sheetsOf = (text: string): string[] =>
  [...text.matchAll(/<link rel="stylesheet" href="https:\/\/quay\.example([^"]+)"/g)].map(([, path = '']) => path)

async function template(type: string, condition: string, elements: unknown[]): Promise<number> {
  const { storage } = site.api['~parts']
  const id = await storeTemplate(storage, type, elements, { author: site.ids['user.admin'] as number })
  await storage.meta.write('post', [{ id, key: '_builder_conditions', value: [condition] }])
  return id
}

const pathOf = async (id: number) => new URL((await site.get(`/?p=${id}`)).location as string).pathname

describe('a built page', () => {
  test('has the templates that win its place around its document', async () => {
    site = await createTestPages()
    await template('header', 'include/general', box(heading('h1', 'Our header')))
    await template('footer', 'include/general', box(heading('f1', 'Our footer')))
    const id = await storeDocument(site, box(heading('d1', 'The document', { header_size: 'h1' })))
    const { text } = await site.get(await pathOf(id))
    const order = ['Our header', '<main', '>The document<', '</main>', 'Our footer'].map((part) => text.indexOf(part))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
    expect(text.match(/<header/g)).toHaveLength(1)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text).not.toContain('site-bar')
  })

  test('gets the title of its post where its document has no heading of the first level', async () => {
    site = await createTestPages()
    const id = await storeDocument(site, box(heading('d1', 'Small')), { title: 'The title' })
    expect((await site.get(await pathOf(id))).text).toContain('<h1 class="entry-title">The title</h1>')
  })

  test('of an archive, a search and an unknown address is their template', async () => {
    site = await createTestPages()
    await template('archive', 'include/archive', box(heading('a1', 'Template of archives')))
    await template('error-404', 'include/singular/not_found404', box(heading('n1', 'Template of nothing')))
    for (const path of ['/journal/', '/category/news/', '/2024/', '/?s=quay', '/author/arthur-author/']) {
      expect((await site.get(path)).text).toContain('Template of archives')
    }
    const missing = await site.get('/nowhere/')
    expect([missing.status, missing.text.includes('Template of nothing')]).toEqual([404, true])
  })

  test('of an archive lists its posts by a query that follows the page', async () => {
    site = await createTestPages({ names: wordpress })
    const query =
      '<!-- wp:query {"query":{"inherit":true}} --><div class="wp-block-query"><!-- wp:query-title /--><!-- wp:post-template {"layout":{"type":"grid"}} --><!-- wp:post-title /--><!-- /wp:post-template --><!-- wp:query-pagination --><!-- wp:query-pagination-next /--><!-- /wp:query-pagination --></div><!-- /wp:query -->'
    await template(
      'archive',
      'include/archive',
      box(widgetElement('w1', 'wp-widget-block', { wp: { content: query } })),
    )
    await site.api.site.options.write({ posts_per_page: 1 })
    const first = (await site.get('/category/news/')).text
    expect(first).toContain('<h1 class="wp-block-query-title">Category: News</h1>')
    expect(first).toContain('<ul class="is-layout-grid wp-block-post-template">')
    expect(first.match(/<li class="wp-block-post /g)).toHaveLength(1)
    expect(first).toContain('https://quay.example/category/news/page/2/')
    const second = (await site.get('/category/news/page/2/')).text
    expect(second.match(/<li class="wp-block-post /g)).toHaveLength(1)
    expect((await site.get('/2024/')).text).toContain('https://quay.example/2024/page/2/')
  })

  test('names the records that it was made of in the header that the host chose', async () => {
    site = await createTestPages({}, { cacheTags: 'Cache-Tag' })
    const header = await template('header', 'include/general', box(heading('h1', 'Ours')))
    const id = await storeDocument(site, box(heading('d1', 'Text')))
    const tags = (await site.get(await pathOf(id))).headers.get('cache-tag')?.split(',') ?? []
    const parts = [`post:${id}`, `post:${header}`, `post:${header}._builder_data`, 'option:builder_kit_colors']
    expect(tags).toEqual(expect.arrayContaining(parts))
    expect((await site.get('/locked/')).headers.get('cache-tag')).toBeNull()
  })
})

describe('a style sheet', () => {
  test('has an address that never changes what it answers', async () => {
    site = await createTestPages()
    const id = await storeDocument(site, box(heading('d1', 'Red', { title_color: '#ff0000' })))
    const paths = sheetsOf((await site.get(await pathOf(id))).text)
    expect(paths.length).toBeGreaterThan(2)
    const sheets = await Promise.all(paths.map((path) => site.get(path)))
    for (const { status, headers } of sheets) {
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/css; charset=UTF-8')
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('etag')).toMatch(/^"\w+"$/)
    }
    expect(sheets.map(({ text }) => text).join('')).toContain('#ff0000')
  })

  test('is found by a process that has not drawn its page', async () => {
    site = await createTestPages()
    const id = await storeDocument(site, box(heading('d1', 'Red', { title_color: '#ff0000' })))
    const page = await pathOf(id)
    const path = sheetsOf((await site.get(page)).text).find((sheet) => sheet.includes('document-')) as string
    const other = createSitePages(site.api)
    const url = `https://quay.example${path}`
    expect((await other.fetch(new Request(url))).status).toBe(404)
    const headers = { referer: `https://quay.example${page}` }
    const found = await other.fetch(new Request(url, { headers }))
    expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('#ff0000')])
  })

  test('of an older page is that of today, and not kept', async () => {
    site = await createTestPages()
    const id = await storeDocument(site, box(heading('d1', 'Red', { title_color: '#ff0000' })))
    const page = await pathOf(id)
    const path = sheetsOf((await site.get(page)).text).find((sheet) => sheet.includes('document-')) as string
    const old = path.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.')
    const { status, headers } = await site.get(old)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  })

  test('in the cascade comes first what belongs to the site, then what belongs to a document', async () => {
    site = await createTestPages()
    await template('header', 'include/general', box(heading('h1', 'Ours', { title_color: '#00ff00' })))
    const id = await storeDocument(site, box(heading('d1', 'Red', { title_color: '#ff0000' })))
    const keys = sheetsOf((await site.get(await pathOf(id))).text).map(
      (path) => /([\w-]+)\.\w+\.css$/.exec(path)?.[1] ?? '',
    )
    const documents = keys.filter((key) => key.startsWith('document-'))
    expect(documents).toHaveLength(2)
    expect(keys.slice(-2)).toEqual(documents)
    expect(keys[0]).toBe('theme')
    expect(new Set(keys).size).toBe(keys.length)
  })

  test.each([
    '/_pages/none.css',
    '/_pages/sheets/kit.0123456789abcdef.css',
    '/_pages/../x',
    '/_pages/page.0123456789abcdef.css',
  ])('%s does not exist', async (path) => {
    site = await createTestPages()
    expect((await site.get(path)).status).toBe(404)
  })
})

describe('the script', () => {
  test('is loaded only by pages that have something to do for it', async () => {
    site = await createTestPages()
    const tabs = widgetElement('t1', 'tabs', { tabs: [{ _id: 'a', tab_title: 'One', tab_content: 'First' }] })
    const [plain, tabbed] = [
      await storeDocument(site, box(heading('d1', 'Text'))),
      await storeDocument(site, box(tabs)),
    ]
    expect((await site.get(await pathOf(plain))).text).not.toContain('<script')
    const { text } = await site.get(await pathOf(tabbed))
    const path = /<script type="module" src="https:\/\/quay\.example([^"]+)"/.exec(text)?.[1] as string
    const script = await site.get(path)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=UTF-8')
    expect(script.text.length).toBeLessThan(10_000)
  })

  test('can be left out by the host', async () => {
    site = await createTestPages({}, { script: false })
    const tabs = widgetElement('t1', 'tabs', { tabs: [{ _id: 'a', tab_title: 'One', tab_content: 'First' }] })
    const id = await storeDocument(site, box(tabs))
    expect((await site.get(await pathOf(id))).text).not.toContain('<script')
  })
})

describe('a form', () => {
  const form = widgetElement('form1', 'form', {
    form_name: 'Write to us',
    form_fields: [{ _id: 'f1', custom_id: 'email', field_type: 'email', field_label: 'E-mail', required: 'true' }],
  })

  const sendForm = (id: number, path: string, email: string, headers: { readonly [name: string]: string } = {}) =>
    site.send(path, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ post_id: String(id), form_id: 'form1', 'form_fields[email]': email }),
    })

  test('stores what was sent, and leads back to its page with a word of thanks', async () => {
    site = await createTestPages({ profile: full })
    const id = await storeDocument(site, box(form))
    const path = await pathOf(id)
    const { status, location } = await sendForm(id, path, 'bob@mail.test')
    expect([status, location]).toEqual([303, `https://quay.example${path}?sent=form1`])
    expect((await site.get(`${path}?sent=form1`)).text).toContain('Your message has arrived.')
    const { data } = await site.api.call<{ data: { main: { value: string } }[] }>(
      'GET',
      '/builder/v1/form-submissions',
      {},
      { as: 'system' },
    )
    expect(data.data.map(({ main }) => main.value)).toEqual(['bob@mail.test'])
  })

  test('that is wrong shows its page with what is wrong', async () => {
    site = await createTestPages({ profile: full })
    const id = await storeDocument(site, box(form))
    const { status, text } = await sendForm(id, await pathOf(id), 'no address')
    expect(status).toBe(400)
    expect(text).toContain('role="alert"')
    expect(text).toContain('name="form_fields[email]"')
  })

  test('gets JSON for a script', async () => {
    site = await createTestPages({ profile: full })
    const id = await storeDocument(site, box(form))
    const { status, text } = await sendForm(id, await pathOf(id), 'bob@mail.test', { accept: 'application/json' })
    expect([status, JSON.parse(text)]).toEqual([200, { success: true }])
  })

  test('is not received where the profile stores none', async () => {
    site = await createTestPages()
    const id = await storeDocument(site, box(form))
    expect((await sendForm(id, await pathOf(id), 'bob@mail.test')).status).toBe(405)
  })
})

describe('the header of the theme', () => {
  const menu = {
    ...smallSite,
    options: { ...smallSite.options, menu_locations: { primary: 'Main place' } },
    menus: [
      {
        ...{ key: 'main', name: 'Main menu', slug: 'main-menu', locations: ['primary'] },
        items: [
          { key: 'one', title: 'Tides <b>', url: 'https://tides.example/' },
          { key: 'two', type: 'post_type', object: 'page', object_id: 'page.about', parent: 'one' },
          { key: 'three', title: 'Bad', url: 'javascript:alert(1)' },
        ],
      },
    ],
  }
  const linksOf = (text: string) =>
    [...(/<nav class="site-menu".*?<\/nav>/s.exec(text)?.[0] ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => href)

  test('links the items of the menu that has a place', async () => {
    site = await createTestPages({ profile: full, seed: menu })
    const { text } = await site.get('/hello/')
    expect(linksOf(text)).toEqual(['https://tides.example/', 'https://quay.example/front/about/'])
    expect(text).not.toContain('javascript:')
  })

  test('links the pages at the top level where no menu is', async () => {
    site = await createTestPages()
    expect(linksOf((await site.get('/hello/')).text)).toEqual(['https://quay.example/journal/'])
  })
})

test('with a names preset, pages and script have the public names', async () => {
  site = await createTestPages({ names: wordpress })
  const tabs = widgetElement('t1', 'tabs', { tabs: [{ _id: 'a', tab_title: 'One', tab_content: 'First' }] })
  const { storage } = site.api['~parts']
  const id = site.ids['post.ferry'] as number
  await storage.meta.write('post', [
    { id, key: '_builder_edit_mode', value: 'builder' },
    { id, key: '_builder_data', value: JSON.stringify(box(tabs)) },
  ])
  const { text, headers } = await site.get(await pathOf(id))
  expect(headers.get('link')).toContain('rel="https://api.w.org/"')
  expect(text).toContain('elementor-tab-title')
  const path = /<script type="module" src="https:\/\/quay\.example([^"]+)"/.exec(text)?.[1] as string
  const script = (await site.get(path)).text
  expect(script).toContain('elementor-js')
  expect(script).not.toContain('builder-')
})

test('a feed has the documents of built posts', async () => {
  site = await createTestPages()
  await storeDocument(site, box(heading('d1', 'Words of the document', { title_color: '#ff0000' })))
  expect((await site.get('/feed/')).text).toContain('Words of the document')
})

test('an api without a root leaves home and all other pages to the pages', async () => {
  site = await createTestPages({ root: '/' })
  expect((await site.get('/')).headers.get('content-type')).toContain('text/html')
  expect((await site.get('/hello/')).status).toBe(200)
  expect((await site.get('/cms/v2/posts')).headers.get('content-type')).toContain('application/json')
})

test('a page contains the sheets of its documents where the builder is set to it, and loads them again afterwards', async () => {
  site = await createTestPages({ profile: full })
  const css = '.own{content:"</style><b>"}'
  const id = await storeDocument(site, box(heading('d1', 'Styled', { title_color: '#123456', custom_css: css })))
  const path = await pathOf(id)
  const external = (await site.get(path)).text
  const set = (value: string) =>
    site.as('ada')('POST', '/builder/v1/settings/builder_css_print_method', { body: { value } })
  await set('internal')
  const { text } = await site.get(path)
  expect([sheetsOf(external).length > 2, external.includes('<style>')]).toEqual([true, false])
  expect(sheetsOf(text)).toEqual(sheetsOf(external).filter((address) => !address.includes('/sheets/')))
  const styles = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style)
  const loaded = sheetsOf(external).filter((address) => address.includes('/sheets/'))
  const texts = await Promise.all(loaded.map(async (address) => (await site.get(address)).text))
  expect(styles).toEqual(texts)
  expect(styles.join('')).toContain('#123456')
  expect(styles.join('')).toContain('.own{content:"\\3c /style>')
  await set('external')
  expect((await site.get(path)).text).toBe(external)
})
