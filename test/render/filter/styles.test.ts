/** Which declarations of a style attribute stay. */
import { describe, expect, test } from 'vitest'
import { isSafeCssValue, safeStyle } from '../../../src/render/filter/styles.ts'
import { styleViolations } from './browser-view.ts'

const kept = [
  'color: teal',
  'color : #0af !important',
  'width: calc(100% - (2rem * var(--gap, 1)))',
  'width:min(90%, clamp(1px, 2vw, 3px))',
  'transform: rotateX(1turn) translate3d(0, 1px, 2px)',
  'border-color: var(--line, rgb(1 2 3 / 4%))',
  'grid-template-columns: [start] repeat(2, minmax(0, 1fr)) [end]',
  'font: italic 1rem/1.4 "Sea Sans", serif',
  `font-family: 'Sea Sans'`,
  'clip-path: polygon(0 0, 1px 1px)',
  'background: url(a.png) center / cover, linear-gradient(to right, rgb(1,2,3), hsl(1deg 2% 3%))',
  'background-image: url( "https://a.example/b c.png" )',
  'cursor: url(//a.example/c.cur), auto',
  '--tide: url(a.png)',
  '--tide_1-A: conic-gradient(red, blue)',
  'aspect-ratio: 16 / 9',
]
test.each(kept)('keeps %j', (style) => expect(safeStyle(style)).toBe(style))

const dropped = [
  'COLOR: red',
  'float : ',
  'color: rgb(1, 2, 3)',
  'color: RED()',
  'filter: blur(1px)',
  'animation: spin 1s',
  'behavior: url(a.htc)',
  'width: CALC(1px)',
  'width: (1px)',
  'width: calc(1px',
  'width: calc(1px]',
  'width: 1px)',
  'width: calc(url(a.png))',
  'width: expression(1)',
  'width: calc(expression(1))',
  'background: URL(a.png)',
  'background: url(a.png',
  'background: url("a.png)',
  'background: url("a.png" b)',
  'background: url(a"b.png)',
  'background: url(javascript:x)',
  'background: url(" data:image/png,x")',
  'background: url(feed:javascript:x)',
  'background: url(jav\tascript:x)',
  'background: image-set("a.png" 1x)',
  'background: src("a.png")',
  'list-style-type: linear-gradient(red, blue)',
  'background: linear-gradient(url(a.png))',
  'color: "red',
  'color: r\\65 d',
  'color: red /* note */',
  'color: a=b',
  'color: a&b',
  '--a: {b:c}',
  'width: \ufeffcalc(1px)',
  'width: \u00a0calc(1px)',
  '\u00a0color: red',
  '--é: 1px',
  '--: 1px',
  '@import "a.css"',
  '<b>',
]
test.each(dropped)('drops %j', (style) => expect(safeStyle(`top:0;${style};left:0`)).toBe('top:0;left:0'))

describe('lists of declarations', () => {
  test.each([
    [' color: red ;; \n top : 0 ; ', 'color: red;top : 0'],
    ['x;color:red', 'x;color:red'],
    ['background: url(data:image/png;base64,AA+/);top:0', 'base64,AA+/);top:0'],
    ['font-family:"a;b";top:0', 'top:0'],
    ['color:red}p{top:0', ''],
    ['', ''],
  ])('reads %j', (style, safe) => expect(safeStyle(style)).toBe(safe))
})

describe('values of a style sheet', () => {
  const functions = new Set(['blur'])
  test.each(['red', 'calc(1px + 2px)', 'blur(2px)', 'linear-gradient(red, blue)'])('takes %j', (value) =>
    expect(isSafeCssValue(value, functions)).toBe(true),
  )
  test.each(['', 'url(a.png)', 'a=b', 'red;top:0', 'red}', 'sepia(1)', '"red'])('refuses %j', (value) =>
    expect(isSafeCssValue(value, functions)).toBe(false),
  )
})

test('is safe and stable for what it keeps', () => {
  for (const style of [...kept, ...dropped]) {
    const safe = safeStyle(`${style};${style}`)
    expect(styleViolations(safe)).toEqual([])
    expect(safeStyle(safe)).toBe(safe)
  }
})
