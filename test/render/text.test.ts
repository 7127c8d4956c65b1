import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockVersion, hasBlocks, parseBlocks } from '../../src/render/blocks/blocks.ts'
import { filterContent } from '../../src/render/filter/filter.ts'
import { createRender } from '../../src/render/index.ts'
import { paragraphs } from '../../src/render/text/paragraphs.ts'
import { typeset } from '../../src/render/text/typography.ts'

const render = createRender()

describe('typeset', () => {
  it.each([
    [`"Hi," she said`, '&#8220;Hi,&#8221; she said'],
    [`the '80s and rock 'n' roll`, 'the &#8217;80s and rock &#8216;n&#8217; roll'],
    [`'Tis but 'twas 'til dawn`, '&#8216;Tis but &#8217;twas &#8217;til dawn'],
    [`6' 2" tall`, '6&#8242; 2&#8243; tall'],
    [`"about 12" she said`, '&#8220;about 12&#8221; she said'],
    ['one - two -- three --- four', 'one &#8211; two &#8212; three &#8212; four'],
    ['pages 3--5', 'pages 3&#8211;5'],
    ['well-known xn--domain', 'well-known xn--domain'],
    ['so...', 'so&#8230;'],
    ['20x30 but 0x30 and 2x3x4', '20&#215;30 but 0x30 and 2x3x4'],
    ['salt & pepper &amp; &#8364; &eacute;', 'salt &#038; pepper &amp; &#8364; &eacute;'],
    ['<code>"x" -- y</code> "z"', '<code>"x" -- y</code> &#8220;z&#8221;'],
    ['<pre><b>"x"</b></code>"y"</pre>"z"', '<pre><b>"x"</b></code>"y"</pre>&#8220;z&#8221;'],
    ['<a title="1--2" href="?a&b">--</a>', '<a title="1--2" href="?a&#038;b">&#8212;</a>'],
    ['<!-- "as is" --> ok', '<!-- "as is" --> ok'],
  ])('sets %j', (text, set) => {
    expect(typeset(text)).toBe(set)
  })
})

describe('paragraphs', () => {
  it.each([
    ['one\ntwo\n\nthree', '<p>one<br />\ntwo</p>\n<p>three</p>\n'],
    ['a\r\nb', '<p>a<br />\nb</p>\n'],
    ['  \n ', ''],
    ['intro\n<ul>\n<li>x</li>\n</ul>\nend', '<p>intro</p>\n<ul>\n<li>x</li>\n</ul>\n<p>end</p>\n'],
    ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p>\n<p>b</p></blockquote>\n'],
    ['<div>a\n\nb</div>', '<div>a</p>\n<p>b</p></div>\n'],
    ['a\n<pre>1\n\n2</pre>\nb', '<p>a</p>\n<pre>1\n\n2</pre>\n<p>b</p>\n'],
    ['<figure>\n<img>\n<figcaption>c</figcaption>\n</figure>', '<figure>\n<img><figcaption>c</figcaption></figure>\n'],
    ['a <img\nalt="x">\nb', '<p>a <img\nalt="x"><br />\nb</p>\n'],
    ['<hr>\ntext', '<hr>\n<p>text</p>\n'],
    ['<script>\na\nb\n</script>', '<p><script>\na\nb\n</script></p>\n'],
    ['a<br>\nb', '<p>a<br />\nb</p>\n'],
    ['x\n\n<!-- note -->\n\ny', '<p>x</p>\n<p><!-- note --></p>\n<p>y</p>\n'],
    // Interface: a lone `<` hides the line ends behind it, as a tag would.
    ['if a < b\n\nthen c', '<p>if a < b\n\nthen c\n</p>\n'],
  ])('makes paragraphs of %j', (text, html) => {
    expect(paragraphs(text)).toBe(html)
  })
})

