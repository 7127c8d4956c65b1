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
  const found = withResource(routed, context)
  return isPromise(found) ? found.then((withRecord) => checkThenRun(routed, withRecord)) : checkThenRun(routed, found)
}

function checkThenRun(routed: RoutedEndpoint, context: Context): MaybePromise<Result> {
  const error = checkPermission(routed, context)
  return isPromise(error)
    ? error.then((settled) => runUnlessForbidden(settled, routed, context))
    : runUnlessForbidden(error, routed, context)
}

function runUnlessForbidden(
  error: ApiError | undefined,
  routed: RoutedEndpoint,
  context: Context,
): MaybePromise<Result> {
  if (error) throw error
  const conditions = checkConditions(routed, context)
  return isPromise(conditions)
    ? conditions.then((settled) => runHandler(settled, routed, context))
    : runHandler(conditions, routed, context)
}

function runHandler({ unchanged, tag }: Conditions, routed: RoutedEndpoint, context: Context): MaybePromise<Result> {
  if (unchanged) return unchanged
  const result = routed.endpoint.handler(context as never)
  return isPromise(result)
    ? result.then((settled) => withAllow(settled, tag, routed, context))
    : withAllow(result, tag, routed, context)
}

function withAllow(
  result: unknown,
  tag: string | undefined,
  routed: RoutedEndpoint,
  context: Context,
): MaybePromise<Result> {
  const allow = allowHeader(routed, context)
  return isPromise(allow) ? allow.then((settled) => toResult(result, settled, tag)) : toResult(result, allow, tag)
}

function withResource({ endpoint }: RoutedEndpoint, context: Context): MaybePromise<Context> {
  if (!endpoint.resource) return context
  return andThen(endpoint.resource(context as never) as MaybePromise<unknown>, (resource) => ({ ...context, resource }))
}

const checkPermission = ({ endpoint }: RoutedEndpoint, context: Context) => endpoint.permission.check(context as never)

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

/** The `Allow` header of a record: the methods this caller may use. Clients show buttons by it. */
function allowHeader(routed: RoutedEndpoint, context: Context): MaybePromise<string | undefined> {
  const { route, endpoint } = routed
  if (routed.writes || !endpoint.resource) return undefined
  // Checked with the path arguments only: the others belong to the called method.
  const args: { [name: string]: unknown } = {}
  for (const { name } of route.pattern.parameters) args[name] = context.args[name]
  const alone: Context = { ...context, args }
  const checks = sequence(route.endpoints, (other) => {
    if (other === routed) return undefined
    if (other.endpoint.resource === endpoint.resource) return checkPermission(other, alone)
    return andThen(isAllowedAt(other, alone), (isAllowed) => (isAllowed ? undefined : notAllowed))
  })
  return isPromise(checks) ? checks.then((refused) => allowText(route, refused)) : allowText(route, checks)
}

const notAllowed = 'refused'
const allowTexts = new WeakMap<Route, Map<number, string>>()

/** Cached per set of endpoints: a route has a few of them at most. */
function allowText(route: Route, refused: readonly unknown[]): string {
  const texts = allowTexts.get(route) ?? new Map<number, string>()
  allowTexts.set(route, texts)
  let allowed = 0
  for (let i = 0; i < refused.length; i++) if (!refused[i]) allowed |= 1 << i
  const text = texts.get(allowed) ?? methodsOf(route.endpoints.filter((_, index) => !refused[index])).join(', ')
  texts.set(allowed, text)
  return text
}

export const methodsOf = (endpoints: readonly RoutedEndpoint[]) => [
  ...new Set(endpoints.flatMap(({ endpoint }) => endpoint.methods)),
]

function toResult(result: unknown, allow: string | undefined, tag: string | undefined): Result {
  const answer = result instanceof Result ? result : new Result(result, 200, noHeaders)
  if (allow === undefined && tag === undefined) return answer
  const headers: ResponseHeaders = { ...answer.headers }
  if (allow !== undefined) headers['Allow'] = allow
  if (tag !== undefined) headers['ETag'] = tag
  return new Result(answer.data, answer.status, headers)
}
