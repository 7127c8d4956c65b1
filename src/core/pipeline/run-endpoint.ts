/**
 * Runs one endpoint: resource (404), permission, conditions, handler. Each step is a function, so that a synchronous
 * storage needs no closures.
 */

import type { Context } from '../declare/context.ts'
import { type ApiError, isApiError } from '../declare/errors.ts'
import { noHeaders, type ResponseHeaders, Result } from '../declare/result.ts'
import type { Match, Route, RoutedEndpoint } from '../routing/route.ts'
import { andThen, catchError, isPromise, type MaybePromise, sequence } from '../runtime/maybe-promise.ts'
import { type Conditions, checkConditions } from './etag.ts'

export function runEndpoint({ routed }: Match, context: Context): MaybePromise<Result> {
  const found = withSubject(routed, context)
  return isPromise(found) ? found.then((one) => permitted(routed, one)) : permitted(routed, found)
}

function permitted(bound: RoutedEndpoint, context: Context): MaybePromise<Result> {
  const refused = checkPermission(bound, context)
  return isPromise(refused)
    ? refused.then((one) => unlessRefused(one, bound, context))
    : unlessRefused(refused, bound, context)
}

function unlessRefused(refused: ApiError | undefined, bound: RoutedEndpoint, context: Context): MaybePromise<Result> {
  if (refused) throw refused
  const met = checkConditions(bound, context)
  return isPromise(met) ? met.then((one) => answered(one, bound, context)) : answered(met, bound, context)
}

function answered({ unchanged, tag }: Conditions, bound: RoutedEndpoint, context: Context): MaybePromise<Result> {
  if (unchanged) return unchanged
  const result = bound.endpoint.handler(context as never)
  return isPromise(result)
    ? result.then((one) => withAllow(one, tag, bound, context))
    : withAllow(result, tag, bound, context)
}

function withAllow(
  result: unknown,
  tag: string | undefined,
  bound: RoutedEndpoint,
  context: Context,
): MaybePromise<Result> {
  const allow = allowedOnRecord(bound, context)
  return isPromise(allow) ? allow.then((one) => toAnswer(result, one, tag)) : toAnswer(result, allow, tag)
}

function withSubject({ endpoint }: RoutedEndpoint, context: Context): MaybePromise<Context> {
  if (!endpoint.resource) return context
  return andThen(endpoint.resource(context as never) as MaybePromise<unknown>, (resource) => ({ ...context, resource }))
}

const checkPermission = ({ endpoint }: RoutedEndpoint, context: Context) => endpoint.permission.check(context as never)

/** Whether the caller may call the endpoint for the record in the path; false when there is no such record. */
export function isAllowedAt(bound: RoutedEndpoint, context: Context): MaybePromise<boolean> {
  return catchError<boolean, boolean>(
    () =>
      andThen(withSubject(bound, context), (found) => andThen(checkPermission(bound, found), (refused) => !refused)),
    (error) => {
      if (!isApiError(error)) throw error
      return false
    },
  )
}

/** The `Allow` header of a record: the methods this caller may use. Clients show buttons by it. */
function allowedOnRecord(bound: RoutedEndpoint, context: Context): MaybePromise<string | undefined> {
  const { route, endpoint } = bound
  if (bound.writes || !endpoint.resource) return undefined
  // Checked with the path arguments only: the others belong to the called method.
  const args: { [name: string]: unknown } = {}
  for (const { name } of route.pattern.parameters) args[name] = context.args[name]
  const alone: Context = { ...context, args }
  const asked = sequence(route.endpoints, (other) => {
    if (other === bound) return undefined
    if (other.endpoint.resource === endpoint.resource) return checkPermission(other, alone)
    return andThen(isAllowedAt(other, alone), (may) => (may ? undefined : notAllowed))
  })
  return isPromise(asked) ? asked.then((refused) => allowText(route, refused)) : allowText(route, asked)
}

const notAllowed = 'refused'
const allowTexts = new WeakMap<Route, Map<number, string>>()

/** Cached per set of endpoints: a route has a few of them at most. */
function allowText(route: Route, refused: readonly unknown[]): string {
  const kept = allowTexts.get(route) ?? new Map<number, string>()
  allowTexts.set(route, kept)
  let allowed = 0
  for (let i = 0; i < refused.length; i++) if (!refused[i]) allowed |= 1 << i
  const text = kept.get(allowed) ?? methodsOf(route.endpoints.filter((_, index) => !refused[index])).join(', ')
  kept.set(allowed, text)
  return text
}

export const methodsOf = (bounds: readonly RoutedEndpoint[]) => [
  ...new Set(bounds.flatMap(({ endpoint }) => endpoint.methods)),
]

function toAnswer(result: unknown, allow: string | undefined, tag: string | undefined): Result {
  const answer = result instanceof Result ? result : new Result(result, 200, noHeaders)
  if (allow === undefined && tag === undefined) return answer
  const headers: ResponseHeaders = { ...answer.headers }
  if (allow !== undefined) headers['Allow'] = allow
  if (tag !== undefined) headers['ETag'] = tag
  return new Result(answer.data, answer.status, headers)
}
