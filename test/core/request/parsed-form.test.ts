/** Forms that a parser of the host has read: the same rules as for their text. */
import { expect, test } from 'vitest'
import { isApiError } from '../../../src/core/declare/errors.ts'
import { fromParsedForm } from '../../../src/core/request/parsed-form.ts'

test.each([
  ['texts', { a: '1', 'b c': 'x&y=z' }, { a: '1', 'b c': 'x&y=z' }],
  ['lists of texts', { a: ['1', '2'] }, { a: ['1', '2'] }],
  ['lists of objects', { a: [{ b: '1' }, { b: '2' }] }, { a: [{ b: '1' }, { b: '2' }] }],
  ['objects', { a: { b: { c: ['1'] } } }, { a: { b: { c: ['1'] } } }],
  ['what is no text', { a: null, b: undefined, c: 3, d: true }, { a: '', b: '', c: '3', d: 'true' }],
  ['half of a surrogate pair', { a: '\ud800' }, { a: '\ufffd' }],
])('reads %s', (_, parsed, expected) => expect(fromParsedForm(parsed)).toEqual(expected))

const endless: { self?: unknown } = {}
endless.self = endless

test.each([
  ['a reserved name', JSON.parse('{"__proto__":{"a":"1"}}'), 'rest_invalid_param'],
  ['an object that never ends', { a: endless }, 'rest_query_too_large'],
])('refuses %s', (_, parsed, code) => {
  try {
    fromParsedForm(parsed)
    expect.unreachable()
  } catch (error) {
    expect(isApiError(error) && error.code).toBe(code)
  }
})