describe('render', () => {
  it('renders a title on one line', () => {
    expect(render.title(' Fish & "chips" ')).toBe('Fish &#038; &#8220;chips&#8221;')
  })

  it('gives blocks their class and no paragraphs of their own', () => {
    const raw = '<!-- cms:paragraph -->\n<p id="a">One</p>\n<!-- /cms:paragraph -->\n\ntwo\nthree'
    expect(render.content(raw)).toBe('\n<p class="cms-block-paragraph" id="a">One</p>\n\n\ntwo\nthree')
    expect(render.content('<!-- cms:heading --><h2 class="big">A</h2><!-- /cms:heading -->')).toBe(
      '<h2 class="big cms-block-heading">A</h2>',
    )
    expect(render.content('<!-- cms:core/list --><ol><li>A</li></ol><!-- /cms:core/list -->')).toBe(
      '<ol class="cms-block-list"><li>A</li></ol>',
    )
  })

  it('shows what unknown blocks hold', () => {
    expect(
      render.content('<!-- cms:shop/box {"n":{"m":1}} --><b>A</b><!-- cms:shop/void /--><!-- /cms:shop/box -->'),
    ).toBe('<b>A</b>')
  })

  it('makes smilies between blanks only', () => {
    expect(render.content('fine :) <code>:)</code> http://a:D')).toBe('<p>fine 🙂 <code>:)</code> http://a:D</p>\n')
  })

  it('lets images load late', () => {
    expect(render.content('<img src="a.png">')).toBe('<p><img decoding="async" src="a.png"></p>\n')
    expect(render.content('<img src="a.png" width="1" height="2">')).toContain(
      '<img loading="lazy" decoding="async" src="a.png"',
    )
  })

  it('takes a written excerpt as it is', () => {
    expect(render.excerpt({ excerpt: 'A "short" one', content: 'B' })).toBe('<p>A &#8220;short&#8221; one</p>\n')
  })

  it('makes an excerpt of the first words', () => {
    const content = `<p>${Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')}</p>`
    expect(render.excerpt({ excerpt: ' ', content })).toMatch(/ word54 \[&hellip;\]<\/p>\n$/)
    expect(render.excerpt({ excerpt: '', content }, { words: 2 })).toBe('<p>word0 word1 [&hellip;]</p>\n')
    expect(render.excerpt({ excerpt: '', content: '' })).toBe('')
  })

  it('ends an excerpt at the marker or the page', () => {
    expect(render.excerpt({ excerpt: '', content: 'Start.\n<!--more Go on-->\nEnd.' })).toBe('<p>Start.</p>\n')
    expect(render.excerpt({ excerpt: '', content: 'Page one<!--nextpage-->Page two' })).toBe('<p>Page one</p>\n')
  })

  it('leaves scripts, footnote marks and other blocks out of an excerpt', () => {
    const blocks =
      '<!-- cms:paragraph --><p>Yes</p><!-- /cms:paragraph --><!-- cms:gallery --><p>No</p><!-- /cms:gallery -->'
    expect(render.excerpt({ excerpt: '', content: blocks })).toBe('<p>Yes</p>\n')
    const group = `<!-- cms:group --><div>no${blocks}</div><!-- /cms:group -->`
    expect(render.excerpt({ excerpt: '', content: group })).toBe('<p>Yes</p>\n')
    expect(render.excerpt({ excerpt: '', content: 'a<script>b</script><style>c</style>' })).toBe('<p>a</p>\n')
    const note = 'a<sup data-fn="1" class="fn"><a href="#1" id="l">1</a></sup>b'
    expect(render.excerpt({ excerpt: '', content: note })).toBe('<p>ab</p>\n')
  })
})

describe('blocks', () => {
  it('tells content with blocks from content without', () => {
    expect(hasBlocks('<!-- cms:more -->')).toBe(true)
    expect(blockVersion('a <!-- cms:x /--> b')).toBe(1)
    expect(blockVersion('<!-- more -->')).toBe(0)
  })

  it('nests blocks and bears what is not closed or not open', () => {
    const [outer] = parseBlocks('<!-- cms:group --><!-- cms:paragraph --><p>x</p>')
    expect(outer).toEqual({ name: 'group', parts: [{ name: 'paragraph', parts: ['<p>x</p>'] }] })
    expect(parseBlocks('a<!-- /cms:group -->b')).toEqual([{ name: null, parts: ['a<!-- /cms:group -->b'] }])
    expect(parseBlocks('<!-- cms:a {"b":"-->"} /-->')).toEqual([{ name: 'a', parts: [] }])
  })
})

describe('hostile texts', () => {
  const parts = fc.constantFrom(
    ...[
      '<',
      '>',
      '\n',
      '\n\n',
      ' ',
      '<p>',
      '</p>',
      '<div ',
      '<pre>',
      '</pre>',
      '<br />',
      '"',
      "'",
      '9',
      'x',
      '1.',
      '-',
      '--',
      '&',
    ],
    ...[
      '<!--',
      '-->',
      '<li>',
      '<blockquote>',
      '<figcaption>',
      '<option',
      '<object>',
      '<!-- cms:a {',
      '} -->',
      '<!-- /cms:a -->',
      '[video',
      'a',
    ],
  )
  const texts = fc.array(parts, { maxLength: 60 }).map((list) => list.join(''))

  it('never make rendering fail, and hardly grow', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const post = { excerpt: '', content: text }
        expect(typeset(text).length).toBeLessThanOrEqual(text.length * 7)
        expect(paragraphs(text).length).toBeLessThanOrEqual(text.length * 10 + 10)
        expect(render.content(text).length).toBeLessThanOrEqual(text.length * 60 + 10)
        expect(typeof render.excerpt(post)).toBe('string')
        expect(render.title(text).length).toBeLessThanOrEqual(text.length * 7)
      }),
      { numRuns: 1000 },
    )
  })

  // Repeated, these made patterns read the rest of the text from each of them. Quadratic work would not end within a test.
  it.each(['<div ', '<!--more', '<!-- cms:a {', ' ', '"a" ', '<p><li', 'url(', '1.', '<script', '<a href="a:'])(
    'of many times %j end',
    (part) => {
      const text = part.repeat(100_000)
      expect(render.content(`${text}x1x1`).length).toBeGreaterThan(0)
      expect(typeof render.excerpt({ excerpt: '', content: text })).toBe('string')
      expect(typeof filterContent(`<p style="background:${text}">${text}`)).toBe('string')
    },
  )
})
