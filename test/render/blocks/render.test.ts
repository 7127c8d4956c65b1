/** Content in blocks as HTML. */
import { describe, expect, it } from 'vitest'
import { renderBlocks } from '../../../src/render/blocks/render.ts'
import { charactersRead } from '../../support/characters-read.ts'

const block = (name: string, html: string, json = '') =>
  `<!-- cms:${name} ${json === '' ? '' : `${json} `}-->${html}<!-- /cms:${name} -->`

describe('the markup of blocks', () => {
  it.each([
    [
      'keeps what is between markers byte for byte',
      'a\r\n<!-- cms:html -->\t<B>x</B >\n<!-- /cms:html -->  b',
      'a\r\n\t<B>x</B >\n  b',
    ],
    ['keeps other comments', block('html', '<!-- note --><!--more-->'), '<!-- note --><!--more-->'],
    ['shows what unknown blocks hold', block('shop/box', '<i>a</i><!-- cms:shop/price /-->'), '<i>a</i>'],
    [
      'adds the class of a paragraph',
      block('paragraph', '<p id="q">a</p>'),
      '<p class="cms-block-paragraph" id="q">a</p>',
    ],
    [
      'adds it behind other classes',
      block('heading', '<h4 class=" big  wide ">a</h4>'),
      '<h4 class="big wide cms-block-heading">a</h4>',
    ],
    [
      'adds it to single and missing quotes',
      block('list', "<ol class='a\"b'></ol>"),
      '<ol class="a&quot;b cms-block-list"></ol>',
    ],
    ['adds it once', block('list', '<ul class="x cms-block-list"></ul>'), '<ul class="x cms-block-list"></ul>'],
    [
      'adds it to the first element only',
      block('paragraph', '<p>a</p><p>b</p>'),
      '<p class="cms-block-paragraph">a</p><p>b</p>',
    ],
    [
      'passes other elements over',
      block('heading', '<div><h2>a</h2></div>'),
      '<div><h2 class="cms-block-heading">a</h2></div>',
    ],
    ['leaves the elements of inner blocks to them', block('list', block('shop/x', '<ul></ul>')), '<ul></ul>'],
    [
      'adds it to lists in lists',
      block('list', `<ul>${block('list-item', `<li>a${block('list', '<ol></ol>')}</li>`)}</ul>`),
      '<ul class="cms-block-list"><li>a<ol class="cms-block-list"></ol></li></ul>',
    ],
    [
      'adds the classes of the layout',
      block('buttons', '<div></div><div></div>'),
      '<div class="is-layout-flex cms-block-buttons-is-layout-flex"></div><div></div>',
    ],
    [
      'adds them behind other classes, also for the layout that the block has anyway',
      block('social-links', '<ul class="x is-layout-flex"></ul>', '{"layout":{"type":"flex"}}'),
      '<ul class="x is-layout-flex cms-block-social-links-is-layout-flex"></ul>',
    ],
    [
      'adds none for another layout',
      block('social-links', '<ul></ul>', '{"layout":{"type":"flex","orientation":"vertical"}}'),
      '<ul></ul>',
    ],
    [
      'puts a box around a picture that stands on a side',
      block('image', '\n<figure class="cms-block-image alignleft"><img src="a"></figure>\n', '{"align":"left"}'),
      '<div class="cms-block-image">\n<figure class="alignleft"><img src="a"></figure>\n</div>',
    ],
    [
      'puts none around a wide one, nor where there is no figure',
      block('image', '<figure class="cms-block-image"><img src="a"></figure>', '{"align":"wide"}') +
        block('image', '<img src="b">', '{"align":"right"}'),
      '<figure class="cms-block-image"><img src="a"></figure><img src="b">',
    ],
    [
      'shows no box without a picture',
      `a${block('image', '<figure class="cms-block-image"></figure>', '{"align":"center"}')}`,
      'a',
    ],
    ['drops a marker that closes nothing', `a<!-- /cms:paragraph -->b<!-- cms:x /-->`, 'ab'],
    [
      'ends open blocks with the content',
      '<!-- cms:group --><div><!-- cms:paragraph --><p>a',
      '<div><p class="cms-block-paragraph">a',
    ],
    ['makes paragraphs of a shortcode block', `a${block('shortcode', '\n[x]\n')}b`, 'a<p>[x]</p>\nb'],
  ])('%s', (_title, content, html) => {
    expect(renderBlocks(content)).toBe(html)
  })

  it.each([
    ['an image without an address', block('image', '\n<figure><img alt="a"></figure>\n')],
    ['an image with an empty address', block('image', '<figure><img src=" "></figure>')],
    ['a button without a text', block('button', '\n<div><a href="/x"> </a></div>\n')],
  ])('leaves out %s', (_title, content) => {
    expect(renderBlocks(`a${content}b`)).toBe('ab')
  })

  it('keeps images with an address and buttons with a text', () => {
    expect(renderBlocks(block('image', '<img src="/a.png">'))).toBe('<img src="/a.png">')
    expect(renderBlocks(block('button', '<a>Go</a>'))).toBe('<a>Go</a>')
  })
})

