import { expect, test } from 'vitest'
import { exceededLimit } from '../../../src/core/request/json-extent.ts'

const limits = { levels: 3, values: 4 }

test.each([
  ['[[[1]]]', undefined],
  ['[[[[1]]]]', 'levels'],
  ['[],[],[],[]', undefined],
  ['[1,2,3,4,5]', undefined],
  ['[1,2,3,4,5,6]', 'values'],
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"b":2,"c":3}', 'values'],
  ['"[[[[,,,,,,::::"', undefined],
  [String.raw`["\"[[[[,,,,,","\\",[]]`, undefined],
  ['"[[[[', undefined],
  ['', undefined],
])('%j exceeds the limit of %s', (text, expected) => {
  expect(exceededLimit(text, limits)).toBe(expected)
})

test('levels that end do not count', () => {
  expect(exceededLimit('[[],[],[],[],[]]', { levels: 2 })).toBeUndefined()
})
