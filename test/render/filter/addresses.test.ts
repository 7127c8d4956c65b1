import { expect, test } from 'vitest'
import { isSafeAddress, safeAddress } from '../../../src/render/filter/addresses.ts'
import { addressViolations } from './browser-view.ts'

test.each([
  ['https://a.example/?b=c:d', 'https://a.example/?b=c:d'],
  ['XMPP:a@b.example', 'xmpp:a@b.example'],
  [' \n\ttel:1', 'tel:1'],
  ['java\nscript:x', 'x'],
  ['one: two:three', 'three'],
  ['?a:b', 'b'],
  ['a:b.png', 'b.png'],
  ['feed:feed:http://a.example/', 'feed:http://a.example/'],
  ['', ''],
  [':', ''],
])('makes %j safe', (address, safe) => {
  expect(safeAddress(address)).toBe(safe)
  expect(safeAddress(safe)).toBe(safe)
  expect(addressViolations(safe)).toEqual([])
})

test.each([
  '',
  '/a:b',
  '?a:b',
  '#a:b',
  '//a.example:80/',
  'a/b:c',
  'HTTPS://a.example/',
  'mailto:a@b.example',
  'feed:/a',
])('takes %j as it is', (address) => {
  expect(isSafeAddress(address)).toBe(true)
  expect(addressViolations(address)).toEqual([])
})

test.each([
  'javascript:x',
  ' data:x',
  'java\tscript:x',
  '\x01blob:x',
  'a:b',
  'feed:javascript:x',
  'fe\ned: vbscript:x',
])('refuses %j', (address) => expect(isSafeAddress(address)).toBe(false))
