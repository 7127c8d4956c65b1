import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { applyItems } from '../../../../src/features/add-ons/accessibility/remediation/apply.ts'
import { home, openSite } from './fixture.ts'

const page = `<!DOCTYPE html>
<html lang="en"><head><title>Quay</title></head><body>
<h1>Boats</h1>
<img src="/a.png"><ul><li>One</li><li>Two</li></ul>
<p id="note" style="color: gray">Tide <b>tables</b></p>
<table><tbody><tr><td>1</td></tr></tbody></table>
</body></html>`

type Content = Readonly<Record<string, unknown>>

const run = (contents: readonly Content[], { source = page, isTrusted = true } = {}) =>
  applyItems(
    source,
    contents.map((content, index) => ({ id: index + 1, content, isTrusted })),
  )
const htmlOf = (content: Content, options = {}) => run([content], options).html
const outcomesOf = (contents: readonly Content[], options = {}) =>
  run(contents, options).outcomes.map(({ outcome, conflicts }) =>
    conflicts.length > 0 ? [outcome, ...conflicts] : outcome,
  )

type Element = DefaultTreeAdapterTypes.Element
/** All elements of a tree, as a browser would make them of the text. */
const elementsOf = (node: DefaultTreeAdapterTypes.Node): readonly Element[] => [
  ...('tagName' in node ? [node] : []),
  ...('childNodes' in node ? node.childNodes.flatMap(elementsOf) : []),
]
const runsScript = ({ name, value }: Element['attrs'][number]) =>
  /^on|^srcdoc$/.test(name) || (/^(?:href|src)$/.test(name) && /^\s*javascript:/.test(value))

const image = { type: 'ATTRIBUTE', xpath: '/html/body/img', attribute_name: 'alt', attribute_value: 'A "boat" & quay' }
const list = '/html/body/ul'
const element = (action: string, more: Content) => ({ type: 'ELEMENT', action, ...more })

test.each([
  ['adds an attribute', { ...image, action: 'add' }, '<img src="/a.png" alt="A &quot;boat&quot; &amp; quay">'],
  [
    'updates an attribute',
    { ...image, action: 'update', attribute_name: 'src', attribute_value: '/b.png' },
    '<img src="/b.png">',
  ],
  ['removes an attribute', { ...image, action: 'remove', attribute_name: 'src' }, '<img>'],
  ['clears an attribute', { ...image, action: 'clear', attribute_name: 'src' }, '<img src="">'],
  ['adds a child', element('add', { xpath: list, content: '<li>Three</li>' }), '<li>Two</li><li>Three</li></ul>'],
  [
    'adds a child by its other name',
    element('add_child', { xpath: list, child: '<li>Three</li>' }),
    '<li>Two</li><li>Three</li></ul>',
  ],
  [
    'removes a child by its HTML',
    element('remove_child', { xpath: list, child: '<li>One</li>' }),
    '<ul><li>Two</li></ul>',
  ],
  ['removes a child by its place', element('remove_child', { xpath: list, child: 'li[2]' }), '<ul><li>One</li></ul>'],
  [
    'adds in front of an element',
    element('add_before', { xpath: list, content: '<h2>Boats</h2>' }),
    '<h2>Boats</h2><ul>',
  ],
  ['adds behind an element', element('add_after', { xpath: list, content: '<p>End</p>' }), '</ul><p>End</p>'],
  ['replaces an element', element('update', { xpath: '//h1', content: '<h2>Boats</h2>' }), '\n<h2>Boats</h2>\n'],
  ['removes an element', element('remove', { xpath: '//ul' }), '<img src="/a.png">\n'],
  [
    'keeps a row a row',
    element('add_after', { xpath: '//tr', content: '<tr><td>2</td></tr>' }),
    '</tr><tr><td>2</td></tr></tbody>',
  ],
  [
    'replaces HTML in an element',
    { type: 'REPLACE', xpath: '//p', find: '<b>tables</b>', replace: '<em>tables</em>' },
    'Tide <em>tables</em></p>',
  ],
  ['adds declarations', { type: 'STYLES', xpath: '//p', rule: 'color: #222;' }, 'style="color: gray; color: #222"'],
  [
    'adds rules',
    { type: 'STYLES', rule: '#note { color: #222 }' },
    '<style data-remediation="">#note { color: #222 }</style></head>',
  ],
] as const)('%s', (_, content, expected) => {
  expect(outcomesOf([content])).toEqual(['applied'])
  expect(htmlOf(content)).toContain(expected)
})

