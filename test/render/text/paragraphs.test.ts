/** Paragraphs on texts of our own. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { tokenize } from '../../../src/html/tokenize.ts'
import { paragraphs } from '../../../src/render/text/paragraphs.ts'
import { casesOf } from '../../support/generated-cases.ts'
import { steps } from './steps.ts'

type Cases = { readonly [title: string]: readonly (readonly [text: string, html: string])[] }

const lines: Cases = {
  'blank lines part paragraphs': [
    ['Tea\n\nMilk\n \t\n\nSugar', '<p>Tea</p>\n<p>Milk</p>\n<p>Sugar</p>\n'],
    ['\n\nTea\n', '<p>Tea</p>\n'],
    [' \n\t\n', ''],
    ['', ''],
  ],
  'a line end within a paragraph is a break, and blanks in front of it go': [
    ['Tea \t\nMilk\n Sugar', '<p>Tea<br />\nMilk<br />\n Sugar</p>\n'],
    ['<i>Tea</i>\n<i>Milk</i>', '<p><i>Tea</i><br />\n<i>Milk</i></p>\n'],
  ],
  'blanks at the ends of a paragraph stay': [['  Tea \n\n Milk ', '<p>  Tea </p>\n<p> Milk </p>\n']],
  'a lone sign < reaches to the next >, or to the end, and keeps the line ends': [
    ['1 < 2\n\nTea', '<p>1 < 2\n\nTea\n</p>\n'],
    ['Tea\n\n1 <2 ', '<p>Tea</p>\n<p>1 <2\n</p>\n'],
    ['1 < 2\n> 0\n\nTea', '<p>1 < 2\n> 0</p>\n<p>Tea</p>\n'],
    ['1 < 2\n\n<b>Tea</b>', '<p>1 < 2</p>\n<p><b>Tea</b></p>\n'],
  ],
  'all line ends count': [['Tea\rMilk\r\nJam\r\n\r\nHam', '<p>Tea<br />\nMilk<br />\nJam</p>\n<p>Ham</p>\n']],
  'a non-breaking blank is text': [['Tea\n\n\u00a0\n\nMilk', '<p>Tea</p>\n<p>\u00a0</p>\n<p>Milk</p>\n']],
}

const breaks: Cases = {
  'written breaks are written alike': [
    ['Tea<br>Milk<br/>Jam', '<p>Tea<br />Milk<br />Jam</p>\n'],
    ['Tea<br>\nMilk\n<br>Jam', '<p>Tea<br />\nMilk<br />\n<br />Jam</p>\n'],
    ['Tea<br id="x">\nMilk', '<p>Tea<br id="x"><br />\nMilk</p>\n'],
  ],
  'two breaks part paragraphs': [['Tea<br> <br />Milk<br>\n<br>Jam', '<p>Tea</p>\n<p>Milk</p>\n<p>Jam</p>\n']],
  'a break at an end of a paragraph goes': [
    ['<br>Tea<br>\n\nMilk', '<p>Tea</p>\n<p>Milk</p>\n'],
    ['<p>Tea<br></p>', '<p>Tea</p>\n'],
  ],
  'a break alone is an empty paragraph': [['Tea\n\n<br>\n\nMilk', '<p>Tea</p>\n<p></p>\n<p>Milk</p>\n']],
}

const written: Cases = {
  'written paragraphs stay with their attributes': [
    ['<p id="a">Tea\nMilk</p><p>Jam</p>', '<p id="a">Tea<br />\nMilk</p>\n<p>Jam</p>\n'],
    ['Tea <p>Milk</p> Jam', '<p>Tea </p>\n<p>Milk</p>\n<p> Jam</p>\n'],
    ['<p>Tea\n<p>Milk', '<p>Tea</p>\n<p>Milk</p>\n'],
  ],
  'a blank line in a written paragraph begins another': [
    ['<p id="a">Tea\n\nMilk\n</p>', '<p id="a">Tea</p>\n<p>Milk</p>\n'],
    ['<p>\n\nTea\n\n</p>', '<p>Tea</p>\n'],
  ],
  'a block element ends a paragraph, whose closing tag goes': [
    ['<p>Tea<ul><li>Milk</li></ul></p>', '<p>Tea</p>\n<ul>\n<li>Milk</li>\n</ul>\n'],
  ],
  'a closing tag without a paragraph stays': [['<p>Tea</p></p>', '<p>Tea</p></p>\n']],
}

const boxes: Cases = {
  'block elements have lines of their own': [
    ['Tea <div>Milk</div> Jam', '<p>Tea </p>\n<div>Milk</div>\n<p> Jam</p>\n'],
    [
      '<ul> <li>Tea</li><li>Milk\n<ol><li>Jam</li></ol></li> </ul>',
      '<ul>\n<li>Tea</li>\n<li>Milk\n<ol>\n<li>Jam</li>\n</ol>\n</li>\n</ul>\n',
    ],
    ['Tea\n<hr>\nMilk', '<p>Tea</p>\n<hr>\n<p>Milk</p>\n'],
    [
      '<table><colgroup><col><col></colgroup><tr><td>1</td></tr></table>',
      '<table>\n<colgroup>\n<col>\n<col></colgroup>\n<tr>\n<td>1</td>\n</tr>\n</table>\n',
    ],
  ],
  'text right inside has no paragraph': [
    ['<td>Tea\nMilk</td>', '<td>Tea<br />\nMilk</td>\n'],
    ['<section>\nTea\n</section>', '<section>\nTea<br />\n</section>\n'],
    ['<li>\nTea\n</li>', '<li>\nTea\n</li>\n'],
    ['<td> </td>', '<td> </td>\n'],
    ['<div>\n\n</div>', '<div>\n</div>\n'],
  ],
  'text behind a block element or a blank line has one': [
    ['<div><h2>Tea</h2>Milk</div>', '<div>\n<h2>Tea</h2>\n<p>Milk</p></div>\n'],
    ['<div><h2>Tea</h2>\nMilk\n</div>', '<div>\n<h2>Tea</h2>\n<p>Milk\n</p></div>\n'],
    ['<nav>\n\nTea\n\n</nav>', '<nav>\n<p>Tea</p>\n</nav>\n'],
  ],
  'text in a quotation always has one': [
    ['<blockquote>Tea</blockquote>', '<blockquote><p>Tea</p></blockquote>\n'],
    ['<blockquote>\nTea\n\nMilk\n</blockquote>', '<blockquote><p>\nTea</p>\n<p>Milk\n</p></blockquote>\n'],
    ['<blockquote>Tea<ul></ul></blockquote>', '<blockquote><p>Tea</p>\n<ul></ul>\n</blockquote>\n'],
  ],
  'a box that blank lines part holds whole paragraphs': [
    ['<div>Tea\n\nMilk</div>', '<div><p>Tea</p>\n<p>Milk</p></div>\n'],
    ['<li>\nTea\n\nMilk\n</li>', '<li><p>\nTea</p>\n<p>Milk\n</p></li>\n'],
  ],
  'an inline element that holds a blank line or a block element is a box': [
    ['<main>Tea\n\nMilk</main>', '<main><p>Tea</p>\n<p>Milk</p></main>\n'],
    ['Jam <a href="x">Tea\n\nMilk</a>', '<p>Jam </p>\n<a href="x"><p>Tea</p>\n<p>Milk</p></a>\n'],
    ['<ins><div>Tea</div></ins>', '<ins>\n<div>Tea</div>\n</ins>\n'],
  ],
  'other elements are inline': [
    ['<main>Tea</main>\n<video></video>', '<p><main>Tea</main><br />\n<video></video></p>\n'],
    ['<P>Tea</P>', '<p><P>Tea</P></p>\n'],
  ],
  'text in a box that is never closed ends as a paragraph does': [
    ['<div>Tea\n\nMilk', '<div>Tea</p>\n<p>Milk</p>\n'],
    ['<ul><li>Tea<li>Milk</ul>', '<ul>\n<li>Tea\n<li>Milk</ul>\n'],
  ],
}

const special: Cases = {
  'a tag that never ends does not swallow the end of its paragraph': [['Tea <img alt="', '<p>Tea &lt;img alt="</p>\n']],
  'preformatted text is not touched': [
    ['Tea\n<pre>a\r\n\n<b>\n</pre>Milk', '<p>Tea</p>\n<pre>a\r\n\n<b>\n</pre>\n<p>Milk</p>\n'],
  ],
  'scripts, styles and drawings have no breaks inside': [
    ['<script>\na\n\nb\n</script>', '<p><script>\na\n\nb\n</script></p>\n'],
    ['Tea\n<style>\na\n</style>', '<p>Tea</p>\n<style>\na\n</style>\n'],
    ['<svg>\n<g/>\n</svg>\nTea', '<p><svg>\n<g/>\n</svg><br />\nTea</p>\n'],
  ],
  'text fields have breaks, but no paragraphs': [
    ['<textarea>Tea\nMilk</textarea>', '<p><textarea>Tea<br />\nMilk</textarea></p>\n'],
    ['<textarea>Tea\n\nMilk</textarea>', '<p><textarea>Tea\n\nMilk</textarea></p>\n'],
  ],
  'line ends in tags and comments stay': [
    ['<i\n\ntitle="a\n\nb">Tea</i> <!--\n\n-->', '<p><i\n\ntitle="a\n\nb">Tea</i> <!--\n\n--></p>\n'],
  ],
  'line ends around sources, tracks, parameters and options go': [
    ['<audio>\n\n<source src="a">\n<track>\n</audio>', '<p><audio><source src="a"><track></audio></p>\n'],
    ['<object>\n<param>\n<embed>\n</object>\n<embed>', '<p><object><param><embed></object><br />\n<embed></p>\n'],
    [
      '<select>\n<option>1</option>\n<option>2</option>\n</select>',
      '<p><select><option>1</option><option>2</option></select></p>\n',
    ],
  ],
  'line ends around a legend of a figure go': [
    [
      '<figure>\n<img>\n<figcaption>Tea\nMilk</figcaption>\n</figure>',
      '<figure>\n<img><figcaption>Tea<br />\nMilk</figcaption></figure>\n',
    ],
    [
      '<figure><table></table>\n<figcaption>Tea</figcaption></figure>',
      '<figure>\n<table></table><figcaption>Tea</figcaption></figure>\n',
    ],
  ],
  'a picture alone has no paragraph, and no break beside it': [
    ['Tea\n\n<picture><img></picture>', '<p>Tea</p>\n<picture><img></picture>\n'],
    ['Tea\n<picture><img></picture>\nMilk', '<p>Tea\n<picture><img></picture>\nMilk</p>\n'],
  ],
}

for (const [part, cases] of Object.entries({ lines, breaks, written, boxes, special })) {
  describe(part, () => {
    for (const [title, pairs] of Object.entries(cases)) {
      it.each(pairs)(`${title}: %j`, (text, html) => expect(paragraphs(text)).toBe(html))
    }
  })
}

const isWellNested = (html: string): boolean => {
  const open: string[] = []
  for (const token of tokenize(html)) {
    if (token.kind === 'open' && !['br', 'img', 'hr'].includes(token.name)) open.push(token.name)
    if (token.kind === 'close' && open.pop() !== token.name) return false
  }
  return open.length === 0
}

/** All text without blanks. */
const words = (html: string): string =>
  tokenize(html)
    .filter(({ kind }) => kind === 'text')
    .map(({ start, end }) => html.slice(start, end).replaceAll('&lt;', '<').replace(/\s/g, ''))
    .join('')

