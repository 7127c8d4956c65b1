/** From method and path to an endpoint: a map for paths without parameters, find-my-way for all others. */
import createFindMyWay from 'find-my-way'
import type { AnyEndpoint, Feature, Method } from './declare.ts'
import type { Names } from './names.ts'
import { type Pattern, parsePattern } from './pattern.ts'
import { createPlan, type Plan } from './plan.ts'

/** An endpoint at its place. The plan, which holds generated code, is made on first use. */
export class Bound {
  readonly endpoint: AnyEndpoint
  readonly route: Route
  readonly writes: boolean
  readonly names: Names
  #plan: Plan | undefined

  constructor(declared: AnyEndpoint, route: Route, names: Names) {
    this.endpoint = declared
    this.route = route
    this.names = names
    this.writes = !declared.methods.includes('GET')
  }

  get plan(): Plan {
    this.#plan ??= createPlan(this.endpoint.args, this.route.pattern, this.names)
    return this.#plan
  }
}

export class Route {
  readonly namespace: string
  readonly pattern: Pattern
  readonly bounds: Bound[] = []
  constructor(namespace: string, pattern: Pattern) {
    this.namespace = namespace
    this.pattern = pattern
  }
}

export type Params = { readonly [name: string]: string | undefined }

export interface Match {
  readonly bound: Bound
  readonly params: Params
}

export interface Router {
  find(method: string, path: string): Match | undefined
  /** All endpoints a path has, whatever the method; for OPTIONS. */
  findAll(path: string): readonly Match[]
  readonly routes: readonly Route[]
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const none: Params = Object.freeze({})
/** A slug of 200 characters is three times as long when percent-encoded; beyond this a path is 404. */
const maxParameterLength = 2048

export function createRouter(features: readonly Feature[], names: Names): Router {
  const routes = routesOf(features, names)
  const fixed = new Map<string, Map<string, Match>>()
  const finder = createFindMyWay({
    ignoreTrailingSlash: true,
    caseSensitive: false,
    maxParamLength: maxParameterLength,
  })
  for (const method of methods) fixed.set(method, new Map())

  for (const route of routes) {
    for (const bound of route.bounds) {
      for (const method of bound.endpoint.methods) {
        if (route.pattern.parameters.length === 0) fixed.get(method)?.set(route.pattern.key, { bound, params: none })
        finder.on(method, route.pattern.routerPath, () => undefined, bound)
      }
    }
  }

  const find = (method: string, path: string): Match | undefined => {
    const direct = fixed.get(method)?.get(path)
    if (direct) return direct
    const found = methods.includes(method as Method) ? finder.find(method as Method, withoutSlashes(path)) : null
    return found ? { bound: found.store as Bound, params: found.params } : undefined
  }

  return {
    routes,
    find,
    findAll: (path) => methods.flatMap((method) => find(method, path) ?? []),
  }
}

/** `Interface:` slashes at the end do not count. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === 47) end--
  return end === path.length ? path : path.slice(0, end)
}

/** Endpoints of several features may share a route. */
function routesOf(features: readonly Feature[], names: Names): Route[] {
  const routes = new Map<string, Route>()
  for (const { namespace, endpoints } of features) {
    for (const declared of endpoints) {
      const key = names.word(namespace === '' ? declared.path : `/${namespace}${declared.path}`)
      const route = routes.get(key) ?? new Route(names.word(namespace), parsePattern(key))
      routes.set(key, route)
      refuseTwice(route, declared)
      route.bounds.push(new Bound(declared, route, names))
    }
  }
  return [...routes.values()]
}

function refuseTwice(route: Route, declared: AnyEndpoint): void {
  const taken = route.bounds.flatMap((bound) => bound.endpoint.methods)
  const twice = declared.methods.find((method) => taken.includes(method))
  if (twice) throw new Error(`${twice} ${route.pattern.key} is declared twice`)
}
