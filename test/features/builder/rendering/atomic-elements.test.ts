import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkTo, tag, text } from '../../../support/atomic.ts'
import { containerElement, storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite

beforeAll(async () => {
  site = await createTestSite({ render: { tags: { tide: () => 'High <b>tide</b>', harbour: () => ({ url: '/h' }) } } })
})
afterAll(() => site.dispose())

const rendered = async (elements: readonly object[]) => {
  const id = await storeDocument(site, elements)
  const result = await site.api.render.document(id)
  if (!result) throw new Error('the document was not rendered')
  const start = result.html.indexOf('>') + 1
  return {
    ...result,
    inner: result.html.slice(start, -'</div>'.length),
    css: result.css.map(({ css }) => css).join(''),
  }
}
const html = async (type: string, settings: object, rest: object = {}) =>
  (await rendered([{ ...widgetElement('abc', type, settings), ...rest }])).inner

describe('texts', () => {
  test('accept tagged and plain values, and print their default when absent', async () => {
    expect(await html('e-heading', { title: text('Tide'), tag: text('h4') })).toBe(
      '<h4 class="e-heading-base">Tide</h4>',
    )
    expect(await html('e-heading', { title: 'Tide', tag: text('script') })).toBe('<h2 class="e-heading-base">Tide</h2>')
    expect(await html('e-heading', {})).toBe('<h2 class="e-heading-base">This is a title</h2>')
    expect(await html('e-heading', { title: text('') })).toBe('')
    expect(await html('e-heading', { title: { ...text('x'), disabled: true } })).toContain('This is a title')
    expect(await html('e-heading', { title: tag('mystery', 'x') })).toContain('This is a title')
    expect(await html('e-heading', { title: { a: 1 } })).toContain('This is a title')
    expect(await html('e-paragraph', { paragraph: tag('html-v3', { content: text('<i>a</i>'), children: [] }) })).toBe(
      '<p class="e-paragraph-base"><i>a</i></p>',
    )
  })

  test('ten tags may stand within each other, and not one more', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'deep' : text(nested(levels - 1) as string))
    expect(await html('e-heading', { title: nested(10) })).toContain('deep')
    expect(await html('e-heading', { title: nested(11) })).toContain('This is a title')
    expect(await html('e-heading', { title: nested(150) })).toContain('This is a title')
  })

  test('keep a few elements of phrases, and end what they begin', async () => {
    const title = text('<table><td><b>one</table></b></a><em onclick="x()">two<script>three</script>')
    expect(await html('e-heading', { title })).toBe('<h2 class="e-heading-base"><b>one</b><em>twothree</em></h2>')
    const list = text('<ul><li>one</ul>')
    expect(await html('e-paragraph', { paragraph: list })).toBe(
      '<div class="e-paragraph-base"><ul><li>one</li></ul></div>',
    )
    expect(await html('e-heading', { title: list })).toBe('<h2 class="e-heading-base">one</h2>')
  })

  test('a link has no links inside', async () => {
    const link = linkTo(tag('url', '/a'), { isTargetBlank: tag('boolean', true) })
    expect(await html('e-heading', { title: text('<a href="/b">x</a>'), link })).toBe(
      '<h2 class="e-heading-base"><a href="/a" target="_blank" rel="noopener" class="e-heading-link-base">x</a></h2>',
    )
  })

  test('dynamic values are filtered like all others', async () => {
    const title = tag('dynamic', { name: 'tide', group: 'x', settings: {} })
    expect(await html('e-heading', { title })).toBe('<h2 class="e-heading-base">High <b>tide</b></h2>')
    const link = linkTo(tag('dynamic', { name: 'harbour', settings: {} }))
    expect(await html('e-button', { text: text('Go'), link })).toBe(
      '<a class="e-button-base" href="/h" target="_self">Go</a>',
    )
    const unknown = await rendered([
      widgetElement('a', 'e-heading', { title: tag('dynamic', { name: 'constructor' }) }),
    ])
    expect(unknown.inner).toBe('')
    expect(unknown.warnings).toEqual([{ code: 'unknown_tag' }])
  })
})

