import fc from 'fast-check'

import { parse, stringify } from 'qs'
import { expect, test } from 'vitest'
import { isApiError } from '../../../src/core/declare/errors.ts'
import { ParameterIndex } from '../../../src/core/request/parameter-index.ts'
import { maxPairs, parseForm, plain, scanPairs } from '../../../src/core/request/query-string.ts'

function read(source: string, names: readonly string[]): { [name: string]: unknown } {
  const values: unknown[] = []
  scanPairs(source, new ParameterIndex(names.map((name, slot) => [name, slot] as const)), values)
  return Object.fromEntries(
    names.flatMap((name, slot) => (values[slot] === undefined ? [] : [[name, plain(values[slot])]])),
  )
}

const codeOf = (work: () => unknown) => {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return isApiError(error) ? `${error.status} ${error.code}` : 'crashed'
  }
}

test('reads texts, lists and objects of declared names only', () => {
  const source = 'a=1&b[]=x&b[]=y&c[3]=z&d[terms][]=4&d[terms][]=5&d[deep][er]=6&other=7'
  expect(read(source, ['a', 'b', 'c', 'd'])).toEqual({
    a: '1',
    b: ['x', 'y'],
    c: ['z'],
    d: { terms: ['4', '5'], deep: { er: '6' } },
  })
})

test('the last of repeated names counts, plain or bracketed', () => {
  expect(read('a=1&a=2', ['a'])).toEqual({ a: '2' })
  expect(read('a=1&a[]=2', ['a'])).toEqual({ a: ['2'] })
  expect(read('a[]=2&a=1', ['a'])).toEqual({ a: '1' })
  expect(read('a[b]=1&a[b]=2', ['a'])).toEqual({ a: { b: '2' } })
})

test('drops a bracket that is not closed', () => {
  expect(read('a[b=1&c[d][e=2', ['a', 'c'])).toEqual({ a: '1', c: { d: '2' } })
})

test('brackets without a key count on, behind keys too', () => {
  expect(read('a[][b]=1&a[][b]=2', ['a'])).toEqual({ a: [{ b: '1' }, { b: '2' }] })
  expect(read('a[k]=1&a[]=2&a[][b]=3', ['a'])).toEqual({ a: { k: '1', 0: '2', 1: { b: '3' } } })
  expect(read('a[5]=1&a[]=2', ['a'])).toEqual({ a: ['1', '2'] })
})

test('a form holds names without a value as empty texts', () => {
  expect(parseForm('a&b=1&=2&c[]')).toEqual({ a: '', b: '1', c: [''] })
})

test('a plus is a space, with escapes beside it and without', () => {
  expect(read('a=x+y&b=+&c=1%2B1', ['a', 'b', 'c'])).toEqual({ a: 'x y', b: ' ', c: '1+1' })
})

test('decodes names and values once', () => {
  expect(read('%61=x%20y+z&b=%2525', ['a', 'b'])).toEqual({ a: 'x y z', b: '%25' })
  expect(read('a%5Bb%5D=1', ['a'])).toEqual({ a: { b: '1' } })
})

test('a name without a value is an empty text; a value without a name is ignored', () => {
  expect(read('a&=1&&b=', ['a', 'b'])).toEqual({ a: '', b: '' })
})

test.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s at every depth', (key) => {
  for (const source of [`${key}=1`, `${key}[a]=1`, `a[${key}]=1`, `a[b][${key}]=1`, `zz[${key}]=1`]) {
    expect(codeOf(() => read(source, ['a']))).toBe('400 rest_invalid_param')
    expect(codeOf(() => parseForm(source))).toBe('400 rest_invalid_param')
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('refuses too many values, too deep names, bad escapes and NUL', () => {
  expect(codeOf(() => read('a=1&'.repeat(maxPairs + 1), ['a']))).toBe('414 rest_query_too_large')
  expect(codeOf(() => read(`a${'[b]'.repeat(200)}=1`, ['a']))).toBe('414 rest_query_too_large')
  for (const source of ['a=%', 'a=%zz', 'a=%E0%A4%A', 'a=%ff', 'a=%00', '%00=1&a=2']) {
    expect(
      codeOf(() => read(source, ['a'])),
      source,
    ).toBe('400 rest_bad_escape')
  }
})

test('a large index creates no large list', () => {
  expect(read('a[999999999]=1', ['a'])).toEqual({ a: ['1'] })
})

const word = fc.stringMatching(/^[a-z]{1,6}$/)
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((value) => !value.includes('\0') && value.isWellFormed())
const list = fc.array(text, { minLength: 1, maxLength: 4 })
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof({ maxDepth: 2 }, text, list, fc.dictionary(word, tie('tree'), { minKeys: 1, maxKeys: 3 })),
}))

test('agrees with the package qs', () => {
  fc.assert(
    fc.property(
      fc.dictionary(word, tree, { minKeys: 1, maxKeys: 4 }),
      fc.constantFrom('brackets', 'indices'),
      (values, form) => {
        const source = stringify(values, { arrayFormat: form as 'brackets' })
        const theirs = parse(source, { depth: 5, arrayLimit: 1000, allowPrototypes: false })
        expect(read(source, Object.keys(values))).toEqual({ ...theirs })
        expect(parseForm(source)).toEqual({ ...theirs })
      },
    ),
    { numRuns: 500 },
  )
})
