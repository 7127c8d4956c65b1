/**
 * One endpoint from its subject to its answer: existence, permission, conditions, handler. Each step is a function of its
 * own, so that a storage that answers at once costs no closures.
 */

import type { Call } from '../declare/endpoint.ts'
import { type ApiError, isApiError } from '../declare/errors.ts'
import { Answer, noHeaders, type ReplyHeaders } from '../declare/result.ts'
import type { Bound, Match, Route } from '../routing/router.ts'
import { chain, type Eventually, inTurn, isPromise, rescue } from '../runtime/maybe-promise.ts'
import { type Conditions, conditions } from './etag.ts'

export function runEndpoint({ bound }: Match, call: Call): Eventually<Answer> {
  const found = withSubject(bound, call)
  return isPromise(found) ? found.then((one) => permitted(bound, one)) : permitted(bound, found)
}

function permitted(bound: Bound, call: Call): Eventually<Answer> {
  const refused = mayCall(bound, call)
  return isPromise(refused)
    ? refused.then((one) => unlessRefused(one, bound, call))
    : unlessRefused(refused, bound, call)
}

function unlessRefused(refused: ApiError | undefined, bound: Bound, call: Call): Eventually<Answer> {
  if (refused) throw refused
  const met = conditions(bound, call)
  return isPromise(met) ? met.then((one) => answered(one, bound, call)) : answered(met, bound, call)
}

function answered({ unchanged, tag }: Conditions, bound: Bound, call: Call): Eventually<Answer> {
  if (unchanged) return unchanged
  const result = bound.endpoint.handler(call as never)
  return isPromise(result)
    ? result.then((one) => withAllow(one, tag, bound, call))
    : withAllow(result, tag, bound, call)
}

function withAllow(result: unknown, tag: string | undefined, bound: Bound, call: Call): Eventually<Answer> {
  const allow = allowedOnRecord(bound, call)
  return isPromise(allow) ? allow.then((one) => toAnswer(result, one, tag)) : toAnswer(result, allow, tag)
}

function withSubject({ endpoint }: Bound, call: Call): Eventually<Call> {
  if (!endpoint.subject) return call
  return chain(endpoint.subject(call as never) as Eventually<unknown>, (subject) => ({ ...call, subject }))
}

const mayCall = ({ endpoint }: Bound, call: Call) => endpoint.permission.check(call as never)

/** Whether the caller may do it to what the path names, which this looks up. What the path does not name may not be done. */
export function mayCallAt(bound: Bound, call: Call): Eventually<boolean> {
  return rescue<boolean, boolean>(
    () => chain(withSubject(bound, call), (found) => chain(mayCall(bound, found), (refused) => !refused)),
    (error) => {
      if (!isApiError(error)) throw error
      return false
    },
  )
}

/** For the `Allow` header of a record that was read: what the caller may do with it. Clients show buttons by it. */
function allowedOnRecord(bound: Bound, call: Call): Eventually<string | undefined> {
  const { route, endpoint } = bound
  if (bound.writes || !endpoint.subject) return undefined
  // Asked with the path alone: whatever else was sent belongs to the method that was called.
  const args: { [name: string]: unknown } = {}
  for (const { name } of route.pattern.parameters) args[name] = call.args[name]
  const alone: Call = { ...call, args }
  const asked = inTurn(route.bounds, (other) => {
    if (other === bound) return undefined
    if (other.endpoint.subject === endpoint.subject) return mayCall(other, alone)
    return chain(mayCallAt(other, alone), (may) => (may ? undefined : notAllowed))
  })
  return isPromise(asked) ? asked.then((refused) => allowText(route, refused)) : allowText(route, asked)
}

const notAllowed = 'refused'
const allowTexts = new WeakMap<Route, Map<number, string>>()

/** One text for each set of endpoints, kept: a route has a few of them at most. */
function allowText(route: Route, refused: readonly unknown[]): string {
  const kept = allowTexts.get(route) ?? new Map<number, string>()
  allowTexts.set(route, kept)
  let allowed = 0
  for (let i = 0; i < refused.length; i++) if (!refused[i]) allowed |= 1 << i
  const text = kept.get(allowed) ?? methodsOf(route.bounds.filter((_, index) => !refused[index])).join(', ')
  kept.set(allowed, text)
  return text
}

export const methodsOf = (bounds: readonly Bound[]) => [...new Set(bounds.flatMap(({ endpoint }) => endpoint.methods))]

function toAnswer(result: unknown, allow: string | undefined, tag: string | undefined): Answer {
  const answer = result instanceof Answer ? result : new Answer(result, 200, noHeaders)
  if (allow === undefined && tag === undefined) return answer
  const headers: ReplyHeaders = { ...answer.headers }
  if (allow !== undefined) headers['Allow'] = allow
  if (tag !== undefined) headers['ETag'] = tag
  return new Answer(answer.data, answer.status, headers)
}
