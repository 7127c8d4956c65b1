/** HTML as Markdown for agents. */
import { expect, test } from 'vitest'
import { toMarkdown } from '../../../src/mcp/markdown/from-html.ts'

test.each([
  ['paragraphs', '<p>Low &amp; high</p>\n<p>tide</p>', 'Low & high\n\ntide'],
  ['headings', '<h2>Boats</h2><p>Two.</p>', '## Boats\n\nTwo.'],
  [
    'marks',
    '<p>A <strong>bold</strong> and <em>fine</em> <del>old</del> word</p>',
    'A **bold** and _fine_ ~~old~~ word',
  ],
  ['links', '<p><a href="https://a.example/?b=1&amp;c=2">here</a></p>', '[here](https://a.example/?b=1&c=2)'],
  ['pictures', '<img src="/pier.jpg" alt="The pier">', '![The pier](/pier.jpg)'],
  ['lists', '<ul><li>one</li><li>two</li></ul><p>end</p>', '- one\n- two\n\nend'],
  ['ordered lists', '<ol start="3"><li>three</li><li>four</li></ol>', '3. three\n4. four'],
  ['nested lists', '<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>', '- one\n  - inner\n- two'],
  ['quotes', '<blockquote><p>first</p><p>second</p></blockquote>', '> first\n>\n> second'],
  ['quotes behind a text', '<p>a</p><blockquote><p>q</p></blockquote>', 'a\n\n> q'],
  ['code', '<p>run <code>ls</code></p><pre><code>a &lt; b\n  c</code></pre>', 'run `ls`\n\n```\na < b\n  c\n```'],
  ['tables', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', '| a | b |\n| 1 | 2 |'],
  ['breaks', '<p>one<br>two</p><hr><p>three</p>', 'one\ntwo\n\n---\n\nthree'],
  ['what no reader sees', '<style>p{}</style><p>text<script>x()</script></p><svg><title>no</title></svg>', 'text'],
  ['boxes of the builder', '<div><div><h2>A</h2></div><div><div><p>b</p></div></div></div>', '## A\n\nb'],
  ['nothing', '', ''],
])('%s', (_, html, markdown) => {
  expect(toMarkdown(html)).toBe(markdown)
})
