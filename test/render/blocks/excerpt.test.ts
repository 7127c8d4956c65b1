/** Excerpts that are made from the content. */
import { describe, expect, it } from 'vitest'
import { makeExcerpt } from '../../../src/render/blocks/excerpt.ts'
import { charactersRead } from '../../support/characters-read.ts'

const block = (name: string, html: string) => `<!-- cms:${name} -->\n${html}\n<!-- /cms:${name} -->`
const paragraph = (text: string) => block('paragraph', `<p>${text}</p>`)
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ')

describe('the words', () => {
  it('are 55 at most', () => {
    expect(makeExcerpt(words(55))).toBe(words(55))
    expect(makeExcerpt(words(56))).toBe(`${words(55)} [&hellip;]`)
    expect(makeExcerpt('<p>abc</p>'.repeat(900))).toBe(`${'abc '.repeat(55)}[&hellip;]`)
    expect(makeExcerpt(`${'<b>abc</b>'.repeat(900)} d`)).toBe(`${'abc'.repeat(900)} d`)
    expect(makeExcerpt('a b c', 2)).toBe('a b [&hellip;]')
    expect(makeExcerpt('a b c', -1)).toBe(' [&hellip;]')
  })

  it.each([
    ['are parted by blanks and line ends', ' a\t b\r\n\r\nc ', 'a b c'],
    ['are not parted by a non-breaking blank', 'a&nbsp;b\u00a0c d', 'a&nbsp;b\u00a0c d'],
    ['are parted by block elements', '<div>a</div>b<P>c</P><hr>d<table><tr><td>e<td>f</table>', 'a b c d e f'],
    ['are not parted by other elements', 'a<br>b<i>c</i><span>d</span><video>e</video>', 'abcde'],
    ['keep references', 'a &lt;b&gt; &amp; c', 'a &lt;b&gt; &amp; c'],
    ['leave scripts, styles and comments out', 'a<script>x</script>b<style>y</style><!-- z -->c', 'ab c'],
    ['do not become markup', 'a<<b>i>b</b> c <i', 'a&lt;i>b c &lt;i'],
    ['keep signs that are no markup', '1 < 2 > 0', '1 < 2 > 0'],
  ])('%s', (_title, content, text) => {
    expect(makeExcerpt(content)).toBe(text)
  })
})

describe('the first page', () => {
  it.each([
    [
      'begins behind a break with nothing before it',
      ' <!-- a --><!--nextpage--> \n<!--nextpage-->b<!--nextpage-->c',
      'b',
    ],
    ['begins behind a block with such a break', `${block('nextpage', '<!--nextpage-->')}\n${paragraph('b')}`, 'b'],
    ['has nothing in front of another break', '<!--more--><!--nextpage-->b', ''],
  ])('%s', (_title, content, text) => {
    expect(makeExcerpt(content)).toBe(text)
  })
})

describe('the end', () => {
  it.each(['a<!--more-->b', 'a<!--more Read on-->b', 'a<!--nextpage-->b', 'a<!--nextpage--><!--more-->b'])(
    'is the first break in %j',
    (content) => {
      expect(makeExcerpt(content)).toBe('a')
    },
  )

  it.each(['a<!-- more -->b', 'a<!--noteaser-->b', 'a<!--moreover-->b', 'a<!--MORE-->b'])(
    'is no break in %j',
    (content) => {
      expect(makeExcerpt(content)).toBe('ab')
    },
  )

  it('may be inside blocks', () => {
    expect(
      makeExcerpt(`${paragraph('a')}${block('group', `<div>${paragraph('b')}<!--more-->${paragraph('c')}</div>`)}`),
    ).toBe('a b')
  })
})

describe('shortcodes', () => {
  it('go with what they enclose when they are known', () => {
    expect(makeExcerpt('a [gallery ids="1"] b [caption width="9"]c <b>d</b>[/caption] e')).toBe('a b e')
    expect(makeExcerpt('a [tide] b [[')).toBe('a [tide] b [[')
  })
})

describe('blocks', () => {
  it.each([
    ['count when they are of text', `${block('verse', '<pre>a</pre>')}${block('html', 'b')}${paragraph('c')}`, 'a b c'],
    [
      'are left out when they are not',
      `${block('image', '<figcaption>a</figcaption>')}${block('tide/table', 'b')}c`,
      'c',
    ],
    ['let the text between them count', `a\n${paragraph('b')}\nc`, 'a b c'],
    [
      'in containers count each for themselves, and the markup around them does not',
      block(
        'columns',
        `<div>x${block('column', `${paragraph('a')}${block('cover', paragraph('b'))}${paragraph('c')}`)}</div>`,
      ),
      'a c',
    ],
    ['count with blocks of text in them', block('quote', `<q>a${block('verse', 'b')}</q>`), 'a b'],
    [
      'are left out with a block that does not count',
      `${block('quote', `a${paragraph('b')}${block('image', '')}`)}c`,
      'c',
    ],
    ['are left out with one deep inside', `${block('quote', block('quote', `a${block('file', '')}`))}c`, 'c'],
    ['are left out with a container', `${block('quote', `a${block('group', paragraph('b'))}`)}c`, 'c'],
    ['of unknown names hide what they hold', `${block('tide/box', paragraph('a'))}b`, 'b'],
  ])('%s', (_title, content, text) => {
    expect(makeExcerpt(content)).toBe(text)
  })
})

describe('footnote marks', () => {
  it('go', () => {
    expect(makeExcerpt('a<sup data-fn="1" class="fn"><a href="#1" id="l">1</a></sup>b')).toBe('ab')
  })

  it.each([
    'a<sup class="fn">1</sup>b',
    'a<sup data-fn="1" class="fn"><a id="l" href="#1">1</a></sup>b',
    'a<sup data-fn="1" class="x"><a href="#1" id="l">1</a></sup>b',
    'a<sup data-fn="1" class="fn"><a href="#1" id="l">1</a>',
  ])('in another form stay: %j', (content) => {
    expect(makeExcerpt(content)).toMatch(/^a1/)
  })
})

describe('the cost', () => {
  it.each([
    'word ',
    '<p>a</p>',
    '<sup data-fn="1" class="fn"><a href="#1" id="l">',
    '<!-- cms:quote -->',
    '<',
    '[gallery',
    '[caption]',
  ])('is ten times as much for ten times as many of %j', (part) => {
    const [small, middle, large] = [40, 400, 4000].map((times) => charactersRead(() => makeExcerpt(part.repeat(times))))
    expect(middle).toBeLessThan((small as number) * 12)
    expect(large).toBeLessThan((middle as number) * 12)
  })
})
