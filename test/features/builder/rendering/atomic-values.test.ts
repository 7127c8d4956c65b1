/** Values of styles of the new generation that the editor stores in several forms, as declarations of CSS. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { colored, sized, styled, tag, text, variant } from '../../../support/atomic.ts'
import { storeDocument } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

const number = (value: unknown) => tag('number', value)
const over = (...entries: readonly unknown[]) => ({
  background: tag('background', { 'background-overlay': tag('background-overlay', entries) }),
})
const stops = (...list: [string, unknown?][]) =>
  tag(
    'gradient-color-stop',
    list.map(([color, offset]) =>
      tag('color-stop', { color: colored(color), ...(offset === undefined ? {} : { offset: number(offset) }) }),
    ),
  )
const image = tag('image', {
  src: tag('image-src', { id: null, url: tag('url', 'https://quay.example/a.png') }),
  size: text('full'),
})
const filterOf = (...list: object[]) => ({
  filter: tag(
    'filter',
    list.map((one) => tag('css-filter-func', one)),
  ),
})

test.each<[what: string, props: object, css: string, warnings?: readonly string[]]>([
  [
    'a colour over the background',
    over(tag('background-color-overlay', { color: colored('#112233') })),
    'background-image:linear-gradient(#112233, #112233);background-repeat:repeat;background-attachment:scroll;background-size:auto auto;background-position:0% 0%',
  ],
  ['an overlay without a colour', over(tag('background-color-overlay', {})), ''],
  ['an overlay of no known kind', over(tag('background-video-overlay', {})), ''],
  [
    'a background whose overlay is no list',
    {
      background: tag('background', {
        color: colored('red'),
        'background-overlay': tag('background-overlay', 'x'),
        clip: text('text'),
      }),
    },
    'background-color:red;background-clip:text',
  ],
  [
    'a gradient along an angle',
    over(
      tag('background-gradient-overlay', {
        type: text('linear'),
        angle: number(90),
        stops: stops(['#000000', 0], ['#ffffff', 100]),
      }),
    ),
    'background-image:linear-gradient(90deg, #000000 0%, #ffffff 100%);background-repeat:repeat;background-attachment:scroll;background-size:auto auto;background-position:0% 0%',
  ],
  [
    'a gradient without an angle, a stop without a place',
    over(tag('background-gradient-overlay', { type: text('linear'), stops: stops(['#000000'], ['#ffffff', 50]) })),
    'background-image:linear-gradient(180deg, #000000, #ffffff 50%);background-repeat:repeat;background-attachment:scroll;background-size:auto auto;background-position:0% 0%',
  ],
  [
    'a gradient around a point',
    over(
      tag('background-gradient-overlay', {
        type: text('radial'),
        positions: text('top left'),
        stops: stops(['#000000', 0]),
      }),
    ),
    'background-image:radial-gradient(circle at top left, #000000 0%);background-repeat:repeat;background-attachment:scroll;background-size:auto auto;background-position:0% 0%',
  ],
  [
    'a gradient around the centre',
    over(tag('background-gradient-overlay', { type: text('radial'), stops: stops(['#000000', 0]) })),
    'background-image:radial-gradient(circle at center center, #000000 0%);background-repeat:repeat;background-attachment:scroll;background-size:auto auto;background-position:0% 0%',
  ],
  [
    'a gradient without stops',
    over(
      tag('background-gradient-overlay', {
        type: text('linear'),
        stops: tag('gradient-color-stop', [tag('color-stop', {})]),
      }),
    ),
    '',
  ],
  [
    'pictures, one on the other',
    over(
      tag('background-image-overlay', {
        image,
        repeat: text('no-repeat'),
        size: text('cover'),
        position: text('center center'),
      }),
      tag('background-image-overlay', {
        image,
        attachment: text('fixed'),
        size: tag('background-image-size-scale', { width: sized(10), height: null }),
        position: tag('background-image-position-offset', { y: sized(5) }),
      }),
    ),
    'background-image:url("https://quay.example/a.png"), url("https://quay.example/a.png");background-repeat:no-repeat, repeat;background-attachment:scroll, fixed;background-size:cover, 10px auto;background-position:center center, 0px 5px',
  ],
  [
    'a picture with one size',
    over(tag('background-image-overlay', { image, size: sized(40, '%') })),
    'background-image:url("https://quay.example/a.png");background-repeat:repeat;background-attachment:scroll;background-size:40%;background-position:0% 0%',
  ],
  ['a picture without an address', over(tag('background-image-overlay', { image: tag('image', {}) })), ''],
  [
    'a place of an object',
    { 'object-position': tag('object-position', { x: sized(10), y: sized(20, '%') }) },
    'object-position:10px 20%',
  ],
  [
    'half a place of an object',
    { 'object-position': tag('object-position', { y: sized(20, '%') }) },
    'object-position:0px 20%',
  ],
  ['no place of an object', { 'object-position': tag('object-position', {}) }, ''],
  [
    'a stroke',
    { stroke: tag('stroke', { width: sized(2), color: colored('red') }) },
    '-webkit-text-stroke:2px red;stroke:red;stroke-width:2px',
  ],
  ['a stroke without anything', { stroke: tag('stroke', {}) }, ''],
  [
    'a shadow without a colour',
    { 'box-shadow': tag('box-shadow', [tag('shadow', { hOffset: sized(1), vOffset: sized(2) })]) },
    'box-shadow:1px 2px 0px 0px',
  ],
  [
    'a single shadow inside',
    { 'box-shadow': tag('shadow', { color: colored('red'), position: text('inset') }) },
    'box-shadow:0px 0px 0px 0px red inset',
  ],
  ['a shadow of nothing', { 'box-shadow': tag('shadow', {}) }, ''],
  [
    'filters with one value',
    filterOf(
      { func: text('blur'), args: tag('blur', { size: sized(2) }) },
      { func: text('opacity'), args: sized(50, '%') },
    ),
    'filter:blur(2px) opacity(50%)',
  ],
  [
    'a filter without its value',
    filterOf(
      { func: text('blur'), args: tag('blur', {}) },
      { func: text('burn'), args: sized(1) },
      { func: text('sepia') },
    ),
    '',
  ],
  [
    'a shadow as a filter',
    filterOf(
      { func: text('drop-shadow'), args: tag('drop-shadow', { xAxis: sized(1), blur: sized(3) }) },
      { func: text('drop-shadow'), args: tag('drop-shadow', { x: sized(1), y: sized(2), color: colored('red') }) },
    ),
    'filter:drop-shadow(1px 0px 3px) drop-shadow(1px 2px 0px red)',
  ],
  [
    'a filter of a plain text',
    filterOf({ func: text('contrast'), args: tag('string', '120%') }),
    'filter:contrast(120%)',
  ],
  [
    'transforms',
    {
      transform: tag('transform', {
        'transform-functions': tag('transform-functions', [
          tag('transform-move', { x: sized(1) }),
          tag('transform-scale', { x: number(2) }),
          tag('transform-rotate', { z: sized(30, 'deg') }),
          tag('transform-skew', { y: sized(3, 'deg') }),
          tag('transform-burn', {}),
        ]),
        'transform-origin': tag('transform-origin', { x: sized(1) }),
        perspective: sized(100),
        'perspective-origin': tag('perspective-origin', {}),
      }),
    },
    'transform:translate3d(1px, 0px, 0px) scale3d(2, 1, 1) rotateX(0deg) rotateY(0deg) rotateZ(30deg) skew(0deg, 3deg);transform-origin:1px 0px 0px;perspective:100px',
  ],
  [
    'transitions',
    {
      transition: tag('transition', [
        tag('selection-size', {
          selection: tag('key-value', { key: text('All'), value: text('all') }),
          size: sized(200, 'ms'),
        }),
        tag('selection-size', { selection: tag('key-value', { value: text('margin') }), size: sized(1, 's') }),
        tag('selection-size', { selection: tag('key-value', { value: text('burn') }), size: sized(1, 's') }),
        tag('selection-size', { selection: tag('key-value', {}) }),
      ]),
    },
    'transition:all 200ms, margin 1s',
    ['unknown_property'],
  ],
  ['a number', { 'z-index': number(4), opacity: sized(0.5, ''), order: number('x') }, 'z-index:4;opacity:0.5'],
  ['a size of no unit', { width: sized(3, ''), height: sized('auto', '') }, 'width:3', ['unsafe_value']],
  ['a size that is an object', { width: tag('size', { unit: 'px', size: {} }) }, ''],
  ['an unknown kind of value', { color: tag('boolean', true), width: tag('url', 'x') }, ''],
  ['an unknown property', { 'burn-in': text('x') }, '', ['unknown_property']],
  ['a variable that is missing', { color: tag('global-color-variable', 'e-gv-none') }, '', ['missing_global']],
])('%s', async (_, props, css, warnings = []) => {
  const id = await storeDocument(site, [styled('a', 'e-divider', [variant(props)])])
  const result = await site.api.render.document(id)
  const sheet = result?.css.find(({ key }) => key === 'local')?.css ?? ''
  expect(sheet).toBe(css === '' ? '' : `.builder .e-a-1{${css}}`)
  expect(result?.warnings.map(({ code }) => code)).toEqual(warnings)
})
