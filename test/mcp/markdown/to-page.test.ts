/** Markdown as HTML, as blocks and as elements. */
import { expect, test } from 'vitest'
import { toBlocks } from '../../../src/mcp/markdown/blocks.ts'
import { toElements } from '../../../src/mcp/markdown/elements.ts'
import { toMarkdown } from '../../../src/mcp/markdown/from-html.ts'
import { htmlOf } from '../../../src/mcp/markdown/html.ts'
import { parseMarkdown } from '../../../src/mcp/markdown/parse.ts'

const pictures = {
  pictureAddress: (source: string) => (source === 'media:7' ? 'https://quay.example/pier.jpg' : source),
  pictureId: (source: string) => (source === 'media:7' ? 7 : undefined),
}
const html = (markdown: string) => htmlOf(parseMarkdown(markdown), pictures)
const blocks = (markdown: string) => toBlocks(parseMarkdown(markdown), { ...pictures, vendor: 'cms' })

test.each([
  [
    'headings',
    '# A\n\n### B ###\n#### C#\n\nD\n===\nE\n---',
    '<h1>A</h1>\n<h3>B</h3>\n<h4>C#</h4>\n<h1>D</h1>\n<h2>E</h2>',
  ],
  ['paragraphs', 'one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>'],
  ['breaks', 'one  \ntwo\\\nthree', '<p>one<br>two<br>three</p>'],
  [
    'marks',
    '**a** *b* __c__ _d_ ~~e~~ `f < g`',
    '<p><strong>a</strong> <em>b</em> <strong>c</strong> <em>d</em> <del>e</del> <code>f &lt; g</code></p>',
  ],
  [
    'marks inside marks',
    '**a *b* c** and ***d***',
    '<p><strong>a <em>b</em> c</strong> and <strong><em>d</em></strong></p>',
  ],
  [
    'signs that are no marks',
    '2 * 3 * 4, snake_case_name, a ** b, 5_000',
    '<p>2 * 3 * 4, snake_case_name, a ** b, 5_000</p>',
  ],
  ['escapes', '\\*no\\* \\[x\\] \\\\', '<p>*no* [x] \\</p>'],
  ['markup', '<script>x()</script> & <b>', '<p>&lt;script&gt;x()&lt;/script&gt; &amp; &lt;b&gt;</p>'],
  [
    'links',
    '[a *b*](/x/ "T") <https://a.example/?b=1&c=2> [c](d_(e))',
    '<p><a href="/x/" title="T">a <em>b</em></a> <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a> <a href="d_(e)">c</a></p>',
  ],
  [
    'addresses of scripts',
    '[a](javascript:alert(1)) [b](JAVASCRIPT:x) ![c](data:text/html,x)',
    '<p>[a](javascript:alert(1)) [b](JAVASCRIPT:x) ![c](data:text/html,x)</p>',
  ],
  [
    'lists',
    '- one\n- two\n  - inner\n- three',
    '<ul><li>one</li><li>two<ul><li>inner</li></ul></li><li>three</li></ul>',
  ],
  ['ordered lists', '3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
  ['loose lists', '- one\n\n- two\n\nend', '<ul><li>one</li><li>two</li></ul>\n<p>end</p>'],
  ['paragraphs in items', '1. one\n\n   more\n2. two', '<ol><li><p>one</p>\n<p>more</p></li><li>two</li></ol>'],
  ['quotes', '> a\n> b\n>\n> - c', '<blockquote><p>a\nb</p>\n<ul><li>c</li></ul></blockquote>'],
  ['code', '```js\na < b\n\n  # c\n```\nend', '<pre><code>a &lt; b\n\n  # c</code></pre>\n<p>end</p>'],
  ['code without an end', '```\na', '<pre><code>a</code></pre>'],
  [
    'tables',
    '| a | b |\n| --- | :-: |\n| 1 | **2** |\n| 3 |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><strong>2</strong></td></tr><tr><td>3</td><td></td></tr></tbody></table>',
  ],
  ['rules', 'a\n\n* * *\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
  [
    'pictures',
    '![The pier](media:7) here\n\n![B](/b.png)',
    '<p><img src="https://quay.example/pier.jpg" alt="The pier"> here</p>\n<p><img src="/b.png" alt="B"></p>',
  ],
  ['line ends and tabs', 'a\r\n\r\n-\tb', '<p>a</p>\n<ul><li>b</li></ul>'],
  ['nothing', ' \n\n', ''],
])('reads %s', (_, markdown, expected) => {
  expect(html(markdown)).toBe(expected)
})

test('writes blocks with their markers', () => {
  expect(blocks('## A\n\n### B\n\nc')).toBe(
    '<!-- cms:heading -->\n<h2 class="cms-block-heading">A</h2>\n<!-- /cms:heading -->\n\n' +
      '<!-- cms:heading {"level":3} -->\n<h3 class="cms-block-heading">B</h3>\n<!-- /cms:heading -->\n\n' +
      '<!-- cms:paragraph -->\n<p>c</p>\n<!-- /cms:paragraph -->',
  )
  expect(blocks('1. a\n   - b')).toBe(
    '<!-- cms:list {"ordered":true} -->\n<ol class="cms-block-list"><!-- cms:list-item -->\n<li>a<!-- cms:list -->\n' +
      '<ul class="cms-block-list"><!-- cms:list-item -->\n<li>b</li>\n<!-- /cms:list-item --></ul>\n<!-- /cms:list --></li>\n' +
      '<!-- /cms:list-item --></ol>\n<!-- /cms:list -->',
  )
  expect(blocks('![Pier](media:7 "At *dusk*")')).toBe(
    '<!-- cms:image {"id":7} -->\n<figure class="cms-block-image"><img src="https://quay.example/pier.jpg" alt="Pier" class="cms-image-7"/>' +
      '<figcaption class="cms-element-caption">At <em>dusk</em></figcaption></figure>\n<!-- /cms:image -->',
  )
  expect(blocks('[Go](/x/){button}')).toContain('<a class="cms-block-button__link" href="/x/">Go</a>')
  expect(blocks('[Go](javascript:x){button}')).not.toContain('href')
})

test('writes a container for each section, and a widget for each part', () => {
  let id = 0
  const newId = () => `e${++id}`
  const markdown =
    'Intro\n\n# A\n\n## B\n\none\n\n- two\n\n### C\n\n![Pier](media:7)\n\n[Go](/x/){button}\n\n---\n\n## D\n\nlast'
  const shape = toElements(parseMarkdown(markdown), { ...pictures, newId }).map(({ elements }) =>
    (elements as readonly { readonly widgetType: string }[]).map(({ widgetType }) => widgetType),
  )
  expect(shape).toEqual([
    ['text-editor'],
    ['heading', 'heading', 'text-editor', 'heading', 'image', 'button', 'divider'],
    ['heading', 'text-editor'],
  ])
  expect(id).toBe(13)
})

test.each([
  '# A\n\nOne **two** _three_ [four](/x/)\n\n- a\n- b\n  - c\n\n> q\n\n```\ncode\n```',
  '1. a\n2. b\n\n![Pier](/p.jpg)\n\n---\n\nend',
])('the words come back as they were: %j', (markdown) => {
  expect(toMarkdown(html(markdown))).toBe(markdown)
})

/** Each of these is read in time that grows with its length; if it grew faster, none would end within a test. */
test.each([
  ['blanks', ' '.repeat(150_000)],
  ['blanks before a letter', `a${' '.repeat(150_000)}b`],
  ['lines', `a${'\n'.repeat(150_000)}b`],
  ['marks', '*'.repeat(150_000)],
  ['open marks', '*a '.repeat(50_000)],
  ['underscores', '_a_b '.repeat(40_000)],
  ['brackets', '['.repeat(150_000)],
  ['pairs of brackets', `${'['.repeat(70_000)}${']('.repeat(40_000)}`],
  ['code marks', Array.from({ length: 500 }, (_, at) => '`'.repeat(at)).join(' ')],
  ['closing marks of headings', `# ${'#'.repeat(150_000)}x`],
  ['a rule of a table', `a|b\n|${'-'.repeat(1000)}${' '.repeat(100_000)}x`],
  ['rules', `${'* '.repeat(70_000)}x`],
  ['quotes', `${'>'.repeat(150_000)}a`],
  ['items', '- '.repeat(70_000)],
  ['items below items', Array.from({ length: 500 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
])('reads many %s', (_, markdown) => {
  expect(html(markdown).length).toBeLessThan(markdown.length * 8 + 100)
})
