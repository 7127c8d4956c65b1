/** Hostile svg files: the stored file runs nothing, asks no other server, and draws no more than it should. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileAt, mediaSite, upload, uploadsOf } from '../features/content/media/pictures.ts'
import type { TestSite } from '../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await mediaSite()
})
afterAll(() => site.dispose())

const type = 'image/svg+xml'
const shape = '<path d="M0 0h9v9z"/>'
const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}${shape}</svg>`

const hostile =
  /script|on\w+=|javascript|foreignobject|https?:(?!\/\/www\.w3\.org\/2000\/svg)|data:|<!|<\?|@import|<style|<image|<a[ >]|<iframe|<set|<animate|<handler|<feImage/i

test.each([
  ['a script', svg('<script>hit()</script><script href="https://evil.example/x.js"/>')],
  ['a script in a section', svg('<script><![CDATA[hit()]]></script>')],
  [
    'handlers',
    svg('<g onclick="hit()" ONLOAD="hit()"><rect width="1" height="1" onmouseover="hit()"/></g>', 'onload="hit()"'),
  ],
  ['HTML', svg('<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:hit()"/></foreignObject>')],
  ['links', svg('<a xlink:href="javascript:hit()"><circle r="2"/></a><a href="data:text/html,x"><circle r="2"/></a>')],
  [
    'animated links',
    svg(
      '<a><set attributeName="href" to="javascript:hit()"/><animate attributeName="xlink:href" values="javascript:hit()"/><circle r="1"/></a>',
    ),
  ],
  [
    'pictures of others',
    svg('<image href="https://evil.example/x.png"/><image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>'),
  ],
  ['parts of others', svg('<use href="https://evil.example/x.svg#a"/><use xlink:href="data:image/svg+xml,x#a"/>')],
  [
    'sheets of others',
    svg('<style>@import url(https://evil.example/x.css);.a{fill:url(https://evil.example/x)}</style>'),
  ],
  [
    'styles',
    svg(
      '<g style="fill:url(https://evil.example);background:url(javascript:hit())" fill="url(https://evil.example/#a)"/>',
    ),
  ],
  ['a sheet in its prolog', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
  [
    'entities',
    `<!DOCTYPE svg [<!ENTITY x "<script>hit()</script>"><!ENTITY y SYSTEM "file:///etc/passwd">]>${svg('<text>&x;&y;</text>')}`,
  ],
  ['filters', svg('<filter id="f"><feImage href="https://evil.example/x.png"/></filter>')],
  [
    'handlers of another kind',
    svg('<handler type="text/javascript">hit()</handler><listener event="load" handler="#x"/>'),
  ],
  ['text that looks like markup', svg('<text>&lt;script&gt;hit()&lt;/script&gt;</text>').replaceAll('hit()', '')],
])('%s are left out of a drawing', async (_what, source) => {
  const { status, body } = await upload(site, 'a.svg', source, { type })
  expect(status).toBe(201)
  const stored = await (await fileAt(site, body.source_url)).text()
  expect(stored.replaceAll(/&lt;\/?script&gt;/g, '')).not.toMatch(hostile)
  expect(stored).toContain('<path d="M0 0h9v9z"></path>')
})

const uses = (from: number, times: number) => `<use href="#l${from}"/>`.repeat(times)
const levels = (count: number, level: (at: number) => string) =>
  `<defs><g id="l0"><path d="M0 0h1"/></g>${Array.from({ length: count }, (_, at) => level(at)).join('')}</defs>${uses(count, 1)}`

test.each<[what: string, source: string, code: string, status: number]>([
  ['laughs', `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;]">]>${svg('<text>&b;</text>')}`, 'unreadable', 400],
  ['uses of uses', svg(levels(12, (at) => `<g id="l${at + 1}">${uses(at, 10)}</g>`)), 'unreadable', 400],
  [
    'patterns in patterns',
    svg(
      `${Array.from(
        { length: 9 },
        (_, at) => `<pattern id="p${at + 1}">${`<rect fill="url(#p${at})"/>`.repeat(10)}</pattern>`,
      ).join('')}<pattern id="p0"><rect/></pattern><rect style="fill:url(#p9)"/>`,
    ),
    'unreadable',
    400,
  ],
  [
    'masks in masks',
    svg(
      `${Array.from(
        { length: 9 },
        (_, at) => `<mask id="p${at + 1}">${`<rect mask="url(#p${at})"/>`.repeat(10)}</mask>`,
      ).join('')}<mask id="p0"><rect/></mask><rect mask="url(#p9)"/>`,
    ),
    'unreadable',
    400,
  ],
  ['a part of itself', svg('<g id="a"><use href="#a"/></g>'), 'unreadable', 400],
  [
    'two parts of each other',
    svg('<g id="a"><use href="#b"/></g><g id="b"><use xlink:href="#a"/></g>'),
    'unreadable',
    400,
  ],
  ['a long chain', svg(levels(5_000, (at) => `<g id="l${at + 1}">${uses(at, 1)}</g>`)), 'unreadable', 400],
  [
    'markers on each point',
    svg(
      `<marker id="m">${'<path d="M0"/>'.repeat(500)}</marker><path marker-mid="url(#m)" d="${'L1 1'.repeat(2000)}"/>`,
    ),
    'unreadable',
    400,
  ],
  ['deep elements', svg('<g>'.repeat(2_000) + '</g>'.repeat(2_000)), 'unreadable', 400],
  ['many bytes', svg('<path d="M0 0h1"/>'.repeat(70_000)), 'too_large', 413],
  [
    'rules for all elements',
    svg(`<style>.a{font-family:${'x'.repeat(1_900)}}</style>${'<g class="a"/>'.repeat(5_000)}`),
    'unreadable',
    400,
  ],
  ['an open tag', '<svg><path d="M0"', 'unreadable', 400],
  ['two roots', `${svg('')}${svg('')}`, 'unreadable', 400],
  ['text behind it', `${svg('')}<script>hit()</script>`, 'unreadable', 400],
  ['nothing to draw', '<svg xmlns="http://www.w3.org/2000/svg"><script>hit()</script></svg>', 'unreadable', 400],
])('a drawing with %s is refused, and nothing is stored', async (_what, source, code, status) => {
  const before = (await site.as('edith')('GET', '/cms/v2/media')).headers.get('x-cms-total')
  const { status: got, body } = await upload(site, 'a.svg', source, { type })
  expect([got, body.code]).toEqual([status, `rest_upload_svg_${code}`])
  expect((await site.as('edith')('GET', '/cms/v2/media')).headers.get('x-cms-total')).toBe(before)
})

test('a drawing that was cleaned stays as it is when it is cleaned again', async () => {
  const source = svg(
    '<style>.a{fill:red}</style><linearGradient id="g"><stop offset="1" stop-color="#fff"/></linearGradient><g class="a" style="opacity:.5"><text>A &amp; B</text></g>',
  )
  const first = await uploadsOf(site).upload('a.svg', new Blob([source]))
  const once = await (await fileAt(site, first.address)).text()
  const second = await uploadsOf(site).upload('a.svg', new Blob([once]))
  expect(await (await fileAt(site, second.address)).text()).toBe(once)
})