/** Well-nested HTML of a few elements, with line ends anywhere. */
const { content } = fc.letrec<{ content: string; element: string }>((tie) => ({
  content: fc
    .array(
      fc.oneof(
        { withCrossShrink: true },
        fc.constantFrom('a', 'b ', '\n', '\n\n', ' ', '<br>', '<img>', '<hr>'),
        tie('element'),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
  element: fc
    .tuple(
      fc.constantFrom('b', 'a', 'div', 'p', 'li', 'blockquote', 'main', 'figcaption', 'picture', 'pre', 'option'),
      tie('content'),
    )
    .map(([name, inner]) => `<${name}>${inner}</${name}>`),
}))

test('well-nested HTML stays well nested, with all its text', () => {
  fc.assert(
    fc.property(content, (html) => {
      // A closing tag of a paragraph that a block element has ended is no longer one of an element.
      fc.pre(!/<p>(?:(?!<\/p>).)*<(?:div|p|li|blockquote|pre|hr)>/s.test(html))
      const made = paragraphs(html)
      expect(words(made)).toBe(words(html))
      expect(isWellNested(made) || made).toBe(true)
    }),
    { numRuns: casesOf(10_000) },
  )
})

const pieces = [
  '<div>',
  '</div>',
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '\n',
  ' ',
  'a',
  '<br>',
  '<pre>',
  '</pre>',
  '<li>',
  '<!-- c -->',
]
const more = [
  '<picture>',
  '<figcaption>',
  '<option>',
  '<source>',
  '<svg>',
  '<textarea>a</textarea>',
  '<script>a</script>',
  '<blockquote>',
  '<',
  '<div ',
  '<td',
]

test('removes no text and adds no element but p and br, whatever the markup', () => {
  const tags = (html: string) =>
    tokenize(html)
      .filter((token) => token.kind === 'open' && !['p', 'br'].includes(token.name))
      .map(({ start, end }) => html.slice(start, end))
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 25 }), (parts) => {
      const html = parts.join('')
      expect(tags(paragraphs(html))).toEqual(tags(html))
      expect(words(paragraphs(html))).toBe(words(html))
    }),
    { numRuns: 1000 },
  )
})

test.each([...pieces, ...more, '<pre>\n</pre>', '<i>\n\n</i>', '<ul><li>', 'a \n', '<p><div>', '<b></i>', '   \n'])(
  'looks at each character of many %j a few times at most',
  (part) => {
    for (const length of [1_000, 10_000, 100_000]) {
      const text = part.repeat(length / part.length)
      expect(steps((work) => paragraphs(text, work))).toBeLessThan(6 * text.length + 100)
    }
  },
)
