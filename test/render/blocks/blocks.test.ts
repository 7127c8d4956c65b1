/** Finding blocks: the form of a marker, and the nesting. */
import { describe, expect, it } from 'vitest'
import { attributesOf, readMarker } from '../../../src/html/block-markers.ts'
import { tokenize } from '../../../src/html/tokenize.ts'
import { blockVersion, hasBlocks, walkBlocks } from '../../../src/render/blocks/blocks.ts'

/** Writes `<name` and `>` for a start and an end, `!` for a stray end, and the text between. */
function walked(html: string): string {
  const steps: string[] = []
  walkBlocks(tokenize(html), {
    start: ({ name }) => steps.push(`<${name}`),
    end: ({ name }) => steps.push(`${name}>`),
    stray: () => steps.push('!'),
    token: ({ start, end }) => steps.push(html.slice(start, end)),
  })
  return steps.join(' ')
}

describe('readMarker', () => {
  it.each([
    [' cms:paragraph ', { kind: 'start', name: 'paragraph', json: '' }],
    [' cms:core/list-item ', { kind: 'start', name: 'list-item', json: '' }],
    [' cms:shop/price_tag {"a":{"b":[1]}} ', { kind: 'start', name: 'shop/price_tag', json: '{"a":{"b":[1]}}' }],
    ['\n\tcms:h2\n{}\n', { kind: 'start', name: 'h2', json: '{}' }],
    [' cms:break /', { kind: 'void', name: 'break', json: '' }],
    [' cms:map {"zoom":3} /', { kind: 'void', name: 'map', json: '{"zoom":3}' }],
    [' /cms:core/paragraph ', { kind: 'end', name: 'paragraph', json: '' }],
  ])('reads %j', (comment, marker) => {
    expect(readMarker(comment)).toEqual(marker)
  })

  it.each([
    ...['cms:paragraph ', ' cms:paragraph', ' cms:Paragraph ', ' CMS:paragraph ', ' cms: ', ' cms:a/ ', ' cms:a/b/c '],
    ...[' cms:paragraph text ', ' cms:paragraph {"a":1', ' /cms:paragraph {} ', ' / cms:paragraph ', ' more ', ''],
  ])('takes %j for a comment', (comment) => {
    expect(readMarker(comment)).toBeUndefined()
  })

  it('has no attributes where they do not parse', () => {
    expect(attributesOf({ json: '{"a":1}' })).toEqual({ a: 1 })
    expect(attributesOf({ json: '{a}' })).toEqual({})
    expect(attributesOf({ json: '' })).toEqual({})
  })
})

describe('walkBlocks', () => {
  it.each([
    ['nests blocks', 'a<!-- cms:x -->b<!-- cms:y /-->c<!-- /cms:x -->d', 'a <x b <y y> c x> d'],
    ['closes blocks inside the one that ends', '<!-- cms:x --><!-- cms:y -->b<!-- /cms:x -->c', '<x <y b y> x> c'],
    ['ends open blocks with the content', '<!-- cms:x -->a<!-- cms:y -->b', '<x a <y b y> x>'],
    ['reports an end without a start', 'a<!-- /cms:x -->b<!-- cms:y -->c<!-- /cms:x -->', 'a ! b <y c ! y>'],
    ['closes the nearest of its name', '<!-- cms:x --><!-- cms:x -->a<!-- /cms:x -->b', '<x <x a x> b x>'],
    ['finds no markers in attributes', '<b title="<!-- cms:x -->">a</b>', '<b title="<!-- cms:x -->"> a </b>'],
    ['finds no markers in scripts', '<script><!-- cms:x --></script>', '<script> <!-- cms:x --> </script>'],
    ['ends a marker where browsers end the comment', '<!-- cms:x {"a":"-->"} /-->', '<!-- cms:x {"a":"--> "} /-->'],
  ])('%s', (_title, html, steps) => {
    expect(walked(html)).toBe(steps)
  })

  it.each(['<!-- cms:a -->', '<!-- /cms:a -->', '<!-- cms:a --><!-- cms:b -->x<!-- /cms:a -->', '<!-- cms:a {'])(
    'visits ten times as much for ten times as many of %j',
    (part) => {
      const [small, middle, large] = [80, 800, 8000].map((times) => visits(part.repeat(times)))
      expect(middle).toBeLessThanOrEqual((small as number) * 11)
      expect(large).toBeLessThanOrEqual((middle as number) * 11)
    },
  )
})

/** Counts reads of the list of tokens, and calls of the visitor. */
function visits(html: string): number {
  let count = 0
  const visit = () => {
    count++
  }
  const tokens = new Proxy(tokenize(html), {
    get(list, key, receiver) {
      visit()
      return Reflect.get(list, key, receiver)
    },
  })
  walkBlocks(tokens, { start: visit, end: visit, stray: visit, token: visit })
  return count
}

it('tells content in blocks from other content', () => {
  expect([hasBlocks('<!-- cms:more -->'), blockVersion('a <!-- cms:x /--> b')]).toEqual([true, 1])
  expect([hasBlocks('<!-- more -->'), blockVersion('<!--cms:x-->')]).toEqual([false, 0])
})
