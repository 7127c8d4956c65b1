import { expect, test } from 'vitest'
import { bool, int, list, nullable, object, required, str } from '../../../src/core/declare/args.ts'
import { strictMistakeOf } from '../../../src/core/request/check.ts'

const { node } = object(
  {
    rows: list(
      object({ id: required(int()), 'a/b~c': str(), parent: nullable(str()) }, { additionalProperties: false }),
    ),
    flags: object({}, { additionalProperties: bool().node }),
  },
  { additionalProperties: false },
)

test.each([
  ['a matching value', { rows: [{ id: 1, parent: null }], flags: { a: true } }, undefined],
  ['a list in place of an object', [], { kind: 'invalid', path: [] }],
  ['a text that could be coerced', { rows: [{ id: '1' }] }, { kind: 'invalid', path: ['rows', '0', 'id'] }],
  ['a missing member', { rows: [{ id: 1 }, {}] }, { kind: 'missing', path: ['rows', '1', 'id'] }],
  ['an undeclared member', { rows: [{ id: 1, ids: 2 }] }, { kind: 'unknown', path: ['rows', '0', 'ids'] }],
  ['a name with a slash', { rows: [{ id: 1, 'a/b~c': 2 }] }, { kind: 'invalid', path: ['rows', '0', 'a/b~c'] }],
  ['a value that may be null', { rows: [{ id: 1, parent: 2 }] }, { kind: 'invalid', path: ['rows', '0', 'parent'] }],
  ['a member of any name', { flags: { 'a b': 1 } }, { kind: 'invalid', path: ['flags', 'a b'] }],
])('finds the first mistake without coercion: %s', (_, value, mistake) => {
  expect(strictMistakeOf(node, value)).toEqual(mistake)
})
