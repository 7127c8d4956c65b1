/** Scans HTML of a host by each rule: a page that breaks it, one that does not, and what the proposal makes of the first. */
import { describe, expect, test } from 'vitest'
import { openSite } from './fixture.ts'

const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
const url = 'https://quay.example/own/'
const pageOf = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Quay</title>${head}</head><body><main><h1>Quay</h1>${body}</main></body></html>`

async function open() {
  const site = await openSite()
  const { accessibility } = site.api.site
  const scan = (html: string, sheets: readonly string[] = []) => accessibility.scan(url, { html, sheets, store: false })
  const rulesOf = async (html: string, sheets?: readonly string[]) =>
    (await scan(html, sheets)).findings.map(({ rule }) => rule)
  return { ...site, accessibility, scan, rulesOf }
}

const cases: readonly (readonly [rule: string, wrong: string, right: string])[] = [
  ['image-alt', `<img src="${picture}">`, `<img src="${picture}" alt="">`],
  ['input-image-alt', `<input type="image" src="${picture}">`, `<input type="image" src="${picture}" alt="Go">`],
  ['role-img-alt', '<div role="img"></div>', '<div role="img" aria-label="Boat"></div>'],
  ['svg-img-alt', '<svg role="img"></svg>', '<svg role="img"><title>Boat</title></svg>'],
  ['frame-title', '<iframe src="/map"></iframe>', '<iframe src="/map" title="Map"></iframe>'],
  ['link-name', '<a href="/bay/"><i></i></a>', '<a href="/bay/"><i></i>Bay</a>'],
  ['button-name', '<button type="button"></button>', '<button type="button" aria-label="Close"></button>'],
  ['aria-command-name', '<div role="button" tabindex="0"></div>', '<div role="button" tabindex="0">Go</div>'],
  ['input-button-name', '<input type="button">', '<input type="submit">'],
  ['label', '<input name="q">', '<label>Search <input name="q"></label>'],
  ['select-name', '<select name="b"></select>', '<select name="b" aria-label="Boat"></select>'],
  ['heading-order', '<h4>Ebb</h4>', '<h2>Ebb</h2>'],
  ['empty-heading', '<h2></h2>', '<h2>Ebb</h2>'],
  ['duplicate-id', '<p id="a">One</p><p id="a">Two</p>', '<p id="a">One</p><p id="b">Two</p>'],
  [
    'duplicate-id-aria',
    '<b id="a">A</b><b id="a">B</b><input aria-labelledby="a">',
    '<b id="a">A</b><input aria-labelledby="a">',
  ],
  ['no-autoplay-audio', '<audio src="/sea.mp3" autoplay></audio>', '<audio src="/sea.mp3" autoplay controls></audio>'],
  ['valid-lang', '<p lang="zz-ZZ">Hm</p>', '<p lang="de">Hm</p>'],
  ['aria-hidden-focus', '<p aria-hidden="true"><a href="/x">X</a></p>', '<p aria-hidden="true">X</p>'],
  ['color-contrast', '<p style="color:#999">Ebb</p>', '<p style="color:#333">Ebb</p>'],
]

test.each(cases)('%s is found, mended by its proposal, and not found where all is well', async (rule, wrong, right) => {
  const { accessibility, scan, rulesOf, send } = await open()
  const { findings } = await scan(pageOf(wrong))
  expect(findings.map((one) => one.rule)).toEqual([rule])
  expect(await rulesOf(pageOf(right))).toEqual([])
  const remediation = findings[0]?.proposal
  expect((await send('POST', '/remediation/item', { url, rule, group: 'other', remediation })).status).toBe(200)
  const mended = await accessibility.remediate(url, pageOf(wrong))
  expect((await rulesOf(mended)).filter((one) => one === rule)).toEqual([])
})

test.each([
  ['html-has-lang', '<html><title>Quay</title><main><h1>Quay</h1></main>'],
  ['html-lang-valid', '<html lang="xq"><title>Quay</title><main><h1>Quay</h1></main>'],
  ['document-title', '<html lang="en"><main><h1>Quay</h1></main>'],
  ['page-has-heading-one', '<html lang="en"><title>Quay</title><main><h2>Quay</h2></main>'],
  [
    'landmark-no-duplicate-main',
    '<html lang="en"><title>Q</title><main aria-label="a"><h1>Q</h1></main><main aria-label="b">B</main>',
  ],
  ['landmark-unique', '<html lang="en"><title>Q</title><nav>A</nav><nav>B</nav><main><h1>Q</h1></main>'],
  ['region', '<html lang="en"><title>Q</title><p>Out</p><main><h1>Q</h1></main>'],
])('%s is found of a whole page', async (rule, html) => {
  const { rulesOf } = await open()
  expect(await rulesOf(html)).toEqual([rule])
})

describe('the contrast of a text', () => {
  const isPale = async (body: string, sheet = '') => {
    const { rulesOf } = await open()
    return (await rulesOf(pageOf(body), [sheet])).includes('color-contrast')
  }

  test.each([
    ['a class', '<p class="a">Ebb</p>', '.a{color:#999}'],
    ['a variable of the kit', '<p class="a">Ebb</p>', ':root{--kit:#999}.a{color:var(--kit)}'],
    ['the fallback of a variable', '<p style="color:var(--none, #999)">Ebb</p>', ''],
    ['a colour that is inherited', '<div style="color:#999"><p>Ebb</p></div>', ''],
    ['the background of an element around', '<div class="a"><p>Ebb</p></div>', '.a{background:#222}'],
    [
      'backgrounds over each other',
      '<div style="background:#000"><p style="background:rgb(255 255 255/.2);color:#666">Ebb</p></div>',
      '',
    ],
    ['a veil', '<div style="opacity:.4"><p style="color:#333">Ebb</p></div>', ''],
    ['a wide screen', '<p class="a">Ebb</p>', '@media (min-width:800px){.a{color:#999}}'],
    ['a rule with more weight', '<p class="a" id="b">Ebb</p>', '#b{color:#999}.a{color:#000}'],
    ['an important rule', '<p class="a" style="color:#000">Ebb</p>', '.a{color:#999!important}'],
    ['a large text', '<p style="font-size:24px;color:#a0a0a0">Ebb</p>', ''],
  ])('is judged by %s', async (_, body, sheet) => {
    expect(await isPale(body, sheet)).toBe(true)
  })

  test.each([
    ['a narrow screen', '<p class="a">Ebb</p>', '@media (max-width:600px){.a{color:#999}}'],
    ['the dark scheme', '<p class="a">Ebb</p>', '@media (prefers-color-scheme:dark){.a{color:#999}}'],
    ['a touch', '<p class="a">Ebb</p>', '.a:hover{color:#999}'],
    ['a layer below', '<p class="a">Ebb</p>', '@layer base{p.a{color:#999}}.a{color:#000}'],
    ['a text that is hidden', '<p style="display:none;color:#999">Ebb</p>', ''],
    ['a control that is off', '<button disabled style="color:#999">Ebb</button>', ''],
    ['a large text', '<p style="font-size:24px;color:#8a8a8a">Ebb</p>', ''],
    ['a picture, which people have to judge', '<p style="background:url(/sea.jpg);color:#999">Ebb</p>', ''],
    ['a loop of variables', '<p class="a">Ebb</p>', ':root{--a:var(--b);--b:var(--a)}.a{color:var(--a)}'],
  ])('is not judged by %s', async (_, body, sheet) => {
    expect(await isPale(body, sheet)).toBe(false)
  })

  test('is mended by the nearest shade that is readable', async () => {
    const { scan } = await open()
    const proposals = async (style: string) =>
      (await scan(pageOf(`<p style="${style}">Ebb</p>`))).findings.map(({ proposal }) => proposal?.['rule'])
    expect(await proposals('color:#999')).toEqual(['color: #747474'])
    expect(await proposals('color:#555;background:#222')).toEqual([expect.stringMatching(/^color: #[89a-f]/)])
  })
})

test('bounds the page, and what it says of one rule', async () => {
  const { scan } = await open()
  await expect(scan(pageOf('<i></i>'.repeat(31_000)))).rejects.toThrow(/30000 elements/)
  const { violations } = await scan(pageOf('<img src="/a.png">'.repeat(1000)))
  expect(violations).toBe(200)
})

test.each([
  [
    'broken sheets',
    '<p>Ebb</p>',
    'a{{{ color: ; } @media ( { } :is( {} p:nth-child(x){color:#999} @layer a, b; @import "x";',
  ],
  ['deep pages', '<div>'.repeat(900), ''],
  [
    'odd selectors',
    '<p>Ebb</p>',
    'p::part(x), p:has(> b), ::slotted(*), svg|a, [a=b s], :nth-child(2n of p) {color:#999}',
  ],
])('survives %s', async (_, body, sheet) => {
  const { scan } = await open()
  expect((await scan(pageOf(body), [sheet])).violations).toBe(0)
})

test('a page that can not be enlarged is found, and mended', async () => {
  const { accessibility, scan, rulesOf, send } = await open()
  const html = pageOf('', '<meta name="viewport" content="width=device-width, user-scalable=no">')
  const { findings } = await scan(html)
  expect(findings.map(({ rule }) => rule)).toEqual(['meta-viewport'])
  const remediation = findings[0]?.proposal
  await send('POST', '/remediation/item', { url, rule: 'meta-viewport', group: 'other', remediation })
  expect(await rulesOf(await accessibility.remediate(url, html))).toEqual([])
})
