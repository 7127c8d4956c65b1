/**
 * Finds the route of a path with capitals or escapes: with find-my-way, or where the runtime makes no functions from text or
 * cannot load a package while it runs, with the route scan. Property tests hold the two equal.
 */
import type FindMyWay from 'find-my-way'
import type { Method } from '../declare/endpoint.ts'
import { canGenerateCode } from '../runtime/code-generation.ts'
import { nodeModule } from '../runtime/node-module.ts'
import { maxParameterLength } from './literal-router.ts'
import type { Match, Route, RoutedEndpoint } from './route.ts'
import { createRouteScan } from './route-scan.ts'

/** Without regard to case, with escapes, for a path that begins with a slash and ends without one. */
export type FindPath = (method: Method, path: string) => Match | undefined

/** Created for the first path that needs it: find-my-way generates code per node, and loading it takes 15 ms. */
export function createPathFinder(routes: readonly Route[]): FindPath {
  const createRouter = canGenerateCode() ? loadFindMyWay() : undefined
  return createRouter ? createFinder(createRouter, routes) : createRouteScan(routes)
}

/** A static import would fail on edge runtimes: find-my-way requires `node:assert`. */
function loadFindMyWay(): typeof FindMyWay | undefined {
  try {
    return nodeModule('node:module')?.createRequire(import.meta.url)('find-my-way')
  } catch {
    // A bundle that was moved away from its node_modules.
    return undefined
  }
}

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
