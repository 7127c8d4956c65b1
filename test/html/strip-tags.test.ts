import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { stripMarkup, stripTags } from '../../src/html/strip-tags.ts'
import { casesOf } from '../support/generated-cases.ts'

describe('stripTags', () => {
  it.each([
    ['a <b>bold</b> word', 'a bold word'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['x<!-- a > b -->y', 'xy'],
    ['x<?php echo 1 > 0 ?>y<? z', 'xy'],
    ['<a title="1 > 0">link</a>', 'link'],
    ['cut <unfinished', 'cut '],
    ['cut </unfinished', 'cut '],
    ['a <', 'a <'],
    ['<script>x()</script>y', 'x()y'],
    ['<title>a<b>c</b></title>', 'ac'],
    ['<!doctype html>a</>b<![CDATA[c]]>', 'ab'],
    ['Fish &amp; &lt;chips&gt;', 'Fish &amp; &lt;chips&gt;'],
  ])('reads %j', (text, plain) => expect(stripTags(text)).toBe(plain))

  it.each([
    ['<<b>script>x()<<i>/script>', 'script>x()/script>'],
    ['<<<b><i>b onclick=x()>y', 'b onclick=x()>y'],
    ['a <<!-- -->!-- b', 'a !-- b'],
  ])('puts no markup together from %j', (text, plain) => expect(stripTags(text)).toBe(plain))

  const parts = fc.constantFrom(
    '<',
    '>',
    '<b>',
    '</b>',
    '<!--',
    '-->',
    '<?',
    '?>',
    'script',
    '/',
    '!',
    ' ',
    '"',
    '=',
    'a',
    '\0',
  )
  const texts = fc.array(parts, { maxLength: 25 }).map((all) => all.join(''))

  it('leaves nothing that a parser reads as markup, and changes nothing the second time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const plain = stripTags(text)
        const found: string[] = []
        const parser = new Parser({
          onopentag: (name) => found.push(name),
          onclosetag: (name) => found.push(name),
          oncomment: (comment) => found.push(comment),
          onprocessinginstruction: (name) => found.push(name),
        })
        parser.end(plain)
        expect(found).toEqual([])
        expect(stripTags(plain)).toBe(plain)
      }),
      { numRuns: casesOf(5000) },
    )
  })
})

describe('stripMarkup', () => {
  it.each([
    ['a<script>if (1 < 2) x("<b>")</script>b', 'a b'],
    ['a<style>p > b {}</style >b<b>c</b>', 'a bc'],
    ['<textarea>a <b>b</b></textarea>', 'a b'],
    ['<script>x', ' '],
  ])('reads %j', (text, plain) => expect(stripMarkup(text)).toBe(plain))
})
