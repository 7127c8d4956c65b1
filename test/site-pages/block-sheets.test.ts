/** Links the rules for the blocks of a page, and writes the layouts that their attributes name. */
import { afterEach, expect, test } from 'vitest'
import { wordpress } from '../../src/names/wordpress.ts'
import { createSitePages, type SitePagesOptions } from '../../src/site-pages/index.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

async function pageOf(
  content: string,
  options: Parameters<typeof createTestPages>[0] = {},
  pages: SitePagesOptions = {},
) {
  site = await createTestPages(options, pages)
  await site.as('arthur')('POST', '/cms/v2/posts', {
    body: { title: 'Blocks', slug: 'blocks', status: 'publish', content },
  })
  return (await site.get('/blocks/')).text
}
const sheetPath = (page: string) => /href="[^"]*?(\/_pages\/blocks\/[^"]+)"/.exec(page)?.[1]
const sheetOf = async (page: string) => (await site.get(sheetPath(page) ?? '/none')).text

const columns =
  '<!-- cms:columns --><div class="cms-block-columns"><!-- cms:column --><div class="cms-block-column"><p>a</p></div><!-- /cms:column --></div><!-- /cms:columns -->'
const quote = '<!-- cms:quote --><blockquote class="cms-block-quote"><p>Well.</p></blockquote><!-- /cms:quote -->'
const group = (attributes: string, tag = '<div class="cms-block-group">') =>
  `<!-- cms:group ${attributes} -->${tag}<p>a</p></div><!-- /cms:group -->`

test('a page with blocks links the rules of layouts, and those of its own blocks', async () => {
  const page = await pageOf(columns + quote)
  expect(sheetPath(page)).toMatch(/\/blocks\/layout_quote\.[0-9a-f]{16}\.css$/)
  const sheet = await sheetOf(page)
  for (const name of ['columns', 'cover', 'gallery', 'button', 'media-text', 'group', 'quote']) {
    expect(sheet).toContain(`.cms-block-${name}`)
  }
  expect(sheet).not.toContain('.cms-block-table table')
  expect(sheet).toContain('.has-vivid-red-color{')
  expect(sheet).toContain('--wp--preset--spacing--40:var(--cms--preset--spacing--40)')
})

test.each([
  ['paragraphs and headings', '<!-- cms:paragraph --><p>a</p><!-- /cms:paragraph -->'],
  ['texts that only speak of classes', '<p>class="cms-block-columns" alignleft</p>'],
])('a page with %s links none', async (_, content) => {
  expect(sheetPath(await pageOf(content))).toBeUndefined()
})

test.each([
  ['a colour', '<p class="has-vivid-red-color">a</p>'],
  ['a side', '<p><img class="size-full alignleft" src="https://a.example/a.png" alt=""></p>'],
])('a text without blocks that names %s has the rules', async (_, content) => {
  expect(sheetPath(await pageOf(content))).toMatch(/\/blocks\/layout\./)
})

test('a sheet of the host replaces the rules', async () => {
  expect(sheetPath(await pageOf(columns, {}, { styleSheet: 'p{}' }))).toBeUndefined()
})

test('the rules have the public names of classes', async () => {
  site = await createTestPages({ names: wordpress })
  await site.as('arthur')('POST', '/wp/v2/posts', {
    body: { title: 'B', slug: 'blocks', status: 'publish', content: columns.replace(/cms(?=[:-])/g, 'wp') },
  })
  const page = (await site.get('/blocks/')).text
  expect(page).toContain('class="wp-block-columns"')
  const sheet = await sheetOf(page)
  expect(sheet).toContain('.wp-block-columns')
  expect(sheet).not.toContain('cms-block-')
})

test('a sheet is kept for ever at its address, and only sheets that pages link exist', async () => {
  const path = sheetPath(await pageOf(columns)) ?? ''
  const asked = async (address: string) => {
    const { status, headers } = await site.get(address)
    return [status, headers.get('cache-control')]
  }
  expect(await asked(path)).toEqual([200, 'public, max-age=31536000, immutable'])
  expect(await asked(path.replace(/[0-9a-f]{16}/, '0'.repeat(16)))).toEqual([200, 'public, no-cache'])
  for (const name of ['quote', 'layout_quote_code', 'layout_layout', 'layout_none', 'layout_quote_quote']) {
    expect((await asked(path.replace('layout', name)))[0]).toBe(404)
  }
})

test('layouts of attributes become classes and properties on pages, not in the API', async () => {
  const attributes =
    '{"layout":{"type":"flex","orientation":"vertical","justifyContent":"center","flexWrap":"nowrap"},"style":{"spacing":{"blockGap":"var:preset|spacing|40"}}}'
  const content = group(attributes, '<div style="color:red" class="cms-block-group">')
  const page = await pageOf(content)
  expect(page).toContain(
    '<div style="--cms-gap:var(--cms--preset--spacing--40);color:red" class="cms-block-group is-layout-flex is-vertical is-nowrap is-content-justification-center">',
  )
  const { body } = await site.as('arthur')('GET', '/cms/v2/posts', { query: { slug: 'blocks' } })
  expect(JSON.stringify(body)).not.toContain('is-layout-flex')
})

test('a grid has its number or its width of columns', async () => {
  const page = await pageOf(
    group('{"layout":{"type":"grid","columnCount":4}}') +
      group('{"layout":{"type":"grid","minimumColumnWidth":"15rem"}}'),
  )
  expect(page).toContain('<div style="--cms-columns:4" class="cms-block-group is-layout-grid has-column-count">')
  expect(page).toContain('<div style="--cms-column:15rem" class="cms-block-group is-layout-grid">')
})

test('values that leave their declaration are left out', async () => {
  const bad = ['1em;position:fixed', 'url(javascript:alert(1))', '1em}body{', '\\"><script>', 'expression(1)']
  const page = await pageOf(bad.map((gap) => group(`{"style":{"spacing":{"blockGap":"${gap}"}}}`)).join(''))
  expect(page.match(/<div class="cms-block-group">/g)).toHaveLength(bad.length)
})

test('presets and widths of the host join the default ones', async () => {
  const theme = {
    settings: {
      color: {
        palette: [
          { slug: 'moss', name: 'Moss', color: 'rgb(40, 80, 40)' },
          { slug: 'black', color: '#111' },
        ],
        gradients: [{ slug: 'dusk', gradient: 'linear-gradient(90deg, #111 0%, #333 100%)' }],
      },
      typography: { fontSizes: [{ slug: 'tiny', size: 'clamp(.6rem, 1vw, .8rem)' }] },
      spacing: { spacingSizes: [{ slug: '90', size: '7rem' }] },
      layout: { contentSize: '45rem', wideSize: '80rem' },
    },
  }
  const sheet = await sheetOf(await pageOf(columns, {}, { theme }))
  for (const rule of [
    '--cms--preset--color--moss:rgb(40, 80, 40)',
    '--cms--preset--color--black:#111;',
    '--cms--preset--color--white:#fff',
    '.has-moss-background-color{',
    '.has-dusk-gradient-background{',
    '.has-tiny-font-size{',
    '--wp--preset--spacing--90:var(--cms--preset--spacing--90)',
    ':root{--site-measure:45rem;--site-width:80rem}',
  ]) {
    expect(sheet).toContain(rule)
  }
})

test('styles of the host become rules: of the page, of elements, and of the blocks that a page has', async () => {
  const theme = {
    settings: { typography: { fontFamilies: [{ slug: 'body', fontFamily: '"Own Serif", serif' }] } },
    styles: {
      color: { text: '#f0ede6', background: '#14181c' },
      typography: { fontFamily: 'var:preset|font-family|body', lineHeight: 1.7 },
      spacing: { blockGap: '1.5rem' },
      elements: {
        link: { color: { text: '#9fd3ff' }, ':hover': { typography: { textDecoration: 'none' } } },
        heading: { typography: { fontWeight: '400' } },
        h2: { typography: { fontSize: 'clamp(1.5rem, 3vw, 2.5rem)' } },
        button: { color: { background: 'var:preset|color|vivid-red' }, border: { radius: '0' } },
      },
      blocks: {
        'core/quote': {
          spacing: { padding: { left: '2rem', top: '1rem' } },
          elements: { cite: { color: { text: { ref: 'styles.elements.link.color.text' } } } },
          variations: { loud: { typography: { fontSize: '2rem' } } },
        },
        'core/paragraph': { typography: { letterSpacing: '.01em' } },
        'core/code': { color: { text: 'red' } },
      },
    },
  }
  const page = await pageOf(columns + quote, {}, { theme })
  const sheet = await sheetOf(page)
  for (const rule of [
    '--site-text:#f0ede6;--site-back:#14181c;--site-link:#9fd3ff;',
    '.has-body-font-family{font-family:var(--cms--preset--font-family--body)!important}',
    ':where(body){color:#f0ede6;background-color:#14181c;font-family:var(--cms--preset--font-family--body);line-height:1.7}',
    ':where(main) a:where(:not([class*=button])):hover{text-decoration:none}',
    ':root h2{font-size:clamp(1.5rem, 3vw, 2.5rem)}',
    ':is(.cms-block-button__link,.cms-element-button){background-color:var(--cms--preset--color--vivid-red);border-radius:0}',
    '.cms-block-quote{padding-top:1rem;padding-left:2rem}',
    '.cms-block-quote cite{color:#9fd3ff}',
    '.cms-block-quote.is-style-loud{font-size:2rem}',
  ]) {
    expect(sheet).toContain(rule)
  }
  expect(sheet).not.toMatch(/cms-block-paragraph\{|cms-block-code\{color/)
  expect(page).toMatch(/<html [^>]*class="has-built"/)
  const front = (await site.get('/journal/')).text
  expect(sheetPath(front)).toMatch(/\/blocks\/layout\./)
})

test.each([
  ['a value that ends its declaration', { color: { text: 'red}body{x:y' } }, /theme\.styles\.color\.text must be/],
  [
    'an address',
    { blocks: { 'core/quote': { color: { gradient: 'url(https://a.example/x)' } } } },
    /core\/quote\.color\.gradient/,
  ],
  ['a name that ends its selector', { blocks: { 'core/a{b': {} } }, /names like core\/quote/],
  ['a reference to no value', { elements: { link: { color: { text: { ref: 7 } } } } }, /elements\.link\.color\.text/],
])('refuses styles with %s', async (_, styles, message) => {
  site = await createTestPages()
  // The cast: a host without types may give anything.
  expect(() => createSitePages(site.api, { theme: { styles: styles as object } })).toThrow(message)
})

test.each([
  ['a value that ends its declaration', 'red}body{color:blue', /color\.palette\[0\]\.color must be a value of CSS/],
  ['an address', 'url(https://a.example/x)', /color\.palette\[0\]\.color must be/],
  ['two declarations', 'red;position:fixed', /color\.palette\[0\]\.color must be/],
])('refuses %s', async (_, color, message) => {
  site = await createTestPages()
  const theme = { settings: { color: { palette: [{ slug: 'moss', color }] } } }
  expect(() => createSitePages(site.api, { theme })).toThrow(message)
  const named = { settings: { color: { palette: [{ slug: 'a{b', color: 'red' }] } } }
  expect(() => createSitePages(site.api, { theme: named })).toThrow(/palette\[0\]\.slug/)
})

test.each([
  ['a background', '<p class="has-white-background-color has-background">a</p>'],
  ['a gradient', '<p class="has-cool-to-warm-spectrum-gradient-background">a</p>'],
  ['a preset colour', '<p class="has-black-color has-text-color">a</p>'],
  ['a colour of its own', '<p><span style="color:#222222">a</span></p>'],
  ['a cover', '<!-- cms:cover --><div class="cms-block-cover is-light"><p>a</p></div><!-- /cms:cover -->'],
])('a page on which the author chose %s stays in the light scheme', async (_, content) => {
  const page = await pageOf(content)
  expect(page).toMatch(/<html [^>]*class="has-built"/)
  expect(page).not.toContain('name="color-scheme"')
})

test.each([
  ['columns', columns],
  [
    'alignments and sizes',
    '<p class="has-text-align-center has-large-font-size alignwide" style="text-align:center">a</p>',
  ],
  ['texts that only speak of colours', '<p>class="has-background" style="color:red"</p>'],
])('a page with %s follows the scheme of the reader', async (_, content) => {
  const page = await pageOf(content)
  expect(page).not.toContain('has-built')
  expect(page).toContain('content="light dark"')
})

test.each([
  ['the background of a block', { blocks: { 'core/quote': { color: { background: '#ffffff' } } } }],
  ['the background of buttons', { elements: { button: { color: { background: '#123456' } } } }],
  ['a gradient', { blocks: { 'core/quote': { color: { gradient: 'linear-gradient(#fff,#eee)' } } } }],
])('a theme that sets %s keeps its pages in one scheme', async (_, styles) => {
  expect(await pageOf(quote, {}, { theme: { styles } })).toMatch(/<html [^>]*class="has-built"/)
})

test('a theme that sets no colour leaves the scheme to the reader', async () => {
  const styles = { border: { color: 'red' }, typography: { lineHeight: 1.7 } }
  expect(await pageOf(quote, {}, { theme: { styles } })).not.toContain('has-built')
})

test('a cover with the public name of its class stays in the light scheme', async () => {
  site = await createTestPages({ names: wordpress })
  const content = '<!-- wp:cover --><div class="wp-block-cover is-light"><p>a</p></div><!-- /wp:cover -->'
  await site.as('arthur')('POST', '/wp/v2/posts', { body: { title: 'B', slug: 'blocks', status: 'publish', content } })
  expect((await site.get('/blocks/')).text).toMatch(/<html [^>]*class="has-built"/)
})