test('finds an element by its HTML where the XPath leads to nothing', () => {
  const moved = { ...image, action: 'add', xpath: '/html/body/div/img', find: "<IMG src='/a.png'>" }
  expect(htmlOf(moved)).toContain('alt="A &quot;boat')
  const inParent = {
    ...moved,
    find: '<li>One</li>',
    parentXPath: '//ul',
    attribute_name: 'lang',
    attribute_value: 'fr',
  }
  expect(htmlOf(inParent)).toContain('<li lang="fr">One</li>')
  expect(outcomesOf([{ ...inParent, parentXPath: '//p' }])).toEqual(['stale'])
})

test('reads positions in the page as it came, whatever earlier items inserted', () => {
  const first = element('add_before', { xpath: '//li[1]', content: '<li>Zero</li>' })
  const second = { type: 'ATTRIBUTE', action: 'add', xpath: '//li[2]', attribute_name: 'lang', attribute_value: 'fr' }
  expect(run([first, second]).html).toContain('<li>Zero</li><li>One</li><li lang="fr">Two</li>')
})

test.each([
  ['a stale XPath', { ...image, action: 'add', xpath: '/html/body/img[2]' }, 'stale'],
  ['an XPath that is none', { ...image, action: 'add', xpath: '//img[' }, 'stale'],
  ['a number instead of elements', { ...image, action: 'add', xpath: 'count(//img)' }, 'stale'],
  [
    'an attribute that is there',
    { ...image, action: 'add', attribute_name: 'src', attribute_value: '/a.png' },
    'unchanged',
  ],
  ['an attribute that is gone', { ...image, action: 'remove' }, 'unchanged'],
  ['a text that is gone', { type: 'REPLACE', xpath: '//p', find: 'Ebb', replace: 'Flood' }, 'stale'],
  ['an unknown type', { type: 'MAGIC', xpath: '//p' }, 'invalid'],
  ['a type from the prototype', { type: 'constructor', xpath: '//p' }, 'invalid'],
  ['an unknown action', { ...image, action: 'paint' }, 'invalid'],
  ['a name that is none', { ...image, action: 'add', attribute_name: 'a"b' }, 'invalid'],
  ['a missing text', { type: 'REPLACE', xpath: '//p', find: 'Tide' }, 'invalid'],
] as const)('explains %s, and leaves the page as it came', (_, content, outcome) => {
  const { html, outcomes } = run([content])
  expect(outcomes.map((one) => one.outcome)).toEqual([outcome])
  expect(outcomes[0]?.reason).toMatch(/\w+ \w+/)
  expect(html).toBe(page)
})

test('names the items that change the same thing', () => {
  const alt = (value: string) => ({ ...image, action: 'add', attribute_value: value })
  const gone = element('remove', { xpath: '//ul' })
  const inside = { type: 'ATTRIBUTE', action: 'add', xpath: '//li[1]', attribute_name: 'lang', attribute_value: 'fr' }
  expect(outcomesOf([alt('One'), alt('Two'), gone, inside])).toEqual([
    ['applied', 2],
    ['applied', 1],
    ['applied', 4],
    ['stale', 3],
  ])
})

