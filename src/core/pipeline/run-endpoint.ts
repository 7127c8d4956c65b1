/**
 * Runs one endpoint: resource (404), permission, conditions, handler. Each step is a function, so that a synchronous
 * storage needs no closures.
 */

import { andThen, isPromise, type MaybePromise } from '../../contract/maybe-promise.ts'
import type { Context } from '../declare/context.ts'
import type { ApiError } from '../declare/errors.ts'
import { forbidden, mayEverPass } from '../declare/permissions.ts'
import { noHeaders, type ResponseHeaders, Result, Stream, type Warning } from '../declare/result.ts'
import type { Match, RoutedEndpoint } from '../routing/route.ts'
import { toValue } from '../runtime/json.ts'
import { allowHeader, checkPermission, withResource } from './allowed-methods.ts'
import { type Conditions, checkConditions } from './etag.ts'

export function runEndpoint({ routed }: Match, context: Context): MaybePromise<Result> {
  const { hidesRecords, permission } = routed.endpoint
  if (hidesRecords && !mayEverPass(permission, context.user)) throw forbidden(context.user)
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

function runHandler(conditions: Conditions, routed: RoutedEndpoint, context: Context): MaybePromise<Result> {
  const { unchanged, tag, decide } = conditions
  if (unchanged) return unchanged
  if (decide) return andThen(runHandler({}, routed, context), decide)
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
  const warned = context.warnings?.length ? withWarnings(result, context.warnings) : result
  return isPromise(allow) ? allow.then((settled) => toResult(warned, settled, tag)) : toResult(warned, allow, tag)
}

/** Lists, texts and streams stay as they are: they have no place for a member. */
function withWarnings(result: unknown, warnings: readonly Warning[]): unknown {
  if (result instanceof Result) {
    const { data, status, headers, keeps } = result
    return status < 400 ? new Result(withWarnings(data, warnings), status, headers, keeps) : result
  }
  const value = toValue(result)
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Stream)
  return isRecord ? { ...value, _warnings: warnings } : result
}

function toResult(result: unknown, allow: string | undefined, tag: string | undefined): Result {
  const answer = result instanceof Result ? result : new Result(result, 200, noHeaders)
  if (allow === undefined && tag === undefined) return answer
  const headers: ResponseHeaders = { ...answer.headers }
  if (allow !== undefined) headers['Allow'] = allow
  if (tag !== undefined) headers['ETag'] = tag
  return new Result(answer.data, answer.status, headers, answer.keeps)
}
