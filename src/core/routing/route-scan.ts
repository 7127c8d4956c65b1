/**
 * Finds the route of a path with capitals or escapes by comparing it with one route after the other, without generated code.
 * For runtimes without find-my-way; property tests hold the two equal.
 */
import type { Method } from '../declare/endpoint.ts'
import type { Pattern } from '../declare/pattern.ts'
import { maxParameterLength } from './literal-router.ts'
import type { Match, Route, RoutedEndpoint } from './route.ts'

interface ScannedRoute {
  readonly routed: RoutedEndpoint
  /** Literal texts in lower case: the one before each parameter, and the one at the end. */
  readonly literals: readonly string[]
  readonly parameters: readonly RegExp[]
}

/** A path in two spellings, which have the same offsets unless lower case has another length. */
interface ScannedPath {
  readonly lower: string
  readonly sent: string
}

export function createRouteScan(routes: readonly Route[]): (method: Method, path: string) => Match | undefined {
  const byMethod = new Map<Method, ScannedRoute[]>()
  const sorted = routes.toSorted((a, b) => compareTexts(shapeOf(a.pattern), shapeOf(b.pattern)))
  for (const { pattern, endpoints } of sorted) {
    for (const routed of endpoints) {
      for (const method of routed.endpoint.methods) {
        const list = byMethod.get(method) ?? []
        byMethod.set(method, list)
        list.push(scannedRoute(pattern, routed))
      }
    }
  }
  return (method, path) => {
    const sent = decodedPath(path)
    if (sent === undefined) return undefined
    const scanned = { sent, lower: sent.toLowerCase() }
    for (const route of byMethod.get(method) ?? []) {
      const params = paramsOf(route, scanned)
      if (params) return { routed: route.routed, params }
    }
    return undefined
  }
}

const scannedRoute = ({ readable, parameters }: Pattern, routed: RoutedEndpoint): ScannedRoute => ({
  routed,
  literals: literalsOf(readable),
  parameters: parameters.map(({ pattern }) => new RegExp(`^(?:${pattern})$`)),
})

const literalsOf = (readable: string) => (readable || '/').toLowerCase().split(/\{\w+\}/)

/** Sorts a literal segment before a parameter in its place, whatever follows: the literal wins. */
const shapeOf = ({ readable }: Pattern): string =>
  readable
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('')

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The path up to a query or fragment. Reserved characters stay escaped; undefined for escapes that are no UTF-8 text. */
function decodedPath(path: string): string | undefined {
  const end = path.slice(1).search(/[?#]/)
  const bare = (end === -1 ? path : path.slice(0, end + 1)).replace(/(?<=.)\/$/, '')
  try {
    // An escaped percent sign stays escaped, so that no value is decoded twice.
    return bare.includes('%') ? decodeURI(bare.replaceAll('%25', '%2525')) : bare
  } catch {
    return undefined
  }
}

function paramsOf({ literals, parameters }: ScannedRoute, { lower, sent }: ScannedPath): string[] | undefined {
  const params: string[] = []
  let at = 0
  for (const [index, parameter] of parameters.entries()) {
    const literal = literals[index] as string
    if (!lower.startsWith(literal, at)) return undefined
    const start = at + literal.length
    const slash = sent.indexOf('/', start)
    at = slash === -1 ? lower.length : slash
    const value = decodeURIComponent(sent.slice(start, at))
    if (value.length > maxParameterLength || !parameter.test(value)) return undefined
    params.push(value)
  }
  return lower.slice(at) === literals.at(-1) ? params : undefined
}
