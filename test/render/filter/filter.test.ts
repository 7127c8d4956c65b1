/** The filter on small texts. What a browser makes of the results is in fuzz.test.ts and in the browser tests. */
import { describe, expect, test } from 'vitest'
import { createContentFilter, filterContent, filterTitle } from '../../../src/render/filter/filter.ts'
import { violations } from './browser-view.ts'
import { contentCases, type Groups, home, titleCases } from './cases.ts'

function check(groups: Groups, list: 'content' | 'title', filter: (html: string) => string) {
  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      test.each(cases)('%j', (html, safe) => {
        expect(filter(html)).toBe(safe)
        expect(filter(safe)).toBe(safe)
        expect(violations(safe, list)).toEqual([])
      })
    })
  }
}

describe('contents', () => check(contentCases, 'content', (html) => filterContent(html, { home })))
describe('titles', () => check(titleCases, 'title', filterTitle))

test('without an address of the site that can be read, no object shows anything', () => {
  const html = `<object type="application/pdf" data="${home}/a.pdf">`
  expect(filterContent(html)).toBe('<object>')
  expect(filterContent(html, { home: '/sea' })).toBe('<object>')
})

describe('a filter of some elements of articles', () => {
  const filter = createContentFilter(['b', 'a', 'script'])
  test.each([
    ['Tide', 'Tide'],
    ['<b>Tide</b> <i>out</i>', '<b>Tide</b> out'],
    ['<a href="javascript:x" title="t">', '<a href="x" title="t">'],
    ['<script>x</script>', 'x'],
    ['<!-- cms:a --><b>x</b>', '<!-- cms:a --><b>x</b>'],
  ])('makes %j safe', (html, safe) => expect(filter(html)).toBe(safe))
})

describe('the view of a browser', () => {
  test.each([
    ['<script>x</script>', 'element script'],
    ['<p onclick="x">', 'attribute p onclick'],
    ['<a href="java\nscript:x">', 'address java\nscript:x'],
    ['<a href="&#1; vbscript:x">', 'address \x01 vbscript:x'],
    ['<p style="behavior:x">', 'property behavior'],
    ['<p style="color:expression(1)">', 'function expression'],
    ['<p style="background:u\\72l(javascript:x)">', 'unreadable u\\72l(javascript:x)'],
    ['<table><title><p></title><b is=x>', 'attribute b is'],
    ['<math><annotation-xml>', 'element annotation-xml'],
    ['<!-- cms:a {"b":"<iframe>"} -->', 'element iframe'],
  ])('finds what is unsafe in %j', (html, violation) => expect(violations(html, 'content')).toContain(violation))
})
