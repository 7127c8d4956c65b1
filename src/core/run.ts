/** One endpoint from its subject to its answer: existence, permission, conditions, handler. */
import { conditions } from './conditional.ts'
import type { Call } from './declare.ts'
import { chain, type Eventually, inTurn } from './eventually.ts'
import { Answer, type ReplyHeaders } from './reply.ts'
import type { Bound, Match } from './router.ts'

export function runEndpoint({ bound }: Match, call: Call): Eventually<Answer> {
  return chain(withSubject(bound, call), (found) =>
    chain(mayCall(bound, found), (refused) => {
      if (refused) throw refused
      return chain(conditions(bound, found), (met) => {
        if (met.unchanged) return met.unchanged
        return chain(bound.endpoint.handler(found as never), (result) =>
          chain(allowedOnRecord(bound, found), (allow) => toAnswer(result, { Allow: allow, ETag: met.tag })),
        )
      })
    }),
  )
}

export function withSubject({ endpoint }: Bound, call: Call): Eventually<Call> {
  if (!endpoint.subject) return call
  return chain(endpoint.subject(call as never) as Eventually<unknown>, (subject) => ({ ...call, subject }))
}

export const mayCall = ({ endpoint }: Bound, call: Call) => endpoint.permission.check(call as never)

/** For the `Allow` header of a record that was read: what the caller may do with it. Clients show buttons by it. */
function allowedOnRecord(bound: Bound, call: Call): Eventually<string | undefined> {
  if (bound.writes || !bound.endpoint.subject) return undefined
  // Asked with the path alone: whatever else was sent belongs to the method that was called.
  const args = Object.fromEntries(bound.route.pattern.parameters.map(({ name }) => [name, call.args[name]]))
  const asked = inTurn(bound.route.bounds, (other) => {
    if (other === bound) return true
    if (other.endpoint.subject !== bound.endpoint.subject) return false
    return chain(mayCall(other, { ...call, args }), (refused) => !refused)
  })
  return chain(asked, (may) => methodsOf(bound.route.bounds.filter((_, index) => may[index])).join(', '))
}

export const methodsOf = (bounds: readonly Bound[]) => [...new Set(bounds.flatMap(({ endpoint }) => endpoint.methods))]

function toAnswer(result: unknown, added: { readonly [name: string]: string | undefined }): Answer {
  const answer = result instanceof Answer ? result : new Answer(result, 200, {})
  const headers: ReplyHeaders = { ...answer.headers }
  for (const name in added) if (added[name] !== undefined) headers[name] = added[name]
  return new Answer(answer.data, answer.status, headers)
}
