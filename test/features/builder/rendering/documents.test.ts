import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h, widget } from '../../../../src/render/builder/entry.ts'
import { containerElement, storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let calls = 0

/** Counts the calls of all storage methods. */
const counting = <T extends object>(target: T): T =>
  new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name)
      if (typeof value === 'object' && value !== null) return counting(value)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name !== 'changes') calls += 1
        return Reflect.apply(value, object, args)
      }
    },
  })

beforeAll(async () => {
  site = await createTestSite({
    storage: counting,
    render: {
      widgets: {
        'opening-hours': widget({
          html: ({ settings }) => h('p', { class: ['hours'], title: settings.text('note') }, settings.text('hours')),
        }),
      },
      tags: { harbour: () => 'Old <b>harbour</b>' },
    },
  })
})
afterAll(() => site.dispose())

const rendered = async (elements: unknown, options = {}) => {
  const id = await storeDocument(site, elements, options)
  const result = await site.api.render.document(id)
  if (!result) throw new Error('the document was not rendered')
  return { ...result, id, css: result.css.map(({ css }) => css).join('\n') }
}

describe('a document', () => {
  test('has a wrapper with its type and id', async () => {
    const { html, id } = await rendered([
      containerElement('1a2b3c4', {}, [widgetElement('1a2b3c5', 'heading', { title: 'Tide' })]),
    ])
    expect(html).toContain(`<div data-builder-type="wp-post" data-builder-id="${id}" class="builder builder-${id}">`)
    expect(html).toContain('<h2 class="builder-heading-title builder-size-default">Tide</h2>')
  })

  test('is absent when the post is no builder document, a draft, or protected by a password', async () => {
    const plain = await site.api.call<{ id: number }>('POST', '/cms/v2/posts', { title: 'x' }, { as: 'system' })
    expect(await site.api.render.document(plain.data.id)).toBeUndefined()
    expect(await site.api.render.document(999_999)).toBeUndefined()
    const elements = [widgetElement('1a2b3c5', 'heading')]
    const draft = await storeDocument(site, elements, { status: 'draft' })
    expect(await site.api.render.document(draft)).toBeUndefined()
    expect(await site.api.render.document(draft, { user: site.ids['user.admin'] ?? 0 })).toBeDefined()
    const locked = await storeDocument(site, elements, { password: 'rope' })
    expect(await site.api.render.document(locked)).toBeUndefined()
    expect(await site.api.render.document(locked, { unlocked: [locked] })).toBeDefined()
  })

  test('renders to the same bytes each time', async () => {
    const { id, ...first } = await rendered([containerElement('1a2b3c4', { padding: { unit: 'px', top: '4' } }, [])])
    const second = await site.api.render.document(id)
    expect({ ...second, css: second?.css.map(({ css }) => css).join('\n') }).toEqual(first)
  })

  test('survives what is no element, and says what it left out', async () => {
    const { html, warnings } = await rendered([
      null,
      7,
      'x',
      [],
      { elType: 'carousel-of-dreams', elements: [widgetElement('1', 'heading', { title: 'kept' })] },
    ])
    expect(html).toContain('kept')
    expect(warnings.map(({ code }) => code)).toEqual(['unknown_element'])
  })

  test('stops at its limit of depth', async () => {
    let inner: unknown[] = [widgetElement('abc', 'heading', { title: 'deepest' })]
    for (let level = 0; level < 80; level++) inner = [containerElement(`c${level}`, {}, inner)]
    const { html, warnings } = await rendered(inner)
    expect(html).not.toContain('deepest')
    expect(warnings).toEqual([{ code: 'too_deep' }])
  })
})

