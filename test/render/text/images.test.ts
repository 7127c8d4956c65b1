/** Loading hints of pictures and frames. */
import { describe, expect, it } from 'vitest'
import { loadingHints } from '../../../src/render/text/images.ts'
import { charactersRead } from '../../support/characters-read.ts'

const changed: readonly (readonly [title: string, html: string, hinted: string])[] = [
  ['decodes a picture late', '<img src="/quay.png">', '<img decoding="async" src="/quay.png">'],
  ['keeps the slash of a tag', '<img src="/quay.png"/>', '<img decoding="async" src="/quay.png"/>'],
  [
    'loads a picture with a size late',
    'a <img alt="" width="40" height="30" src="/b.png"> b',
    'a <img loading="lazy" decoding="async" alt="" width="40" height="30" src="/b.png"> b',
  ],
  [
    'keeps a written decoding',
    '<img src="/b.png" width="4" height="3" decoding="auto">',
    '<img loading="lazy" src="/b.png" width="4" height="3" decoding="auto">',
  ],
  [
    'keeps a written loading, however it is quoted',
    '<img src="/b.png" width="4" height="3" loading=\'auto\'>',
    '<img decoding="async" src="/b.png" width="4" height="3" loading=\'auto\'>',
  ],
  [
    'leaves the loading of a picture with a priority alone',
    '<img src="/b.png" width="4" height="3" fetchpriority="low">',
    '<img decoding="async" src="/b.png" width="4" height="3" fetchpriority="low">',
  ],
  [
    'puts the first large eager picture first, and no other',
    '<img loading="eager" src="a" width="10" height="10"><img loading="eager" src="b" width="250" height="200"><img loading="eager" src="c" width="900" height="900">',
    '<img decoding="async" loading="eager" src="a" width="10" height="10"><img fetchpriority="high" decoding="async" loading="eager" src="b" width="250" height="200"><img decoding="async" loading="eager" src="c" width="900" height="900">',
  ],
  [
    'puts no picture first beside one that is',
    '<img src="a" fetchpriority="high"><img src="b" loading="eager" width="900" height="900">',
    '<img decoding="async" src="a" fetchpriority="high"><img decoding="async" src="b" loading="eager" width="900" height="900">',
  ],
  [
    'loads a frame with a size late',
    '<iframe src="/map" width="300" height="200"></iframe>',
    '<iframe loading="lazy" src="/map" width="300" height="200"></iframe>',
  ],
]

const kept: readonly (readonly [title: string, html: string])[] = [
  ['a picture without an address', '<img alt="x">'],
  ['an address in single quotes', "<img src='/b.png'>"],
  ['tags in upper case', '<IMG SRC="/b.png">'],
  ['a frame without a height', '<iframe src="/map" width="300"></iframe>'],
  ['a frame with a loading', '<iframe src="/map" width="3" height="2" loading="eager"></iframe>'],
  ['what a comment or a script says of pictures', '<!-- <img src="a"> --><script>"<img src=\\"a\\">"</script>'],
  ['elements whose name only begins alike', '<img-box src="a"></img-box><imgs src="a">'],
  ['a tag that never ends', 'a <img src="b"'],
]

describe('loadingHints', () => {
  it.each(changed)('%s', (_title, html, hinted) => {
    expect(loadingHints(html)).toBe(hinted)
  })

  it.each(kept)('keeps %s', (_title, html) => {
    expect(loadingHints(html)).toBe(html)
  })

  it('changes nothing the second time', () => {
    for (const [, html] of changed) expect(loadingHints(loadingHints(html))).toBe(loadingHints(html))
  })

  it.each(['<img src="a" width="1" height="1">', '<img ', '<img src="', '<iframe src="b">x'])(
    'reads ten times as much for ten times as many of %j',
    (part) => {
      const [small, middle, large] = [25, 250, 2500].map((times) =>
        charactersRead(() => loadingHints(part.repeat(times))),
      )
      expect(middle).toBeLessThan((small as number) * 12)
      expect(large).toBeLessThan((middle as number) * 12)
    },
  )
})
