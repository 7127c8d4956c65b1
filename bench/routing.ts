/**
 * Compares the routing of a method and a path by our router, find-my-way, Hono's router and an ordered list of patterns.
 */
import createFindMyWay from 'find-my-way'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { endpointBelow } from '../src/core/declare/endpoint.ts'
import { feature } from '../src/core/declare/feature.ts'
import { anyone } from '../src/core/declare/permissions.ts'
import { createRouter } from '../src/core/routing/router.ts'
import { createNames } from '../src/names/word-map.ts'
import type { Contender, Contenders } from './measure.ts'
import { declaredPath, endpointRoutes, examplePath, findMyWayPath, honoPath, patternOf, tableRoutes } from './routes.ts'

/**
 * Requests whose paths are slices of one longer text, as a server gets them from its parser: a new string each time.
 */
interface Workload {
  readonly text: string
  readonly methods: readonly string[]
  /** Holds the start of each path, then the end of the last one. */
  readonly starts: Int32Array
}

const size = 1000

function workload(requests: readonly (readonly [method: string, path: string])[]): Workload {
  let text = 'http://site.example/'
  const starts = Int32Array.from({ length: requests.length + 1 }, (_, at) => {
    const start = text.length
    text += requests[at]?.[1] ?? ''
    return start
  })
  return { text: Buffer.from(text).toString('latin1'), methods: requests.map(([method]) => method), starts }
}

function matching(parameters: number): Workload {
  const routes = tableRoutes.filter((route) => route.parameters === parameters)
  return workload(
    Array.from({ length: size }, (_, at) => {
      const route = routes[at % routes.length] as (typeof routes)[number]
      const method = route.methods[Math.floor(at / routes.length) % route.methods.length] as string
      return [method, examplePath(route.path, at * 7919)]
    }),
  )
}

const unknownPaths = [
  '/login.php',
  '/cms/v2/post/',
  '/cms/v2/posts/new-',
  '/builder/v1/globals/fonts/',
  '/a11y/v2/',
  '/x',
]

const cases: { readonly [name: string]: Workload } = {
  static: matching(0),
  'one parameter': matching(1),
  'two parameters': matching(2),
  'not found': workload(
    Array.from({ length: size }, (_, at) => ['GET', `${unknownPaths[at % unknownPaths.length]}${at}`]),
  ),
}

type Find = (method: string, path: string) => unknown

function contender(find: Find): Contender {
  const run =
    ({ text, methods, starts }: Workload) =>
    () => {
      let matches = 0
      for (let at = 0; at < size; at++) {
        if (find(methods[at] as string, text.slice(starts[at], starts[at + 1]))) matches++
      }
      return matches
    }
  const runs = Object.entries(cases).map(([name, work]) => [name, run(work)] as const)
  for (const [name, once] of runs) {
    const expected = name === 'not found' ? 0 : size
    if (once() !== expected) throw new Error(`${name}: ${once()} of ${expected} matched`)
  }
  return { operations: size, cases: Object.fromEntries(runs) }
}

export const contenders: Contenders = {
  'site-api': () => {
    const declared = endpointRoutes.map(({ methods, path }) =>
      endpointBelow({ path: declaredPath(path), methods, args: {}, permission: anyone, handler: () => null }),
    )
    const router = createRouter([feature('bench', '', declared)], createNames())
    return contender(router.find)
  },

  'find-my-way': () => {
    const router = createFindMyWay({ ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 2048 })
    for (const { methods, path } of tableRoutes) {
      for (const method of methods) router.on(method, findMyWayPath(path), () => undefined)
    }
    return contender((method, path) => router.find(method as 'GET', path))
  },

  hono: () => {
    // The default router of `new Hono()`.
    const router = new SmartRouter<object>({ routers: [new RegExpRouter(), new TrieRouter()] })
    for (const { methods, path } of tableRoutes) for (const method of methods) router.add(method, honoPath(path), {})
    return contender((method, path) => router.match(method, path)[0].length > 0)
  },

  'ordered patterns': () => {
    const routes = tableRoutes.map(({ methods, path }) => ({ methods, pattern: patternOf(path) }))
    return contender((method, path) => {
      for (const route of routes) {
        const match = route.pattern.exec(path)
        if (match && route.methods.includes(method as 'GET')) return match
      }
      return undefined
    })
  },
}