describe('links', () => {
  test('lead to published posts only', async () => {
    const to = (id: number) => linkTo(tag('query', { id: tag('number', id), label: text('x') }))
    const published = await storeDocument(site, [], { title: 'Pier' })
    const draft = await storeDocument(site, [], { status: 'draft' })
    const { inner, dependencies } = await rendered([
      widgetElement('a', 'e-button', { text: text('a'), link: to(published) }),
      widgetElement('b', 'e-button', { text: text('b'), link: to(draft) }),
    ])
    expect(inner).toMatch(/^<a class="e-button-base" href="https?:[^"]+pier[^"]*" target="_self">a<\/a>/)
    expect(inner).toContain('<button class="e-button-base" type="button">b</button>')
    expect(dependencies).toEqual(expect.arrayContaining([`post:${published}`, `post:${draft}`]))
  })

  test('refuse scripts, and may be actions of a button', async () => {
    expect(await html('e-button', { text: text('x'), link: linkTo(tag('url', 'java\tscript:x()')) })).toBe(
      '<button class="e-button-base" type="button">x</button>',
    )
    const action = linkTo(tag('url', '#menu'), { tag: text('button') })
    expect(await html('e-button', { text: text('x'), link: action })).toBe(
      '<button class="e-button-base" data-action-link="#menu" type="button">x</button>',
    )
  })
})

test('ids and custom attributes are reduced to what is safe', async () => {
  const pair = (key: string, value: string) => tag('key-value', { key: text(key), value: text(value) })
  const names = ['onClick', 'href', 'style', 'id', 'class', 'srcdoc', 'formaction', '__proto__', 'a b', 'data-id']
  const attributes = tag('attributes', [...names.map((name) => pair(name, 'x')), pair('data-note', '"<b>'), 'x', null])
  expect(await html('e-divider', { _cssid: text('a"b c'), attributes })).toBe(
    '<hr data-note="&quot;&lt;b&gt;" id="abc" class="e-divider-base">',
  )
})

describe('containers', () => {
  test('have a wrapper, and are links with an address', async () => {
    const box = (settings: object) => ({ ...containerElement('box', settings, []), elType: 'e-div-block' })
    const { inner } = await rendered([
      box({ tag: text('section') }),
      box({ tag: text('table') }),
      box({ link: linkTo(tag('url', '/x')) }),
    ])
    const classes = 'class="builder-element builder-element-box e-con e-atomic-element e-div-block-base"'
    const data = 'data-id="box" data-element_type="e-div-block" data-e-type="e-div-block"'
    expect(inner).toBe(
      `<section ${classes} ${data}></section><div ${classes} ${data}></div>` +
        `<a ${classes} ${data} href="/x" target="_self"></a>`,
    )
  })

  test('are accepted as widgets, and widgets as elements', async () => {
    const { inner } = await rendered([
      widgetElement('a', 'e-flexbox'),
      { id: 'b', elType: 'e-divider', settings: [], styles: [], elements: [] },
    ])
    expect(inner).toContain('e-flexbox-base')
    expect(inner).toContain('<hr class="e-divider-base">')
  })
})

describe('tabs', () => {
  const part = (elType: string, id: string, elements: unknown[], settings: object = {}) => ({
    ...{ id, elType, settings, elements },
  })
  const tabs = (settings: object) =>
    part(
      'e-tabs',
      'set',
      [
        part('e-tabs-menu', 'menu', [part('e-divider', 'line', []), part('e-tab', 't0', []), part('e-tab', 't1', [])]),
        part('e-tabs-content-area', 'area', [part('e-tab-content', 'p0', []), part('e-tab-content', 'p1', [])]),
      ],
      settings,
    )

  test('join tabs and panels by their position', async () => {
    const { inner, behaviours } = await rendered([tabs({ 'default-active-tab': tag('number', 1) })])
    expect(inner).toContain('role="tab" aria-controls="set-tab-content-0" aria-selected="false" tabindex="-1"')
    expect(inner).toMatch(/id="set-tab-1" class="[^"]*e--selected[^>]+role="tab"[^>]+aria-selected="true" tabindex="0"/)
    expect(inner).toMatch(
      /id="set-tab-content-1" class="[^"]*e--selected[^>]+role="tabpanel" aria-labelledby="set-tab-1"/,
    )
    expect(behaviours).toEqual(['tabs'])
  })

  test('the first tab is selected when the chosen one is missing', async () => {
    for (const chosen of [9, -1, 0.5]) {
      const { inner } = await rendered([tabs({ 'default-active-tab': tag('number', chosen) })])
      expect(inner).toMatch(/id="set-tab-0" class="[^"]*e--selected[^>]+tabindex="0"/)
    }
  })

  test('a tab outside of tabs has no ids to share', async () => {
    const { inner } = await rendered([part('e-tab', 'alone', [])])
    expect(inner).toMatch(/^<button class="[^"]+" data-id="alone"[^>]+ role="tab"><\/button>$/)
  })
})

