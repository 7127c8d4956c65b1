/** JSON values that a storage must return unchanged. */
import type { Json } from '../contract/storage.ts'

export const jsonValues: readonly Json[] = [
  true,
  false,
  0,
  -1,
  1.5,
  0.1,
  123456789.12345679,
  1e21,
  1.5e-7,
  1.7976931348623157e308,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  '',
  ' ',
  '1',
  'true',
  'null',
  '{"a":1}',
  "it's",
  '"quoted"',
  'back\\slash',
  'line\nbreak\r\t\u0001\u001f\u007f',
  'é e\u0301 ẞ 漢字 \u2028\u2029 \ufeff \uffff',
  '😀👩‍👩‍👧 \u{10ffff}',
  '%_;--$1:name?',
  'long '.repeat(20_000),
  [],
  {},
  [null],
  { a: null },
  [[], {}, [[]], ''],
  [3, 1, 2, 1],
  { z: 1, a: { z: [1, { b: [true, null] }] }, '': 'empty key', 'a.b': 1, 'c"d\'': 2, é: 3, '😀': 4, '10': 5, '9': 6 },
  // Parsed, because a literal or an assignment would not create a member `__proto__`.
  JSON.parse('{"__proto__":{"admin":true},"constructor":1,"prototype":{"x":[]},"toString":"t"}'),
]

export const deepJson: Json = deepen(60)

function deepen(levels: number): Json {
  let value: Json = 'the bottom'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { next: value }
  return value
}

/** Its keys are in an order that sorting by text, by length or by folded text would change. */
export const orderedJson: Json = {
  z: 1,
  a: [{ y: 1, b: { d: null, c: true } }],
  'long key': 2,
  B: { é: 1, e: 2 },
}
