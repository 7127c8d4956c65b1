/** The literal router and find-my-way find the same endpoint with the same parameters, for every path. */
import fc from 'fast-check'
import createFindMyWay from 'find-my-way'
import { expect, test } from 'vitest'
import { endpointBelow, type Method } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { digits, parameter } from '../../../src/core/declare/pattern.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { createFinder, type FindPath } from '../../../src/core/routing/find-my-way.ts'
import { createLiteralRouters } from '../../../src/core/routing/literal-router.ts'
import type { Route } from '../../../src/core/routing/route.ts'
import { createRouter } from '../../../src/core/routing/router.ts'
import { createNames } from '../../../src/names/word-map.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'

const anything = (name: string) => parameter(name, '[^/]+')
const overlapping = [
  '/a',
  '/a/b',
  `/a/${anything('x')}`,
  `/a/${anything('x')}/b`,
  `/a/b/${anything('y')}`,
  `/a/${anything('x')}/b/c`,
  `/a/${anything('x')}/${digits('z')}/c`,
  '/a/b/c/d',
  `/${parameter('w', '[\\w-]+')}/b/b/b`,
].map((path) => endpointBelow({ path, methods: ['GET'], args: {}, permission: anyone, handler: () => null }))

const letters = [feature('letters', '', overlapping)]
const tables = [letters, d1.features, d2.features].map((features) => createRouter(features, createNames()).routes)

const odd = fc.oneof(
  fc.constantFrom('%41', '%2F', '%2f', '%25', '%2541', '%3A', '%3a', '%c3%a9', '%ff', '%', '%2', '%zz', '#', '?', ';'),
  fc.constantFrom('İ', 'ß', 'K', 'é', '%C4%B0', '.', '..', '1', 'A', 'b', '+', ':', '%E2%84%AA'),
  fc.string({ unit: 'binary', maxLength: 2 }),
)
const segment = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'd', 'A', 'B', '%61', '12', 'x-1'),
  fc.array(odd, { maxLength: 3 }).map((parts) => parts.join('')),
)
const anyPath = fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`)

/** Paths of a table with values in the place of parameters, and letters that are changed, escaped or added. */
const pathOf = (patterns: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...patterns),
      fc.array(segment, { minLength: 4, maxLength: 4 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      odd,
    )
    .map(([readable, values, places, extra]) => {
      let next = 0
      const path = readable.replace(/\{\w+\}/g, () => values[next++ % 4] as string)
      return places.reduce((text, place, index) => changedAt(text, 1 + (place % text.length), extra, index), path)
    })

function changedAt(text: string, at: number, extra: string, kind: number): string {
  const char = text[at] ?? ''
  const changed = [char.toUpperCase(), `%${char.charCodeAt(0).toString(16)}`, char + extra][kind % 3] as string
  return text.slice(0, at) + (char === '/' && kind === 1 ? '/' : changed) + text.slice(at + 1)
}

const methods = fc.constantFrom<Method>('GET', 'POST', 'PUT', 'PATCH', 'DELETE')

function spelled(routes: readonly Route[]): FindPath {
  const routers = createLiteralRouters(routes)
  return (method, path) => routers.get(method)?.findSpelled(path)
}

const shown = (find: FindPath, method: Method, path: string) => {
  const found = find(method, path)
  return found && { key: found.routed.route.pattern.key, params: [...found.params] }
}

test.each([
  ['overlapping routes', 0],
  ['the routes of d1', 1],
  ['the routes of d2', 2],
])('the literal router and find-my-way agree on %s', (_, index) => {
  const routes = tables[index] ?? []
  const [literal, finder] = [spelled(routes), createFinder(createFindMyWay, routes)]
  const paths = pathOf(routes.map(({ pattern }) => pattern.readable || '/'))
  let found = 0
  fc.assert(
    fc.property(methods, fc.oneof(anyPath, { arbitrary: paths, weight: 3 }), (method, path) => {
      const expected = shown(finder, method, path)
      if (expected) found++
      expect(shown(literal, method, path), `${method} ${path}`).toEqual(expected)
    }),
    { numRuns: 3000 },
  )
  expect(found).toBeGreaterThan(50)
})

test('every route of d2 is found by its pattern in capitals', () => {
  const routes = tables[2] ?? []
  const literal = spelled(routes)
  const missed = routes.filter(({ pattern, endpoints }) => {
    const path = (pattern.readable || '/').toUpperCase().replace(/\{\w+\}/g, '7')
    return shown(literal, endpoints[0]?.endpoint.methods[0] ?? 'GET', path)?.key === undefined
  })
  expect(missed.map(({ pattern }) => pattern.key)).toEqual([])
})

test('a parameter of 2048 characters matches, a longer one does not', () => {
  const literal = spelled(tables[0] ?? [])
  expect(shown(literal, 'GET', `/a/${'%41'.repeat(2048)}`)?.params[0]).toBe('A'.repeat(2048))
  expect(shown(literal, 'GET', `/a/${'A'.repeat(2049)}`)).toBeUndefined()
})