test('interactions are written as texts, those without motion not at all', async () => {
  const items = [
    'load-fade-in-left-300-0',
    { trigger: text('scrollIn'), animation: { effect: text('slide'), type: text('out'), direction: text('top') } },
    { trigger: 'hover', effect: 'explode' },
    'load-fade-in"><script>',
    7,
  ]
  const attributes =
    'data-interaction-id="abc" data-interactions="[&quot;load-fade-in-left-300-0&quot;,&quot;scrollIn-slide-out-top-300-0&quot;]"'
  expect(await html('e-divider', {}, { interactions: JSON.stringify({ items, version: 1 }) })).toContain(attributes)
  expect(await html('e-divider', {}, { interactions: { items: [] } })).toBe('<hr class="e-divider-base">')
  expect(await html('e-divider', {}, { interactions: '{' })).toBe('<hr class="e-divider-base">')
})

describe('media', () => {
  const imageOf = (src: object, size?: string) =>
    tag('image', { src: tag('image-src', { id: null, url: null, ...src }), ...(size && { size: text(size) }) })

  test('an image comes from its record, else from its address', async () => {
    const id = site.ids['media.pier'] ?? 0
    const own = await html('e-image', { image: imageOf({ id: tag('image-attachment-id', id) }) })
    expect(own).toMatch(/^<img class="e-image-base" src="https?:[^"]+"[^>]* alt="[^"]*" loading="lazy">$/)
    const byAddress = imageOf({ url: tag('url', 'https://cdn.example/a.png') })
    expect(await html('e-image', { image: byAddress, link: linkTo(tag('url', '/x')) })).toBe(
      '<a href="/x" target="_self" class="e-image-link-base"><img class="e-image-base" src="https://cdn.example/a.png" loading="lazy"></a>',
    )
    expect(await html('e-image', { image: imageOf({ url: tag('url', 'javascript:x()') }) })).toBe('')
    expect(await html('e-image', {})).toBe('')
  })

  test('a video has the player of its provider, and no other', async () => {
    const video = await html('e-youtube', { source: text('https://youtu.be/AbC123_xyz9'), loop: tag('boolean', true) })
    expect(video).toContain(
      'src="https://www.youtube.com/embed/AbC123_xyz9?controls=1&amp;mute=0&amp;loop=1&amp;rel=1&amp;cc_load_policy=0&amp;playlist=AbC123_xyz9"',
    )
    for (const source of [
      'javascript:x()',
      'https://youtube.com.evil.example/watch?v=AbC123_xyz9',
      '',
      'https://youtu.be/"><b>',
    ])
      expect(await html('e-youtube', { source: text(source) })).toBe('')
  })

  test('a video of the site is played from its record or its address, by itself only without sound', async () => {
    const source = (src: object) => ({ source: tag('video-src', { id: null, url: null, ...src }) })
    const address = source({ url: tag('url', 'https://films.example/sea.mp4') })
    expect(await html('e-self-hosted-video', address)).toBe(
      '<video class="e-self-hosted-video-base" src="https://films.example/sea.mp4" controls playsinline preload="metadata"></video>',
    )
    const quiet = { ...address, autoplay: tag('boolean', true), controls: tag('boolean', false) }
    expect(await html('e-self-hosted-video', quiet)).toMatch(/ autoplay muted playsinline /)
    const id = site.ids['media.pier'] ?? 0
    const own = await html('e-self-hosted-video', source({ id: tag('video-attachment-id', id) }))
    expect(own).toMatch(/ src="https?:[^"]+"/)
    expect(await html('e-self-hosted-video', source({ url: tag('url', 'javascript:x()') }))).toBe('')
  })
})
