/**
 * Finds the route of a path with capitals or escapes with find-my-way. Where the runtime makes no functions from text, or cannot load a
 * package while it runs, the literal router does; property tests hold the two equal.
 */
import type FindMyWay from 'find-my-way'
import type { Method } from '../declare/endpoint.ts'
import { canGenerateCode } from '../runtime/code-generation.ts'
import { nodeModule } from '../runtime/node-module.ts'
import { maxParameterLength } from './literal-router.ts'
import type { Match, Route, RoutedEndpoint } from './route.ts'

/** Without regard to case, with escapes, for a path that begins with a slash and ends without one. */
export type FindPath = (method: Method, path: string) => Match | undefined

/**
 * Loads find-my-way; undefined where it cannot run. A static import would fail on edge runtimes: find-my-way requires `node:assert`.
 */
export function loadFindMyWay(): typeof FindMyWay | undefined {
  if (!canGenerateCode()) return undefined
  try {
    return nodeModule('node:module')?.createRequire(import.meta.url)('find-my-way')
  } catch {
    // A bundle that was moved away from its node_modules.
    return undefined
  }
}

/** Generates code per node. */
export function createFinder(createRouter: typeof FindMyWay, routes: readonly Route[]): FindPath {
  const finder = createRouter({
    ignoreTrailingSlash: true,
    caseSensitive: false,
    maxParamLength: maxParameterLength,
  })
  for (const { endpoints, pattern } of routes) {
    for (const routed of endpoints) finder.on([...routed.endpoint.methods], pattern.routerPath, () => undefined, routed)
  }
  return (method, path) => {
    const found = finder.find(method, path)
    if (!found) return undefined
    // The cast: `on` stored it.
    const routed = found.store as RoutedEndpoint
    return { routed, params: routed.route.pattern.parameters.map(({ name }) => found.params[name] ?? '') }
  }
}
