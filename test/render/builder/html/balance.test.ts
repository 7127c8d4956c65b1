import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { balanced } from '../../../../src/render/builder/html/balance.ts'

test.each([
  ['<p>One<br>two</p>\n<img src="a.png"><hr>', 'an unchanged text'],
  ['<svg><path d="M0 0"/></svg><script>if (a<b) c()</script>', 'graphics and scripts'],
  ['<textarea></div></textarea><!-- <b> -->', 'raw text and comments'],
])('a balanced text stays as it is: %s', (html) => {
  expect(balanced(html)).toBe(html)
})

test.each([
  ['<div><b>x</div>', '<div><b>x</b></div>'],
  ['x</div></section></p>', 'x'],
  ['<b><i>x</b>y</i>', '<b><i>x</i></b>y'],
  ['<p>a<p>b', '<p>a</p><p>b</p>'],
  ['<p>a<div>b</div>', '<p>a</p><div>b</div>'],
  ['<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  ['<table><tr><td>a<td>b<tr><td>c</table>', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>'],
  ['<a href="1">x<a href="2">y', '<a href="1">x</a><a href="2">y</a>'],
  ['<textarea>x</div>', '<textarea>x</div></textarea>'],
  ['<script>a', '<script>a</script>'],
  ['x<!-- y', 'x<!-- y-->'],
  ['x<div class="y', 'x&lt;div class="y'],
  ['<body><plaintext>x', 'x'],
])('an unbalanced text ends where it began: %s', (html, expected) => {
  expect(balanced(html)).toBe(expected)
})

test('no text reaches beyond the element that holds it', () => {
  const parts = [
    '<div>',
    '</div>',
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<li>',
    '<ul>',
    '</ul>',
    '<td>',
    '<table>',
    '</table>',
    'x',
    '<br>',
  ]
  // A linear congruential generator: the same texts in each run.
  let seed = 7
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed
  }
  for (let round = 0; round < 300; round++) {
    const html = Array.from({ length: 12 }, () => parts[next() % parts.length]).join('')
    const open: string[] = []
    const parser = new Parser(
      {
        onopentagname: (name) => {
          if (name !== 'br') open.push(name)
        },
        onclosetag: (name) => {
          if (name !== 'br') expect(open.pop(), html).toBe(name)
        },
      },
      { xmlMode: true, recognizeSelfClosing: false },
    )
    parser.end(`<main>${balanced(html).replaceAll('<br>', '')}</main>`)
    expect(open, html).toEqual([])
    expect(balanced(balanced(html))).toBe(balanced(html))
  }
})
