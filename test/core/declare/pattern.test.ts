import { expect, test } from 'vitest'
import { digits, parameter, parsePattern } from '../../../src/core/declare/pattern.ts'
import { d1, d2 } from '../../../src/index.ts'

test('parses a pattern into key, router path and readable form', () => {
  expect(parsePattern(`/posts/${digits('parent')}/revisions/${digits('id')}`)).toMatchObject({
    key: '/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)',
    readable: '/posts/{parent}/revisions/{id}',
    routerPath: '/posts/:parent(^[\\d]+$)/revisions/:id(^[\\d]+$)',
  })
})

test.each(['(a+)+', '.*', '[a-z]+|b', '[a]+[b]+', '(?=x)', '[\\d]*'])(
  'refuses %s, which may take more than linear time',
  (pattern) => {
    expect(() => parsePattern(`/x/${parameter('id', pattern)}`)).toThrow(/^route /)
  },
)

test('every pattern of both profiles is one repeated character class', () => {
  for (const { features } of [d1, d2]) {
    for (const { endpoints } of features) {
      for (const { path } of endpoints) expect(() => parsePattern(path)).not.toThrow()
    }
  }
})
