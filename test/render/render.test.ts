/** The render service: which rules a text goes through, and in which order. */
import { describe, expect, it } from 'vitest'
import { createRender } from '../../src/render/index.ts'
import { charactersRead } from '../support/characters-read.ts'

const render = createRender()
const written = (excerpt: string) => render.excerpt({ excerpt, content: 'unused' })
const made = (content: string) => render.excerpt({ excerpt: '', content })

describe('a title', () => {
  it('is typeset, and has no lone ampersands, paragraphs or blanks at its ends', () => {
    expect(render.title(' \t"Salt"\n\n& <code>a && b</code> \n')).toBe(
      '&#8220;Salt&#8221;\n\n&#038; <code>a &#038;&#038; b</code>',
    )
    expect(render.title('\u00a0a\u00a0')).toBe('\u00a0a\u00a0')
  })

  it('has no shortcodes, faces or loading hints', () => {
    expect(render.title('[gallery] :) <img src="/a">')).toBe('[gallery] :) <img src="/a">')
  })
})

describe('a content', () => {
  it('gets paragraphs without blocks, and none with them', () => {
    expect(render.content('a\n\nb')).toBe('<p>a</p>\n<p>b</p>\n')
    expect(render.content('a\n\nb<!-- cms:x /-->')).toBe('a\n\nb')
  })

  it('is typeset once its blocks are rendered', () => {
    const footnotes = JSON.stringify([{ id: 'f', content: '"So"' }])
    expect(render.content('<!-- cms:footnotes /-->', { footnotes })).toContain('>&#8220;So&#8221; <a')
  })

  it('has typeset captions, and shortcodes with attributes as typed', () => {
    const html = render.content('[caption width="90" align="alignright"]<img src="/a.png"> It\'s -- ok[/caption]')
    expect(html).toBe(
      '<div style="width: 100px" class="cms-caption alignright"><img decoding="async" src="/a.png">' +
        '<p class="cms-caption-text">It&#8217;s &#8212; ok</p></div>\n',
    )
  })

  it('makes a player of a file alone on a line, with the id of the post', () => {
    const html = render.content('Listen\n\nhttps://quay.example/waves--2x4.mp3\n\nEnd', { id: 12 })
    expect(html).toMatch(
      /^<p>Listen<\/p>\n<audio .*id="audio-12-1".*src="https:\/\/quay.example\/waves--2x4.mp3\?_=1".*\n<p>End/,
    )
  })

  it('gives the same text other ids in another post, other footnotes, and no faces where they are off', () => {
    const source = '<!-- cms:footnotes /-->\n<!-- cms:paragraph --><p>Low water :)</p><!-- /cms:paragraph -->'
    const withNote = (content: string) => JSON.stringify([{ id: 'a', content }])
    const htmls = [
      render.content(source),
      render.content(source, { footnotes: withNote('the first') }),
      render.content(source, { footnotes: withNote('the second') }),
      render.content(source, { faces: false }),
      render.content(source),
    ]
    expect(htmls[0]).toContain('🙂')
    expect(htmls[1]).toContain('the first')
    expect(htmls[2]).toContain('the second')
    expect(htmls[3]).toContain(':)')
    expect(htmls[4]).toBe(htmls[0])
    const player = 'https://quay.example/waves.mp3'
    expect([3, 4].map((id) => /audio-\d+-1/.exec(render.content(player, { id }))?.[0])).toEqual([
      'audio-3-1',
      'audio-4-1',
    ])
  })

  it('has faces, and shows them as typed in code', () => {
    expect(render.content('<!-- cms:html -->a :) <code>:)</code><!-- /cms:html -->')).toBe('a 🙂 <code>:)</code>')
  })

  it('is not cut at its breaks', () => {
    expect(render.content('<!-- cms:html -->a<!--more-->b<!--nextpage-->c<!-- /cms:html -->')).toBe(
      'a<!--more-->b<!--nextpage-->c',
    )
  })
})

describe('an excerpt', () => {
  it('that is written is typeset, with paragraphs, faces and loading hints, and shortcodes as typed', () => {
    expect(written('"A" & [audio src="x"] :)\n\n<img src="/a.png">')).toBe(
      '<p>&#8220;A&#8221; &#038; [audio src="x"] 🙂</p>\n<p><img decoding="async" src="/a.png"></p>\n',
    )
    expect(written('a\n\n[gallery ids="1"]\n\n[[audio]]')).toBe('<p>a</p>\n[gallery ids="1"]\n<p>[[audio]]</p>\n')
    expect(written('<code>a && b</code>')).toBe('<p><code>a &#038;&#038; b</code></p>\n')
  })

  it('is made from the content when only blanks are written', () => {
    expect(render.excerpt({ excerpt: ' \n\t', content: '<h2>"A"</h2>b' })).toBe('<p>&#8220;A&#8221; b</p>\n')
    expect(made(' ')).toBe('')
  })

  it('has as many words as asked for', () => {
    expect(render.excerpt({ excerpt: '', content: 'a b c' }, { words: 2 })).toBe('<p>a b [&hellip;]</p>\n')
  })
})

describe('the cost', () => {
  const part =
    '"It\'s" 2x4 -- a & b... :) <a href="?a&b">x</a>\n\n<ul>\n<li>a</li></ul>[caption width="9"]<img src="a"> b[/caption]\nhttps://a.example/b.mp3\n'
  it.each([part, `<!-- cms:paragraph -->\n<p>${part}</p>\n<!-- /cms:paragraph -->\n`])(
    'is ten times as much for ten times as many of %j',
    (text) => {
      const [small, middle, large] = [3, 30, 300].map((times) => {
        const content = text.repeat(times)
        return charactersRead(() => [render.title(content), render.content(content), made(content), written(content)])
      })
      expect(middle).toBeLessThan((small as number) * 12)
      expect(large).toBeLessThan((middle as number) * 12)
    },
  )
})
