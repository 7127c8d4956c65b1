import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { builderHtml, maxDepth } from '../../src/render/plain-builder/builder.ts'
import { widgets } from '../../src/render/plain-builder/widgets.ts'

const widget = (widgetType: string, settings: object, elements: object[] = []) => ({
  ...{ id: 'a1b2c3d', elType: 'widget', widgetType, settings, elements },
})
const html = (widgetType: string, settings: object) => builderHtml([widget(widgetType, settings)])

test('classic widgets read as plain HTML', () => {
  const cases: [string, object, string][] = [
    [
      'heading',
      { title: 'Fish & chips', header_size: 'h1', link: { url: '/menu' } },
      '<h1><a href="/menu">Fish &amp; chips</a></h1>',
    ],
    ['heading', { title: 'Hi', header_size: 'script' }, '<h2>Hi</h2>'],
    ['heading', {}, ''],
    ['text-editor', { editor: '<p>Hi <em>there</em></p>' }, '<p>Hi <em>there</em></p>'],
    [
      'button',
      { text: 'Go <b>', link: { url: 'https://a.test/?a=1&b=2' } },
      '<p><a href="https://a.test/?a=1&amp;b=2">Go &lt;b&gt;</a></p>',
    ],
    [
      'image',
      { image: { url: '/a.jpg', alt: 'A "cat"' }, caption: 'Tom' },
      '<figure><img src="/a.jpg" alt="A &quot;cat&quot;" loading="lazy"><figcaption>Tom</figcaption></figure>',
    ],
    ['image', { image: { id: 5 } }, ''],
    ['icon-box', { title_text: 'T', description_text: 'D' }, '<h3>T</h3><p>D</p>'],
    [
      'icon-list',
      { icon_list: [{ text: 'a', link: { url: '/a' } }, { text: '' }, 'x', { text: 'b' }] },
      '<ul><li><a href="/a">a</a></li><li>b</li></ul>',
    ],
    [
      'accordion',
      { tabs: [{ tab_title: 'T', tab_content: '<p>C</p>' }] },
      '<details open><summary>T</summary><p>C</p></details>',
    ],
    [
      'testimonial',
      { testimonial_content: 'Good', testimonial_name: 'Ann', testimonial_job: 'Boss' },
      '<blockquote><p>Good</p><footer>Ann, Boss</footer></blockquote>',
    ],
    ['progress', { title: 'Done', percent: { size: 250 } }, '<p>Done <progress max="100" value="100"></progress></p>'],
    ['video', { youtube_url: 'https://y.test/v' }, '<p><a href="https://y.test/v">https://y.test/v</a></p>'],
    ['divider', {}, '<hr>'],
    ['spacer', { space: 5 }, ''],
    ['unheard-of', { title: 'x' }, ''],
  ]
  for (const [name, settings, expected] of cases) expect([name, html(name, settings)]).toEqual([name, expected])
})

const tagged = ($$type: string, value: unknown) => ({ $$type, value })

test('widgets of the new generation keep tagged values', () => {
  expect(
    html('e-heading', {
      title: tagged('html-v3', { content: tagged('string', 'Hi'), children: [] }),
      tag: tagged('string', 'h1'),
    }),
  ).toBe('<h1>Hi</h1>')
  expect(html('e-paragraph', { paragraph: tagged('string', 'Text') })).toBe('<p>Text</p>')
  const link = tagged('link', { destination: tagged('url', 'https://a.test/') })
  expect(html('e-button', { text: tagged('string', 'Go'), link })).toBe('<p><a href="https://a.test/">Go</a></p>')
  const image = tagged('image', { src: tagged('image-src', { id: null, url: tagged('url', '/a.png') }) })
  expect(html('e-image', { image })).toBe('<img src="/a.png" alt="" loading="lazy">')
})

test('containers hold what is in them, and are left out when nothing is', () => {
  const inner = [widget('heading', { title: 'Hi' })]
  const page = [
    { id: 'one', elType: 'container', settings: { html_tag: 'main' }, elements: inner },
    { id: 'x"y', elType: 'section', elements: [{ id: 'c', elType: 'column', elements: inner }] },
    { id: 'two', elType: 'e-flexbox', settings: { tag: tagged('string', 'script') }, elements: inner },
    { id: 'empty', elType: 'container', elements: [] },
    null,
    'text',
    { elType: 'container', elements: 'none' },
  ]
  expect(builderHtml(page)).toBe(
    '<main data-id="one"><h2>Hi</h2></main>' +
      '<section data-id="x&quot;y"><div data-id="c"><h2>Hi</h2></div></section>' +
      '<div data-id="two"><h2>Hi</h2></div>',
  )
})

test('a host draws widgets of its own', () => {
  const page = [widget('heading', { title: 'Hi' }), widget('posts', {})]
  const options = {
    widget: ({ widgetType }: { [name: string]: unknown }) => (widgetType === 'posts' ? '<ol></ol>' : undefined),
  }
  expect(builderHtml(page, options)).toBe('<h2>Hi</h2><ol></ol>')
})

/** As a browser reads it. */
function runnable(drawn: string): string[] {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, values) {
      if (['script', 'svg', 'iframe', 'object', 'style'].includes(name)) found.push(name)
      for (const [attribute, value] of Object.entries(values)) {
        if (
          /^on/i.test(attribute) ||
          (/^(?:href|src)$/.test(attribute) && /^\s*(?:javascript|data|vbscript):/i.test(value))
        )
          found.push(`${attribute}=${value}`)
      }
    },
  })
  parser.end(drawn)
  return found
}

test('nothing that is written into a widget can run', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>1</script>',
    "' onmouseover='alert(1)",
  ]
  const names = [
    'title',
    'editor',
    'text',
    'html',
    'caption',
    'title_text',
    'description_text',
    'alert_title',
    'alert_description',
    'address',
    'testimonial_content',
    'testimonial_name',
    'paragraph',
    'anchor',
    'prefix',
    'ending_number',
    'rating',
    'header_size',
    'tag',
  ]
  for (const attack of attacks) {
    const link = { url: attack }
    const settings = {
      ...Object.fromEntries(names.map((name) => [name, attack])),
      ...{ link, image: { url: attack, alt: attack }, youtube_url: attack, source: attack, percent: attack },
      icon_list: [{ text: attack, link }],
      tabs: [{ tab_title: attack, tab_content: attack }],
      ...{ social_icon_list: [{ link }], carousel: [{ url: attack }], wp_gallery: [{ url: attack }] },
    }
    for (const name of Object.keys(widgets)) {
      expect([name, attack, runnable(html(name, settings))]).toEqual([name, attack, []])
    }
  }
})

test('what lies too deep is left out, and so deep a tree does no harm', () => {
  const nested = (depth: number): object => {
    let element: object = widget('heading', { title: 'deep' })
    for (let level = 0; level < depth; level++) element = { elType: 'container', elements: [element] }
    return element
  }
  expect(builderHtml([nested(maxDepth - 1)])).toContain('deep')
  expect(builderHtml([nested(maxDepth)])).toBe('')
  expect(builderHtml([nested(20_000)])).toBe('')
})
