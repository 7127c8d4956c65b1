import { expect, test } from 'vitest'
import { serialize } from '../../../../src/render/builder/html/serialize.ts'
import { sanitizeSvg } from '../../../../src/render/builder/svg/sanitize.ts'

const sanitized = (source: string): string | undefined => {
  const tree = sanitizeSvg(source)
  return tree && serialize(tree)
}

test('shapes, gradients and texts stay', () => {
  expect(
    sanitized(
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">' +
        '<svg viewBox="0 0 9 9"><title>A &amp; B</title><defs><linearGradient id="g"><stop offset="1"/></linearGradient></defs>' +
        '<path fill="url(#g)" style="stroke: red; behavior: url(x)" d="M0 0"/></svg>',
    ),
  ).toBe(
    '<svg viewBox="0 0 9 9"><title>A &amp; B</title><defs><linearGradient id="g"><stop offset="1"></stop></linearGradient></defs>' +
      '<path fill="url(#g)" style="stroke:red" d="M0 0"></path></svg>',
  )
})

test('scripts, foreign elements, events and outside addresses go', () => {
  expect(
    sanitized(
      '<svg onload="a()"><script>b()</script><style>@import "c"</style><foreignObject><p>d</p></foreignObject>' +
        '<a xlink:href="javascript:e()"><circle r="1"/></a><image href="f.png"/><use href="https://g.test/#h"/>' +
        '<use xlink:href="#i"/><rect fill="url(https://j.test)" onclick="k()"/><animate attributeName="href" to="javascript:l"/></svg>',
    ),
  ).toBe('<svg><circle r="1"></circle><use></use><use href="#i"></use><rect></rect></svg>')
})

test.each([
  ['<svg><g></svg>', 'an open element'],
  ['<svg></g></svg>', 'a stray end'],
  ['<svg><path d=1></path></svg>', 'a value without quotes'],
  ['<svg><path d="1" d="2"/></svg>', 'an attribute twice'],
  ['<svg></svg><svg></svg>', 'two roots'],
  ['text<svg></svg>', 'text around the root'],
  ['<html><svg></svg></html>', 'another root'],
  [`<svg>${'<g>'.repeat(80)}${'</g>'.repeat(80)}</svg>`, 'many levels'],
  ['', 'nothing'],
])('a file that is not well formed gives nothing: %s', (source) => {
  expect(sanitized(source)).toBeUndefined()
})
