/**
 * The methods that a caller may use on a route, from the permissions of its endpoints: for the `Allow` header and for
 * `targetHints` of links. Clients show buttons by them.
 */

import { andThen, catchError, isPromise, type MaybePromise, sequence } from '../../contract/maybe-promise.ts'
import type { Names } from '../../names/word-map.ts'
import { visitor } from '../declare/actor.ts'
import type { AllowedMethods, Context } from '../declare/context.ts'
import { isApiError } from '../declare/errors.ts'
import { mayEverPass } from '../declare/permissions.ts'
import type { Route, RoutedEndpoint } from '../routing/route.ts'

export function withResource({ endpoint }: RoutedEndpoint, context: Context): MaybePromise<Context> {
  if (!endpoint.resource) return context
  return andThen(endpoint.resource(context as never) as MaybePromise<unknown>, (resource) => ({ ...context, resource }))
}

export const checkPermission = ({ endpoint }: RoutedEndpoint, context: Context) =>
  endpoint.permission.check(context as never)

/** Whether the caller may call the endpoint for the record in the path; false when there is no such record. */
export function isAllowedAt(routed: RoutedEndpoint, context: Context): MaybePromise<boolean> {
  return catchError<boolean, boolean>(
    () => andThen(withResource(routed, context), (found) => andThen(checkPermission(routed, found), (error) => !error)),
    (error) => {
      if (!isApiError(error)) throw error
      return false
    },
  )
}

/** The `Allow` header of a read that the caller may do. */
export function allowHeader(routed: RoutedEndpoint, context: Context): MaybePromise<string | undefined> {
  if (routed.writes) return undefined
  const { route } = routed
  if (route.endpoints.length === 1) return allowText(route, 1)
  const visible = context.user.isVisitor ? visitorText(routed) : undefined
  if (visible !== undefined) return visible
  // Checked with the path arguments only: the others belong to the called method.
  const args: { [name: string]: unknown } = {}
  for (const { name } of route.pattern.parameters) args[name] = context.args[name]
  return andThen(allowedEndpoints(route, { ...context, args }, routed), (allowed) => allowText(route, allowed))
}

/**
 * The endpoints of a route that the caller may call, as a set of bits. `context` has the resource that `known` found, or
 * that a list has read; endpoints with another resource look it up.
 */
function allowedEndpoints(route: Route, context: Context, known: RoutedEndpoint): MaybePromise<number> {
  const { endpoints } = route
  const checks = sequence(endpoints, (other) => {
    if (other === known) return undefined
    if (other.endpoint.resource === known.endpoint.resource) return checkPermission(other, context)
    return andThen(isAllowedAt(other, context), (isAllowed) => (isAllowed ? undefined : notAllowed))
  })
  return isPromise(checks) ? checks.then(toBits) : toBits(checks)
}

const visitorTexts = new WeakMap<RoutedEndpoint, string | null>()

/**
 * What visitors may use on the route of this read, where the other permissions refuse every visitor; undefined where a
 * permission decides. Most reads are those of visitors, so nothing is checked for each record.
 */
function visitorText(reading: RoutedEndpoint): string | undefined {
  const known = visitorTexts.get(reading)
  if (known !== undefined) return known ?? undefined
  const { route } = reading
  const isAlone = route.endpoints.every((other) => other === reading || refusesVisitors(other))
  const text = isAlone ? allowText(route, 1 << route.endpoints.indexOf(reading)) : undefined
  visitorTexts.set(reading, text ?? null)
  return text
}

const refusesVisitors = ({ endpoint }: RoutedEndpoint) => !mayEverPass(endpoint.permission, visitor)

const notAllowed = 'refused'

function toBits(refused: readonly unknown[]): number {
  let allowed = 0
  for (let i = 0; i < refused.length; i++) if (!refused[i]) allowed |= 1 << i
  return allowed
}

const allowTexts = new WeakMap<Route, Map<number, string>>()

/** Cached per set of endpoints: a route has a few of them at most. */
function allowText(route: Route, allowed: number): string {
  const texts = allowTexts.get(route) ?? new Map<number, string>()
  allowTexts.set(route, texts)
  const text =
    texts.get(allowed) ?? methodsOf(route.endpoints.filter((_, index) => (allowed & (1 << index)) !== 0)).join(', ')
  texts.set(allowed, text)
  return text
}

export const methodsOf = (endpoints: readonly RoutedEndpoint[]) => [
  ...new Set(endpoints.flatMap(({ endpoint }) => endpoint.methods)),
]

/** `context.allowedMethods` of an api with these routes. */
export function createAllowedMethods(routes: readonly Route[], names: Names): AllowedMethods {
  const byPath = new Map(routes.map((route) => [route.pattern.readable, route]))
  return (context, path, records, argsOf) => {
    const route = byPath.get(names.toPublic(path))
    const reading = route?.endpoints.find(({ writes }) => !writes)
    if (!route || !reading) return records.map(() => '')
    const visible = context.user.isVisitor ? visitorText(reading) : undefined
    if (visible !== undefined) return records.map(() => visible)
    // One copy for all records: the checks of a record end before the next one is set.
    const each: { -readonly [name in keyof Context]: Context[name] } = { ...context }
    return sequence(records, (resource) => {
      each.args = argsOf(resource)
      each.resource = resource
      return andThen(allowedEndpoints(route, each, reading), (allowed) => allowText(route, allowed))
    })
  }
}
