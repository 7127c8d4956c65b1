/** Finds the endpoint of a method and a path: the literal router for plain paths, find-my-way for all others. */
import type { Names } from '../../names/word-map.ts'
import type { AnyEndpoint, Method } from '../declare/endpoint.ts'
import type { Feature } from '../declare/feature.ts'
import { parsePattern } from '../declare/pattern.ts'
import { badEscape, decode } from '../request/query-string.ts'
import { createFinder, type FindPath, loadFindMyWay } from './find-my-way.ts'
import { createLiteralRouters } from './literal-router.ts'
import { type Match, Route, RoutedEndpoint, withoutVariant, withVariants } from './route.ts'

export interface Router {
  find(method: string, path: string): Match | undefined
  /** Finds the endpoints of a path for all methods; OPTIONS lists them. */
  findAll(path: string): readonly Match[]
  /** Whether a path is in one of the namespaces or is a route outside of them; then the API answers its 404. */
  covers(path: string): boolean
  readonly routes: readonly Route[]
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function createRouter(features: readonly Feature[], names: Names): Router {
  const routes = routesOf(features, names)
  const namespaces = [...new Set(routes.map(({ namespace }) => namespace))].filter((one) => one !== '')

  const held = routes.flatMap(withVariants)
  const literal = createLiteralRouters(held)
  const reads = literal.get('GET')

  const find = (method: string, path: string): Match | undefined => {
    const found = (method === 'GET' ? reads : literal.get(method as Method))?.find(path)
    if (found === undefined) return undefined
    return found === null ? findOdd(method as Method, path) : withoutVariant(found)
  }

  /** Created for the first path that needs it: loading find-my-way takes 15 ms. */
  let findSpelled: FindPath | undefined
  const findOdd = (method: Method, path: string): Match | undefined => {
    if (nul.test(path)) throw badEscape()
    // No whole URL: find-my-way would cut its host off.
    if (!path.startsWith('/')) return undefined
    const bare = withoutSlashes(path)
    if (bare !== path) return find(method, bare)
    findSpelled ??= finderOf(held, literal)
    const found = findSpelled(method, path)
    return found && isWithin(path, found.routed.route.namespace) ? withoutVariant(found) : undefined
  }

  return {
    routes,
    find,
    findAll: (path) => methods.flatMap((method) => find(method, path) ?? []),
    covers: (path) =>
      namespaces.some((one) => isBelow(path, one)) ||
      (!nul.test(path) && methods.some((method) => find(method, path) !== undefined)),
  }
}

function finderOf(routes: readonly Route[], literal: ReturnType<typeof createLiteralRouters>): FindPath {
  const findMyWay = loadFindMyWay()
  return findMyWay ? createFinder(findMyWay, routes) : (method, path) => literal.get(method)?.findSpelled(path)
}

/** `Interface:` case counts in the namespace and not behind it. */
const isWithin = (path: string, namespace: string) =>
  path.startsWith(namespace, 1) || decode(path).startsWith(namespace, 1)

function isBelow(path: string, namespace: string): boolean {
  const end = namespace.length + 1
  if (path.length > end && path[end] !== '/') return false
  return path.slice(1, end).toLowerCase() === namespace.toLowerCase()
}

/** No storage accepts NUL. */
const nul = /%00|\0/

/** `Interface:` trailing slashes are ignored. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === 47) end--
  return end === path.length ? path : path.slice(0, end)
}

/** Endpoints of several features may share a route. */
function routesOf(features: readonly Feature[], names: Names): Route[] {
  const routes = new Map<string, Route>()
  for (const { name, namespace, endpoints } of features) {
    for (const declared of endpoints) {
      const key = names.toPublic(namespace === '' ? declared.path : `/${namespace}${declared.path}`)
      const route = routes.get(key) ?? new Route(names.toPublic(namespace), parsePattern(key))
      routes.set(key, route)
      rejectMixedMethods(route, declared)
      refuseTwice(route, declared, name)
      route.endpoints.push(new RoutedEndpoint(name, declared, route, names))
    }
  }
  return [...routes.values()]
}

/** A read has neither transaction nor body, so an endpoint either reads or writes. */
function rejectMixedMethods({ pattern }: Route, { methods: own }: AnyEndpoint): void {
  if (own.includes('GET') && own.length > 1) {
    throw new Error(`${own.join(', ')} ${pattern.key}: GET needs an endpoint of its own`)
  }
}

function refuseTwice({ endpoints, pattern }: Route, declared: AnyEndpoint, feature: string): void {
  for (const method of declared.methods) {
    const first = endpoints.find(({ endpoint }) => endpoint.methods.includes(method))
    if (!first) continue
    const owners = first.feature === feature ? `the feature ${feature}` : `the features ${first.feature} and ${feature}`
    throw new Error(`${method} ${pattern.key} is declared twice, by ${owners}`)
  }
}
