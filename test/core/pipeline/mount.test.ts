import { expect, test } from 'vitest'
import { toResponse } from '../../../src/core/declare/result.ts'
import { targetOfUrl } from '../../../src/core/pipeline/mount.ts'

test.each([
  ['an address', 'https://quay.example/api/a%20b?x=%zz', '/api/a%20b', 'x=%zz'],
  ['a host that is none, as Bun hands it on', 'http://[::::/api/a?x=1', '/api/a', 'x=1'],
  [
    'a path alone, as Bun gives it for a Host header that is none',
    '/api/a?next=http://b/c',
    '/api/a',
    'next=http://b/c',
  ],
  ['a fragment, with a question mark in it', 'http://a/api#b?c', '/api', ''],
  ['a fragment behind the query', 'http://a/api?b#c', '/api', 'b'],
])('finds path and query of %s', (_, url, path, query) => {
  expect(targetOfUrl(url)).toEqual({ path, query })
})

test('encodes header text that no runtime would send', () => {
  const { headers } = toResponse({
    status: 200,
    headers: { 'X-A': '日本\r\nX-Evil: 1', 'X-B': ['b', 'ö\n'] },
    body: '1',
  })
  expect(headers.get('x-a')).toBe('%E6%97%A5%E6%9C%AC%0D%0AX-Evil: 1')
  expect(headers.get('x-b')).toBe('b, %C3%B6%0A')
})
