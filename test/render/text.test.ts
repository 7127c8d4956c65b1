import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { blockVersion, hasBlocks, parseBlocks } from '../../src/render/blocks/blocks.ts'
import { createRender } from '../../src/render/index.ts'
import { sanitizeContent, sanitizeTitle } from '../../src/render/text/filter.ts'
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

describe('sanitizeContent', () => {
  it.each([
    ['<p>Plain <em>text</em></p>', '<p>Plain <em>text</em></p>'],
    ['<p onmouseover="x()" class="a">b</p>', '<p class="a">b</p>'],
    ['a<script>b()</script>c', 'ab()c'],
    ['<iframe src="x"></iframe><object data="x"></object><form><input></form>', '<object></object>'],
    ['<a href="JavaScript:x()">y</a>', '<a href="x()">y</a>'],
    ['<a href="jav&#x61;script:javascript:x()">y</a>', '<a href="x()">y</a>'],
    ['<img src="data:text/html,x" alt=y>', '<img src="text/html,x" alt="y">'],
    ['<a href="mailto:a@b.c" target="_blank">m</a>', '<a href="mailto:a@b.c" target="_blank">m</a>'],
    [
      '<p style="color: red; behavior: url(x); width: calc(1px + var(--a))">x</p>',
      '<p style="color: red;width: calc(1px + var(--a))">x</p>',
    ],
    ['<p style="background:url(javascript:x)">x</p>', '<p>x</p>'],
    ['<svg onload="x()"><style>y</style></svg>', 'y'],
    ['Q & A &copy; &nope; 1 < 2', 'Q &amp; A &copy; &amp;nope; 1 &lt; 2'],
    ['<br/>x > y', '<br />x &gt; y'],
    ['<!--more on--><!--nextpage-->', '<!--more on--><!--nextpage-->'],
    ['<p data-id="1" data-é="2">x', '<p data-id="1">x'],
    ['\0<b>x</b>', '<b>x</b>'],
  ])('makes %j safe', (html, safe) => {
    expect(sanitizeContent(html)).toBe(safe)
  })

  it('keeps comments of blocks byte for byte', () => {
    const raw =
      '<!-- cms:acme/box {"a":1,"t":"R&D > \\u003cb\\u003e"} -->\n<p>x</p>\n<!-- /cms:acme/box -->\n<!-- cms:void  /-->'
    expect(sanitizeContent(raw)).toBe(raw)
  })

  it('does not take a comment that ends early for one of a block', () => {
    const safe = sanitizeContent('<!-- cms:a {"b":"--!><img src=x onerror=y>"} -->')
    expect(safe).not.toContain('onerror')
  })

  it('allows less in titles', () => {
    expect(sanitizeTitle('<em>a</em> <p>b</p> <a href="x" class="y">c</a>')).toBe('<em>a</em> b <a href="x">c</a>')
  })

  const pieces = fc.constantFrom(
    ...['<', '>', '"', "'", '=', ' ', '/', '--', '<!--', '-->', '--!>', '&', ';', ':', '#', '\\', '\n', '(', ')', '`'],
    ...[
      'script',
      '<script>',
      '</script>',
      '<img src=x onerror=alert(1)>',
      'javascript:',
      'data:',
      '&#106;',
      '&colon;',
      'x',
    ],
    ...[
      '<svg>',
      '<math>',
      '<style>',
      '</style>',
      '<title>',
      '</title>',
      '<textarea>',
      '</textarea>',
      '<a href=',
      '<p style=',
    ],
    ...[
      '<!-- cms:a {',
      '} -->',
      '<noscript>',
      '<template>',
      '<![CDATA[',
      ']]>',
      '<?',
      'url(',
      'srcdoc=',
      ' onclick=',
      '<a title="',
    ],
  )
  const hostile = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''))

  it('never lets a script through, whatever surrounds it', () => {
    fc.assert(
      fc.property(hostile, (html) => {
        for (const safe of [sanitizeContent(html), sanitizeTitle(html)]) expect(dangers(safe)).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostile, (html) => {
        const safe = sanitizeContent(html)
        expect(sanitizeContent(safe)).toBe(safe)
      }),
      { numRuns: 3000 },
    )
  })
})

const HARMFUL = /^(?:script|style|iframe|svg|math|form|input|embed|base|meta|link|noscript|template|frame|applet)$/

/** What a parser of its own finds in the text. */
function dangers(html: string): string[] {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (HARMFUL.test(name)) found.push(name)
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on|^srcdoc$/i.test(attribute)) found.push(attribute)
        if (/^(?:href|src)$/.test(attribute) && /^(?:javascript|data|vbscript):/i.test(value.replace(/[\0-\x20]/g, '')))
          found.push(value)
      }
    },
  })
  parser.end(html)
  return found
}

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
      expect(typeof sanitizeContent(`<p style="background:${text}">${text}`)).toBe('string')
    },
  )
})
