import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Method } from '../../../src/core/declare/endpoint.ts'
import { endpointBelow } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { digits, parameter } from '../../../src/core/declare/pattern.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { createRouter } from '../../../src/core/routing/router.ts'
import { createNames } from '../../../src/names/word-map.ts'

const word = (name: string) => parameter(name, '[\\w-]+')

const paths: readonly string[] = [
  '/a',
  '/a/b',
  `/a/${digits('id')}`,
  `/a/${digits('parent')}/b`,
  `/a/${digits('parent')}/b/${digits('id')}`,
  `/a/b/${word('slug')}`,
  `/a/b/${word('slug')}/a`,
  `/b/${word('slug')}`,
  '/b/12',
  `/b/${word('first')}/${word('second')}/${digits('third')}`,
  `/a/${parameter('who', '(?:[\\d]+|me)')}/c`,
  `/a/${parameter('who', '(?:[\\d]+|me)')}/c/${word('name')}`,
]

const router = createRouter(
  [
    feature(
      'letters',
      '',
      paths.map((path) => endpointBelow({ path, methods: ['GET'], args: {}, permission: anyone, handler: () => null })),
    ),
  ],
  createNames(),
)

const match = (path: string, method: Method = 'GET') => {
  const match = router.find(method, path)
  return match && { key: match.routed.route.pattern.key, params: [...match.params] }
}

test('parameters match by position, and a literal segment wins over a parameter', () => {
  expect(match('/a/12')).toEqual({ key: paths[2], params: ['12'] })
  expect(match('/a/1/b/23')).toEqual({ key: paths[4], params: ['1', '23'] })
  expect(match('/b/x-Y/z_/7')).toEqual({ key: paths[9], params: ['x-Y', 'z_', '7'] })
  expect(match('/b/12')).toEqual({ key: '/b/12', params: [] })
  expect(match('/a/b')).toEqual({ key: '/a/b', params: [] })
  expect(match('/a/1/b', 'POST')).toBeUndefined()
})

test('a parameter may also be a word, in any case and with escapes', () => {
  expect(match('/a/12/c')).toEqual({ key: paths[10], params: ['12'] })
  expect(match('/a/me/c')).toEqual({ key: paths[10], params: ['me'] })
  expect(match('/a/me/c/x-Y')).toEqual({ key: paths[11], params: ['me', 'x-Y'] })
  expect(match('/a/ME/c')).toEqual({ key: paths[10], params: ['me'] })
  expect(match('/a/%6de/c/x/')).toEqual({ key: paths[11], params: ['me', 'x'] })
  expect(match('/a/you/c')).toBeUndefined()
  expect(match('/a/me12/c')).toBeUndefined()
  expect(match('/a/me')).toBeUndefined()
})

test('a parameter of 2048 characters matches, a longer one does not', () => {
  expect(match(`/b/${'x'.repeat(2048)}`)?.params[0]).toHaveLength(2048)
  expect(match(`/b/${'x'.repeat(2049)}`)).toBeUndefined()
})

test('a path with a trailing slash reaches the same endpoint', () => {
  const segment = fc.constantFrom('a', 'b', '12', '7', 'x-1', 'A', 'c_d', '%61', 'ü', '.', '')
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const path = `/${segments.join('/')}`
      expect(match(path)).toEqual(match(`${path}/`))
    }),
    { numRuns: 2000 },
  )
})

test('case is ignored behind the namespace and counts in it', () => {
  const at = (path: string) =>
    endpointBelow({ path, methods: ['GET'], args: {}, permission: anyone, handler: () => null })
  const { find } = createRouter([feature('a', 'own/v1', [at('/x')]), feature('b', '', [at('/alone')])], createNames())
  expect(find('GET', 'http://site.example/alone'), 'a whole URL is no path').toBeUndefined()
  for (const path of ['/own/v1/x', '/own/v1/X', '/own/v1/%58', '/o%77n/v1/x', '/Alone']) {
    expect(find('GET', path), path).toBeDefined()
  }
  for (const path of ['/Own/v1/x', '/own/V1/x', '/%4Fwn/v1/x', '/%4Fwn/v1/%zz'])
    expect(find('GET', path), path).toBeUndefined()
})

test('covers namespaces at segment borders, and routes outside of them in any case', () => {
  const at = (path: string) =>
    endpointBelow({ path, methods: ['POST'], args: {}, permission: anyone, handler: () => null })
  const { covers } = createRouter([feature('a', 'own/v1', [at('/x')]), feature('b', '', [at('/alone')])], createNames())
  const ours = ['/own/v1', '/own/v1/', '/own/v1/nowhere', '/OWN/v1/x', '/o%77n/v1/x', '/alone', '/Alone/']
  const others = ['/', '/own', '/own/v2', '/own/v10', '/own/v1x', '/alone/x', '/alon', '/o%77n/v1', '/%zz', '/%00', '']
  expect(ours.filter((path) => !covers(path))).toEqual([])
  expect(others.filter(covers)).toEqual([])
})

test('rejects an endpoint that reads and writes, and a method that is declared twice', () => {
  const declared = (...methods: Method[]) =>
    endpointBelow({ path: '/a', methods, args: {}, permission: anyone, handler: () => null })
  const create = (...endpoints: ReturnType<typeof declared>[]) =>
    createRouter([feature('letters', '', endpoints)], createNames())
  expect(() => create(declared('GET', 'POST'))).toThrow('GET needs an endpoint of its own')
  expect(() => create(declared('POST'), declared('PUT', 'POST'))).toThrow('declared twice, by the feature letters')
  const [one, two] = [feature('one', '', [declared('POST')]), feature('two', '', [declared('PUT', 'POST')])]
  expect(() => createRouter([one, two], createNames())).toThrow(
    'POST /a is declared twice, by the features one and two',
  )
  expect(create(declared('GET'), declared('POST')).routes).toHaveLength(1)
})
