/** axe-core on pages before and after their remediations: each page has one problem, and one item that mends it. */
import { expect, test } from 'vitest'
import { applyItems } from '../../src/features/add-ons/accessibility/remediation/apply.ts'
import { violationsOf } from './axe.ts'
import { browserTests } from './harness.ts'

const { newContext } = browserTests()

const attribute = (xpath: string, name: string, value: string) => ({
  ...{ type: 'ATTRIBUTE', action: 'add', xpath, attribute_name: name, attribute_value: value },
})

interface Case {
  readonly rule: string
  readonly body: string
  readonly item: Readonly<Record<string, string>>
  readonly html?: string
}

const cases: readonly Case[] = [
  {
    rule: 'image-alt',
    body: '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    item: attribute('//img', 'alt', 'A boat'),
  },
  { rule: 'button-name', body: '<button><i></i></button>', item: attribute('//button', 'aria-label', 'Search') },
  {
    rule: 'link-name',
    body: '<p>See <a href="/tides"><i></i></a></p>',
    item: { type: 'ELEMENT', action: 'add_child', xpath: '//a', child: 'Tides' },
  },
  {
    rule: 'label',
    body: '<form><input type="text" name="q"></form>',
    item: { type: 'ELEMENT', action: 'add_before', xpath: '//input', content: '<label for="q">Search</label>' },
    html: ' id="q"',
  },
  { rule: 'html-has-lang', body: '<p>Tides</p>', item: attribute('/html', 'lang', 'en') },
  {
    rule: 'color-contrast',
    body: '<p style="color:#999">Tides at the quay</p>',
    item: { type: 'STYLES', xpath: '//p', rule: 'color: #333' },
  },
  {
    rule: 'color-contrast',
    body: '<p class="pale">Tides at the quay</p><style>.pale{color:#aaa}</style>',
    item: { type: 'STYLES', rule: 'p.pale { color: #333 }' },
  },
  {
    rule: 'meta-viewport',
    body: '<p>Tides</p>',
    item: {
      type: 'REPLACE',
      xpath: '//meta[@name="viewport"]',
      find: 'user-scalable=no',
      replace: 'user-scalable=yes',
    },
  },
  {
    rule: 'list',
    body: '<ul><div>Ebb</div></ul>',
    item: { type: 'ELEMENT', action: 'update', xpath: '//ul/div', content: '<li>Ebb</li>' },
  },
  { rule: 'heading-order', body: '<h4>Ebb</h4>', item: attribute('//h4', 'aria-level', '2') },
  {
    rule: 'aria-valid-attr-value',
    body: '<button aria-expanded="maybe">Go</button>',
    item: { type: 'ATTRIBUTE', action: 'remove', xpath: '//button', attribute_name: 'aria-expanded' },
  },
  { rule: 'frame-title', body: '<iframe src="about:blank"></iframe>', item: attribute('//iframe', 'title', 'Map') },
]

/** The elements of these rules are closed to authors without the right to unfiltered HTML. */
const CLOSED: ReadonlySet<string> = new Set(['meta-viewport', 'frame-title'])

function pageOf({ rule, body, html = '' }: Case): string {
  const lang = rule === 'html-has-lang' ? '' : ' lang="en"'
  const viewport = `<meta name="viewport" content="width=device-width${rule === 'meta-viewport' ? ', user-scalable=no' : ''}">`
  const text = html === '' ? body : body.replace('<input', `<input${html}`)
  return `<!DOCTYPE html><html${lang}><head><title>Quay</title>${viewport}</head><body><main><h1>Quay</h1>${text}</main></body></html>`
}

test.each(cases)('mends $rule: $body', async (one) => {
  const source = pageOf(one)
  const { html, outcomes } = applyItems(source, [{ id: 1, content: one.item, isTrusted: CLOSED.has(one.rule) }])
  expect(outcomes).toEqual([{ id: 1, outcome: 'applied', conflicts: [] }])
  const page = await (await newContext()).newPage()
  const violated = async (text: string) => {
    await page.setContent(text)
    return (await violationsOf(page)).map((violation) => violation.replace(/:.*/s, ''))
  }
  expect(await violated(source)).toContain(one.rule)
  expect(await violated(html)).toEqual([])
})