describe('footnotes', () => {
  const notes = JSON.stringify([
    { id: 'n2', content: 'Two <b>b</b>' },
    { id: 'n1', content: 'One' },
    { id: '', content: 'x' },
    { id: 'n3' },
    null,
  ])

  it('lists the notes in the order of the value', () => {
    expect(renderBlocks('<!-- cms:footnotes /-->', { footnotes: notes })).toBe(
      '<ol class="cms-block-footnotes">' +
        '<li id="n2">Two <b>b</b> <a href="#n2-link" aria-label="Back to note 1 in the text">\u21a9\ufe0e</a></li>' +
        '<li id="n1">One <a href="#n1-link" aria-label="Back to note 2 in the text">\u21a9\ufe0e</a></li></ol>',
    )
  })

  it('lists the notes once', () => {
    const twice = renderBlocks('<!-- cms:footnotes /--><!-- cms:footnotes /-->', { footnotes: notes })
    expect(twice).toBe(renderBlocks('<!-- cms:footnotes /-->', { footnotes: notes }))
  })

  it('has the class of the block in front', () => {
    const html = renderBlocks('<!-- cms:footnotes {"className":"a\\" b"} /-->', { footnotes: notes })
    expect(html).toMatch(/^<ol class="a&quot; b cms-block-footnotes">/)
  })

  it('escapes ids', () => {
    const footnotes = JSON.stringify([{ id: '"><script>', content: 'x' }])
    expect(renderBlocks('<!-- cms:footnotes /-->', { footnotes })).not.toContain('<script>')
  })

  it.each([undefined, '', 'x', '{"a":1}', '[]', '[{"id":1,"content":"x"}]'])('shows nothing for %j', (footnotes) => {
    expect(renderBlocks('a<!-- cms:footnotes /-->b', { footnotes })).toBe('ab')
  })
})

describe('social links', () => {
  const link = (json: object) => renderBlocks(`<!-- cms:social-link ${JSON.stringify(json)} /-->`)

  it('shows an icon and the name of the service', () => {
    const html = link({ url: 'https://example.org/a?b&c', service: 'github' })
    expect(html.replace(/<svg.*<\/svg>/, '{icon}')).toBe(
      '<li class="cms-social-link cms-social-link-github cms-block-social-link"><a href="https://example.org/a?b&amp;c" ' +
        'class="cms-block-social-link-anchor">{icon}<span class="cms-block-social-link-label screen-reader-text">GitHub</span></a></li>',
    )
    expect(html).toContain('<svg ')
  })

  it('takes the label of the block, and makes a name of an unknown service', () => {
    expect(link({ url: '/a', service: 'harbour', label: '<Us>' })).toContain('>&lt;Us&gt;</span>')
    expect(link({ url: '/a', service: 'harbour' })).toContain('>Harbour</span>')
    expect(link({ url: '/a', service: 'x" onclick="y' })).toContain('cms-social-link-chain')
  })

  it.each([
    {},
    { service: 'mail' },
    { url: '', service: 'mail' },
    { url: 5 },
    { url: 'javascript:x()' },
    { url: ' JavaScript:x' },
  ])('shows nothing for %j', (json) => {
    expect(link(json)).toBe('')
  })
})

describe('the cost', () => {
  it.each([
    block('paragraph', '<p>a</p>'),
    '<!-- cms:paragraph -->',
    '<!-- cms:shortcode -->[x]',
    '<!-- cms:image --><img src="">',
    '<!-- cms:button -->',
    '<!-- /cms:button -->',
    '<!-- cms:list --><!-- /cms:list',
  ])('is ten times as much for ten times as many of %j', (part) => {
    const [small, middle, large] = [40, 400, 4000].map((times) =>
      charactersRead(() => renderBlocks(part.repeat(times))),
    )
    expect(middle).toBeLessThan((small as number) * 12)
    expect(large).toBeLessThan((middle as number) * 12)
  })
})