describe('safety', () => {
  test('texts are filtered, attributes escaped, and scripts of addresses refused', async () => {
    const { html } = await rendered([
      widgetElement('a', 'heading', {
        title: 'A <script>alert(1)</script><b>title</b>',
        link: { url: ' java\nscript:alert(1)' },
        _attributes: 'onclick|x\ntitle|"><img src=x onerror=alert(1)>',
      }),
    ])
    expect(html).not.toContain('<script')
    expect(html).not.toContain('onclick')
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/<a\b/)
    expect(html).toContain('<b>title</b>')
  })

  test('a text editor keeps the scripts of authors with that right only', async () => {
    const elements = [widgetElement('a', 'text-editor', { editor: '<p>x</p><script>go()</script>' })]
    expect((await rendered(elements)).html).toContain('<script>go()</script>')
    const id = await storeDocument(site, elements, { author: 'author' })
    expect((await site.api.render.document(id))?.html).not.toContain('<script')
  })

  test('no value leaves its declaration', async () => {
    const { css, warnings } = await rendered([
      widgetElement('a', 'heading', {
        title: 'x',
        title_color: 'red;}body{display:none',
        typography_typography: 'custom',
        typography_font_size: { unit: 'px;color:blue', size: '12' },
        typography_font_family: 'x";}</style><script>',
      }),
    ])
    expect(css).not.toMatch(/display:none\}?body|color:blue|<\/style|<script/)
    expect(css).not.toContain('body{display')
    expect(warnings).toEqual([{ code: 'unsafe_value', element: 'a' }])
  })

  test('custom CSS is parsed, and needs the right to write unfiltered HTML', async () => {
    const elements = [
      widgetElement('a', 'heading', {
        title: 'x',
        custom_css: '@import "//e.example/x.css"; selector b{color:red} selector{',
      }),
    ]
    const { css, id } = await rendered(elements)
    expect(css).not.toContain('@import')
    expect(css).toContain(`.builder-${id} .builder-element.builder-element-a b{color:red}`)
    const other = await storeDocument(site, elements, { author: 'author' })
    expect((await site.api.render.document(other))?.css.map((sheet) => sheet.css).join('')).not.toContain('color:red')
  })
})

describe('the host', () => {
  test('adds widgets and dynamic tags', async () => {
    const { html, warnings } = await rendered([
      widgetElement('a', 'opening-hours', { hours: '9 & 5', note: '"daily"' }),
      widgetElement('b', 'heading', { __dynamic__: { title: '[builder-tag id="x" name="harbour" settings=""]' } }),
    ])
    expect(html).toContain('<p class="hours" title="&quot;daily&quot;">9 &amp; 5</p>')
    expect(html).toContain('Old <b>harbour</b></h2>')
    expect(warnings).toEqual([])
  })
})

test('the number of storage calls does not grow with the elements', async () => {
  const page = (count: number) => [
    containerElement(
      'c',
      {},
      Array.from({ length: count }, (_, at) =>
        widgetElement(`e${at}`, 'image', {
          image: { id: at % 2 === 0 ? (site.ids['media.pier'] ?? 0) : 90_000 + at, url: '' },
        }),
      ),
    ),
  ]
  const cost = async (count: number) => {
    const id = await storeDocument(site, page(count))
    // The write wakes background work, whose calls are not those of the render.
    await site.api.site.runDue()
    calls = 0
    const result = await site.api.render.document(id)
    expect(result?.html.match(/<img/g)).toHaveLength(Math.ceil(count / 2))
    return calls
  }
  const few = await cost(4)
  expect(await cost(400)).toBe(few)
})

test('dependencies name what was read, also what is missing', async () => {
  const pier = site.ids['media.pier'] ?? 0
  const { dependencies, id } = await rendered([
    widgetElement('a', 'image', { image: { id: pier, url: '' } }),
    widgetElement('b', 'image', { image: { id: 77_777, url: '' } }),
    widgetElement('c', 'theme-site-title'),
  ])
  expect(dependencies).toEqual(
    ['kit', `media:${pier}`, 'media:77777', 'option:title', 'option:url', `post:${id}`].sort(),
  )
})