test('writes a fragment without the tags of a page', () => {
  expect(
    htmlOf({ ...image, action: 'add', xpath: '//img', attribute_value: 'Boat' }, { source: '<p>Hi</p><img>' }),
  ).toBe('<p>Hi</p><img alt="Boat">')
})

describe('of an author without the right to unfiltered HTML', () => {
  const untrusted = { isTrusted: false }
  const attribute = (xpath: string, name: string, value: string) => ({
    ...{ type: 'ATTRIBUTE', action: 'add', xpath, attribute_name: name, attribute_value: value },
  })
  const source = `<html><head><base href="/"></head><body><a href="#">x</a><img><script src="/a.js">one</script><iframe></iframe></body></html>`

  test.each([
    attribute('//img', 'onerror', 'alert(1)'),
    attribute('//a', 'href', 'java\nscript:alert(1)'),
    attribute('//script', 'src', 'https://evil.example/x.js'),
    attribute('//iframe', 'srcdoc', '<script>alert(1)</script>'),
    attribute('//base', 'href', 'https://evil.example/'),
    element('add_after', { xpath: '//img', content: '<script>alert(1)</script>' }),
    { type: 'STYLES', rule: 'a { } </style><script>alert(1)</script>' },
    { type: 'STYLES', rule: '@import url(https://evil.example/x.css); a {}' },
  ])('refuses %j', (content) => {
    const { html, outcomes } = run([content], { source, ...untrusted })
    expect([html, outcomes[0]?.outcome]).toEqual([source, 'refused'])
  })

  test('writes what is harmless', () => {
    const contents = [
      attribute('//img', 'alt', 'Boat'),
      attribute('//a', 'aria-label', 'Home'),
      element('add_after', { xpath: '//img', content: '<p onclick="x">Text</p>' }),
      { type: 'REPLACE', xpath: '//a', find: 'x', replace: '<i>y</i>' },
      { type: 'STYLES', rule: 'a { color: #222; background: url(javascript:x) }' },
    ]
    const { html } = run(contents, { source, ...untrusted })
    expect(html).toContain('<a href="#" aria-label="Home">&lt;i&gt;y&lt;/i&gt;</a><img alt="Boat"><p>Text</p>')
    expect(html).toContain('a { color: #222 }')
  })

  test('changes no script by a replacement', () => {
    expect(
      run([{ type: 'REPLACE', xpath: '//body', find: 'one', replace: 'alert(1)' }], { source, ...untrusted }).html,
    ).toBe(source)
  })

  test('never brings a script into a page, whatever the items say', () => {
    const word = fc.constantFrom(
      'onclick',
      'href',
      'src',
      'style',
      'alt',
      'srcdoc',
      '<script>',
      'javascript:alert(1)',
      '"',
      '>',
      "x' onload='y",
    )
    const text = fc.array(word, { maxLength: 3 }).map((words) => words.join(''))
    const content = fc.record({
      type: fc.constantFrom('ATTRIBUTE', 'ELEMENT', 'REPLACE', 'STYLES'),
      action: fc.constantFrom('add', 'update', 'add_child', 'add_before', 'remove_child', 'clear'),
      xpath: fc.constantFrom('//a', '//img', '//body', '//script', '//iframe', '//html', '//head'),
      ...{
        attribute_name: text,
        attribute_value: text,
        content: text,
        child: text,
        find: text,
        replace: text,
        rule: text,
      },
    })
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 4 }), (contents) => {
        const { html } = run(contents, { source, ...untrusted })
        const elements = elementsOf(parse(html))
        expect(elements.filter(({ tagName }) => tagName === 'script').length).toBeLessThanOrEqual(1)
        expect(elements.flatMap(({ attrs }) => attrs.filter(runsScript))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

test('bounds the work of an XPath', () => {
  const source = `<body>${'<div><p>x</p></div>'.repeat(2000)}`
  const reasonOf = (xpath: string) => run([{ ...image, action: 'add', xpath }], { source }).outcomes[0]?.reason
  expect(reasonOf('//div[//p]')).toMatch(/in a condition/)
  expect(reasonOf('//div//p//b')).toMatch(/more than twice/)
  expect(reasonOf(`/html${'/body'.repeat(500)}`)).toMatch(/longer than/)
  const many = Array.from({ length: 200 }, (_, index) => ({ ...image, action: 'add', xpath: `//div[${index + 1}]` }))
  expect(run(many, { source }).outcomes.at(-1)?.reason).toMatch(/too many/)
  expect(reasonOf('/html/body/div[2000]/p')).toBeUndefined()
})

test('survives a page of hostile depth', () => {
  const source = `<body>${'<div>'.repeat(100_000)}`
  expect(run([{ ...image, action: 'add', xpath: '//div[1]' }], { source }).outcomes[0]?.reason).toMatch(/nests deeper/)
})

// ---------------------------------------------------------------- api.site.accessibility

const picture = '<body><img src="/a.png"></body>'
const described = '<html><head></head><body><img src="/a.png" alt="A boat"></body></html>'

async function openDescribed() {
  const site = await openSite()
  const remediation = {
    type: 'ATTRIBUTE',
    category: 'A',
    xpath: '//img',
    action: 'add',
    attribute_name: 'alt',
    attribute_value: 'A boat',
  }
  const summary = { counts: { violation: 2, pass: 90 } }
  const registered = await site.send('POST', '/remediation/register', { url: home, summary })
  const id = await site.add(home, { remediation })
  const { accessibility } = site.api.site
  return { ...site, remediation, registered, id, accessibility }
}

test('counts the violations of a summary with counts', async () => {
  const { registered } = await openDescribed()
  expect(registered.body.data.data).toMatchObject({ violations: 2, resolved: 0 })
})

test('shows the remediated page, and records how many remediations apply', async () => {
  const { accessibility, add, api } = await openDescribed()
  await add(home, { remediation: { type: 'ELEMENT', action: 'remove', xpath: '//video' } })
  expect(await accessibility.remediate(home, picture)).toBe(described)
  expect(await accessibility.remediate(home, picture)).toBe(described)
  const exported = await api.site.export()
  expect(exported.records).toMatchObject({ a11y_pages: [{ violations: 2, resolved: 1 }] })
})

test('explains each remediation of a page', async () => {
  const { accessibility, add, send, id } = await openDescribed()
  const shared = await add(home, { global: true, remediation: { type: 'ELEMENT', action: 'remove', xpath: '//video' } })
  const off = await add(home)
  await send('PATCH', '/remediation/item', { id: off, url: home, active: false })
  const stale = { id: shared, outcome: 'stale', isGlobal: true, reason: 'nothing in the page is addressed by it' }
  const applied = { id, outcome: 'applied', conflicts: [], isGlobal: false, rule: 'img_alt_missing' }
  expect(await accessibility.explain(home, picture)).toMatchObject([applied, stale, { id: off, outcome: 'off' }])
  await send('PUT', '/remediation/global-item', { id: shared, url: home, active: false })
  expect(await accessibility.explain(home, picture)).toMatchObject([applied, { id: shared, outcome: 'overridden' }, {}])
})

test('judges an item by what its author may write now', async () => {
  const { accessibility, add, api } = await openDescribed()
  await add(home, {
    remediation: { type: 'ELEMENT', action: 'add_after', xpath: '//img', content: '<script>tide()</script>' },
  })
  expect(await accessibility.remediate(home, picture)).toContain('<script>tide()</script>')
  const [author] = (await api.site.users.list()).filter(({ login }) => login === 'ada')
  await api.site.users.update(author?.id ?? 0, { capabilities: { unfiltered_html: false } })
  expect(await accessibility.remediate(home, picture)).not.toContain('<script')
  expect((await accessibility.remediations(home)).map(({ isTrusted }) => isTrusted)).toEqual([false, false])
})
