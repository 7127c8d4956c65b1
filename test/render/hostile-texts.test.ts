/** Texts that no editor makes: rendering answers, does not grow without measure, and makes nothing harmful of a filtered text. */
import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { filterContent } from '../../src/render/filter/filter.ts'
import { createRender } from '../../src/render/index.ts'
import { paragraphs } from '../../src/render/text/paragraphs.ts'
import { typeset } from '../../src/render/text/typography.ts'
import { charactersRead } from '../support/characters-read.ts'
import { casesOf } from '../support/generated-cases.ts'

const render = createRender()

const pieces = [
  ...['<', '>', '\n', '\n\n', ' ', '"', "'", '9', 'x', '1.', '-', '--', '&', 'a', ']', '[', '/', '='],
  ...[
    '<p>',
    '</p>',
    '<div ',
    '<pre>',
    '</pre>',
    '<br />',
    '<li>',
    '<blockquote>',
    '<figcaption>',
    '<option',
    '<object>',
  ],
  ...['<!--', '-->', '<!-- cms:a {', '} -->', '<!-- /cms:a -->', '[video', '[caption'],
]
const attacks = [
  ...['<script>', '</script>', '<style>', '<svg onload=x()>', '<img src=x onerror=x()>', '<a href="', 'javascript:x()'],
  ...[
    ' onclick="x()"',
    ' src="',
    ' style="',
    '&quot;',
    '&#34;',
    '&lt;',
    '\\u0022',
    '<textarea>',
    '<title>',
    '<b title="',
  ],
  ...[
    '[caption width="9" caption="',
    '[caption id="x" width="9"]',
    '<img src="/a">',
    '[/caption]',
    '[embed]',
    '[/embed]',
  ],
  ...['[audio src="', '[video mp4="', ' poster="', ' class="', '.mp3"', '.mp4"', '"]', "']", '\nhttps://a.example/'],
  ...[
    '<!-- cms:paragraph -->',
    '<!-- cms:shortcode -->',
    '<!-- cms:footnotes {"className":"',
    '"} /-->',
    '<!-- cms:x /-->',
  ],
  ...['<!-- cms:social-link {"url":"', '","service":"', '","label":"'],
]
const texts = (from: readonly string[]) =>
  fc.array(fc.constantFrom(...from), { maxLength: 40 }).map((list) => list.join(''))

describe('hostile texts', () => {
  it('never make rendering fail, and hardly grow', () => {
    fc.assert(
      fc.property(texts(pieces), (text) => {
        expect(typeset(text).length).toBeLessThanOrEqual(text.length * 7)
        expect(paragraphs(text).length).toBeLessThanOrEqual(text.length * 10 + 10)
        expect(render.content(text).length).toBeLessThanOrEqual(text.length * 60 + 10)
        expect(typeof render.excerpt({ excerpt: '', content: text })).toBe('string')
        expect(render.title(text).length).toBeLessThanOrEqual(text.length * 7)
      }),
      { numRuns: 1000 },
    )
  })

  it('are harmless when they were filtered before they were stored', () => {
    fc.assert(
      fc.property(texts([...pieces, ...attacks]), texts(attacks), (text, note) => {
        const content = filterContent(text)
        const footnotes = JSON.stringify([{ id: note, content: filterContent(note) }])
        const rendered = [
          render.content(content, { id: 1, footnotes }),
          render.excerpt({ excerpt: content, content: '' }),
          render.excerpt({ excerpt: '', content }),
        ]
        expect(rendered.flatMap(dangers)).toEqual([])
      }),
      { numRuns: casesOf(5000) },
    )
  })

  it.each([
    ...[
      '<div ',
      '<!--more',
      '<!-- cms:a {',
      ' ',
      '"a" ',
      '<p><li',
      'url(',
      '1.',
      '<script',
      '<a href="a:',
      '[[gallery]]',
    ],
    ...['[caption width="9"]', 'http://a.example/b.mp3\n', '<!-- cms:shortcode -->[embed]', ':) ', '&', '<', "'tis "],
  ])('of many times %j are read a bounded number of times', (part) => {
    const [small, middle, large] = [20, 200, 2000].map((times) => {
      const content = `${part.repeat(times)}x1x1`
      return charactersRead(() => [
        render.content(content),
        render.excerpt({ excerpt: content, content }),
        render.excerpt({ excerpt: '', content }),
        render.title(content),
      ])
    })
    expect(middle).toBeLessThan((small as number) * 12)
    expect(large).toBeLessThan((middle as number) * 12)
  })
})

const HARMFUL = /^(?:script|style|iframe|math|form|input|embed|base|meta|link|noscript|template|frame|applet)$/
const ADDRESS = /^(?:href|src|poster|cite|data)$/

/** Parses the text to the tree of a browser, as the HTML Standard says. */
function dangers(html: string): string[] {
  const found: string[] = []
  const open: DefaultTreeAdapterMap['node'][] = [parseFragment(html)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('childNodes' in node) open.push(...node.childNodes)
    if (!('tagName' in node)) continue
    if (HARMFUL.test(node.tagName)) found.push(node.tagName)
    found.push(...node.attrs.flatMap(dangersOfAttribute))
  }
  return found
}

function dangersOfAttribute({ name, value }: { readonly name: string; readonly value: string }): string[] {
  if (/^on|^srcdoc$|^formaction$/.test(name)) return [name]
  const isAddress = ADDRESS.test(name) && URL.canParse(value)
  return isAddress && /^(?:javascript|data|vbscript):$/.test(new URL(value).protocol) ? [value] : []
}
