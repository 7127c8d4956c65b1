/** Shortcodes, embeds and addresses alone on a line, on texts of our own. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { tokenize } from '../../../src/html/tokenize.ts'
import { expandAddresses } from '../../../src/render/text/shortcodes/embed.ts'
import { renderShortcodes, stripShortcodes } from '../../../src/render/text/shortcodes.ts'
import { steps } from './steps.ts'

type Cases = { readonly [title: string]: readonly (readonly [text: string, html: string])[] }

const source = (type: string, address: string, number = 1) =>
  `<source type="${type}" src="${address}?_=${number}" /><a href="${address}">${address}</a>`
const audio = (address: string, more = ' preload="none"') =>
  `<audio class="cms-audio-shortcode" id="audio-3-1"${more} style="width: 100%;" controls="controls">${source('audio/mpeg', address)}</audio>`
const video = (inner: string, more = ' preload="metadata"', width = 640, height = 360) =>
  `<div style="width: ${width}px;" class="cms-video"><video class="cms-video-shortcode" id="video-3-1" width="${width}" height="${height}"${more} controls="controls">${inner}</video></div>`

const rendered: Cases = {
  'unknown names and unfinished tags are text': [
    ['[tea] [/tea] [Audio] [audiobook] [ audio ] []', '[tea] [/tea] [Audio] [audiobook] [ audio ] []'],
    ['[gallery [/gallery] [audio src="]', '[gallery [/gallery] [audio src="]'],
    ['<i title="[gallery]">', '<i title="[gallery]">'],
    ['<script>[gallery]</script><!-- [gallery] -->', '<script>[gallery]</script><!-- [gallery] -->'],
  ],
  'double brackets show a known shortcode with single ones': [
    ['a [[gallery ids="1"]] b', 'a [gallery ids="1"] b'],
    ['[[caption]a[/caption]]', '[caption]a[/caption]'],
    ['[[tea]]', '[[tea]]'],
    ['[[gallery] a', '[ a'],
  ],
  'galleries, playlists and players without a source show nothing': [
    ['a [gallery ids="1"] b [playlist] c [audio] d [video /]', 'a  b  c  d '],
    ['[audio https://example.com/a.mp3]', ''],
    ['[gallery]a[/gallery]b', 'b'],
  ],
  'a shortcode alone in its paragraph replaces it': [
    ['<p>a</p>\n<p> [gallery]\n</p>\n<p>b</p>', '<p>a</p>\n\n<p>b</p>'],
    ['<p>a [gallery]</p><p class="x">[gallery]</p>', '<p>a </p><p class="x"></p>'],
    ['<p>[[gallery]]</p>', '<p>[gallery]</p>'],
    ['<p>[embed]https://example.com/[/embed]</p>', '<p><a href="https://example.com/">https://example.com/</a></p>'],
  ],
  'files of a known type give a player': [
    ['[audio src="https://example.com/a.mp3"]', audio('https://example.com/a.mp3')],
    ['[audio m4a="/a.m4a"]', audio('/a.m4a')],
    ["[audio mp3='/a.mp3' loop=on autoplay=0 muted=1 preload=auto]", audio('/a.mp3', ' loop muted preload="auto"')],
    [
      '[video src=/a.webm?b=1]',
      video('<source type="video/webm" src="/a.webm?b=1&#038;_=1" /><a href="/a.webm?b=1">/a.webm?b=1</a>'),
    ],
    [
      '[video mp4="/a.mp4" ogv="/a.ogv#t=5" width="100" height="50" poster="/a.png"]<track src="/a.vtt">[/video]',
      video(
        '<source type="video/mp4" src="/a.mp4?_=1" /><source type="video/ogg" src="/a.ogv?_=1#t=5" /><track src="/a.vtt"><a href="/a.mp4">/a.mp4</a>',
        ' poster="/a.png" preload="metadata"',
        100,
        50,
      ),
    ],
  ],
  'other files give a link': [
    ['[video src="/a.txt"]', '<a class="cms-embedded-video" href="/a.txt">/a.txt</a>'],
    ['[audio src="/a.mp4"]', '<a class="cms-embedded-audio" href="/a.mp4">/a.mp4</a>'],
  ],
  'a caption is a box that is wider than its picture': [
    [
      '[caption id="a_1" align="alignright" class="b" width="90"]<a href="/"><img src="/a.png"></a> Tea <i>pot</i>[/caption]',
      '<div id="a_1" style="width: 100px" class="cms-caption alignright b"><a href="/"><img aria-describedby="caption-a-1" src="/a.png"></a><p id="caption-a-1" class="cms-caption-text">Tea <i>pot</i></p></div>',
    ],
    [
      '[caption width="90" caption="Tea"]<img> pot[/caption]',
      '<div style="width: 100px" class="cms-caption alignnone"><img> pot<p class="cms-caption-text">Tea</p></div>',
    ],
    [
      '<p>[caption width="90"]<img></p>\n<p>Tea[/caption]</p>',
      '<div style="width: 100px" class="cms-caption alignnone"><img><p class="cms-caption-text">Tea</p></div>',
    ],
  ],
  'without a text or a picture there is only the content': [
    ['[caption width="90"]<img>[/caption] [caption width="9"]Tea[/caption] [caption]', '<img> Tea '],
    ['[caption]Tea[/caption] [caption width="0" caption="Pot"]<img> Tea[/caption]', 'Tea <img> Tea'],
  ],
  'without a width there is only the picture': [
    ['[caption]<img> Tea[/caption] [caption width="x"]<img> Tea[/caption]', '<img> <img>'],
    ['[caption align="alignleft" width="-4"]<a href="/"><img></a> Tea[/caption]', '<a href="/"><img></a>'],
  ],
  'shortcodes within a caption are rendered': [
    ['[caption]a [gallery] [audio src="/a.mp3"][/caption]', `a  ${audio('/a.mp3')}`],
    ['[caption][caption]a[/caption]b[/caption]', 'ab'],
  ],
  'a closing tag belongs to the nearest open tag': [
    ['[audio src="/a.txt"] b [audio][/audio] c', '<a class="cms-embedded-audio" href="/a.txt">/a.txt</a> b  c'],
  ],
}

describe('renderShortcodes', () => {
  for (const [title, pairs] of Object.entries(rendered)) {
    it.each(pairs)(`${title}: %j`, (text, html) => expect(renderShortcodes(text, { id: 3 })).toBe(html))
  }

  it('numbers the players of a page by kind', () => {
    const ids = renderShortcodes('[audio src="/a.mp3"][video src="/a.mp4"][audio src="/b.mp3"]', { id: 3 })
    expect(ids.match(/(?:id="|_=)[\w-]+/g)).toEqual([
      ...['id="audio-3-1', '_=1', 'id="video-3-1', '_=1', 'id="audio-3-2', '_=2'],
    ])
  })

  it.each([
    '[audio src="javascript:alert(1)//.mp3"]',
    '[video src="java&#115;cript:alert(1)//.mp4"]',
    '[video src="data:video/mp4,x.mp4" poster="javascript:x"]',
    '[embed]javascript:alert(1)[/embed]',
    '[embed]java&#115;cript:alert(1)[/embed]',
  ])('links no address of another protocol: %j', (text) => {
    expect(renderShortcodes(text)).not.toMatch(/(?:src|href|poster)="(?!http:)/)
  })

  it.each(['[gallery a="<!--"] <b>a</b> -->', '[gallery a="<i title="] b">c</i>'])(
    'sets nothing free that a comment or an attribute holds: %j',
    (text) => {
      expect(renderShortcodes(text)).toBe(text)
    },
  )

  it.each([
    [`[caption width="9" caption="<b title="a">b"]<img>[/caption]`, '&lt;b title='],
    [`[caption width="9" caption="<!-- a" b="-->"]<img>[/caption]`, '&lt;!-- a'],
  ])('does not let a cut tag take in what follows: %j', (text, shown) => {
    expect(renderShortcodes(text)).toContain(`<p class="cms-caption-text">${shown}</p></div>`)
  })

  it('keeps attributes within their quotes', () => {
    const html = renderShortcodes(
      `[audio src="/a.mp3" class='"><img src=x onerror=y>' style="x:url(y)"][caption id='"onclick="x' width="1"]<img> a[/caption]`,
    )
    const attributes = tokenize(html).flatMap((token) => (token.kind === 'open' ? token.attributes : []))
    expect(attributes.map(({ name }) => name).filter((name) => name.startsWith('on'))).toEqual([])
    expect(html).toContain('style="width: 100%;"')
  })

  it('renders shortcodes within others to a limited depth', () => {
    const deep = `${'[caption]'.repeat(2000)}a${'[/caption]'.repeat(2000)}`
    expect(renderShortcodes(deep)).toBe(`${'[caption]'.repeat(1995)}a${'[/caption]'.repeat(1995)}`)
  })
})

const expanded: Cases = {
  'files alone on a line become shortcodes of players': [
    ['a\n https://example.com/a.mp3 \r\nb', 'a\n[audio src="https://example.com/a.mp3"]\r\nb'],
    ['https://example.com/a.MP4?x=1&y=2', '[video src="https://example.com/a.MP4?x=1&y=2"]'],
    ['<div>\nhttp://example.com/a.webm\n</div>', '<div>\n[video src="http://example.com/a.webm"]\n</div>'],
  ],
  'other addresses stay': [
    ...[
      'https://example.com/a',
      'a https://example.com/a.mp3',
      '<b>https://example.com/a.mp3</b>',
      '<pre>\nhttps://example.com/a.mp3\n</pre>',
      '<a href="x">\nhttps://example.com/a.mp3\n</a>',
      '<!--\nhttps://example.com/a.mp3\n-->',
      '/a.mp3',
      'ftp://example.com/a.mp3',
      'https://example.com/"a.mp3',
    ].map((text) => [text, text] as const),
  ],
  'an embed becomes a link, or the shortcode of a player': [
    ['[embed]https://example.com/a.mp4[/embed]', '[video src="https://example.com/a.mp4"]'],
    [
      '[embed width="9"]https://example.com/?a=1&b=2&amp;c[/embed]',
      '<a href="https://example.com/?a=1&#038;b=2&#038;c">https://example.com/?a=1&amp;b=2&amp;c</a>',
    ],
    ['[embed]tea & "milk"[/embed]', '<a href="http://tea%20&#038;%20%22milk%22">tea &amp; &quot;milk&quot;</a>'],
    ['[embed]/a[/embed]', '<a href="/a">/a</a>'],
    ['a[embed][/embed] [embed]', 'a '],
    ['[embed src="/a"] [embed src="/b"] [/embed]', '<a href="/a">/a</a> <a href="/b">/b</a>'],
    ['[embed src="/a"]/b[/embed]', '<a href="/b">/b</a>'],
    ['[embed]<b>a</b>[/embed]', '<b>a</b>'],
    ['[embed]mailto:a@b[/embed]', 'mailto:a@b'],
    ['[[embed]/a[/embed]]', '[[embed]/a[/embed]]'],
  ],
}

describe('expandAddresses', () => {
  for (const [title, pairs] of Object.entries(expanded)) {
    it.each(pairs)(`${title}: %j`, (text, html) => expect(expandAddresses(text)).toBe(html))
  }
})

it.each([
  ['a [gallery ids="1"] b', 'a  b'],
  ['[caption]<img> a[/caption]b', 'b'],
  ['[tea] [[gallery]] [[tea]] [/caption]', '[tea]  [[tea]] [/caption]'],
])('strips known shortcodes with what they enclose from %j', (text, stripped) => {
  expect(stripShortcodes(text)).toBe(stripped)
})

const pieces = [
  '[gallery',
  '[audio ',
  '[/audio]',
  '[caption]',
  '[/caption]',
  ']',
  '"',
  "'",
  ' ',
  'a',
  '<b>',
  '[[',
  'src="/a.mp3"',
  '<p>',
  '</p>',
  '[embed]',
  '[/embed]',
]

test('gives the same answer each time and never fails', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
      const text = parts.join('')
      expect(renderShortcodes(text)).toBe(renderShortcodes(text))
      expect(expandAddresses(text).length).toBeLessThanOrEqual(text.length * 30)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ...pieces,
  `[gallery "'`,
  `[gallery '"`,
  `'[gallery "`,
  '[caption]a',
  '[caption][/caption]',
  '<p>[gallery]</p>',
  '[gallery]   ',
])('looks at each character of many %j a few times at most', (part) => {
  for (const length of [1_000, 10_000, 100_000]) {
    const text = part.repeat(length / part.length)
    expect(steps((work) => renderShortcodes(text, {}, work))).toBeLessThan(8 * text.length)
  }
})
