/** Checks results against the declared responses: for tests and for developing features. */

import type { Names } from '../../../names/word-map.ts'
import type { SchemaNode } from '../../declare/args.ts'
import type { Context } from '../../declare/context.ts'
import type { AnyEndpoint } from '../../declare/endpoint.ts'
import type { Feature } from '../../declare/feature.ts'
import type { ResponseSchema, Responses } from '../../declare/response-schema.ts'
import { Result, Stream } from '../../declare/result.ts'
import { publicSchema } from '../../request/argument-names.ts'
import { type StrictMistake, strictMistakesOf, strictProblemOf } from '../../request/check.ts'
import { toValue } from '../../runtime/json.ts'

/** The same features, with handlers that throw when a result does not match its declared response. */
export const withResponseCheck = (features: readonly Feature[]): readonly Feature[] =>
  features.map((feature) => ({ ...feature, endpoints: feature.endpoints.map(checked) }))

function checked(endpoint: AnyEndpoint): AnyEndpoint {
  const { responses, methods, path } = endpoint
  if (!responses) return endpoint
  const nodes = new Map<ResponseSchema, SchemaNode>()
  // The names are public, and computed once.
  const nodeOf = (form: ResponseSchema, names: Names) => {
    const node = nodes.get(form) ?? (names.isEmpty ? form.node : publicSchema(form, names))
    nodes.set(form, node)
    return node
  }
  const handler = endpoint.handler as (context: Context<never, never>) => unknown
  return {
    ...endpoint,
    handler: async (context: Context<never, never>) => {
      const result = await handler(context)
      const problem = problemOf(responses, result, (form) => nodeOf(form, context.app.names), context.fields)
      if (problem) throw new TypeError(`${methods.join(', ')} ${path}: ${problem}`)
      return result
    },
    // The cast: the handler still receives what its own schema parsed.
  } as AnyEndpoint
}

function problemOf(
  answers: Responses,
  result: unknown,
  nodeOf: (form: ResponseSchema) => SchemaNode,
  fields: Context['fields'],
): string | undefined {
  const { data, status } = result instanceof Result ? result : { data: result, status: 200 }
  const form = answers[status]
  // An error may be returned, not thrown, so that earlier writes are kept; it need not be declared.
  if (!form) return status >= 400 ? undefined : `answered ${status}, which it does not declare`
  if (data instanceof Stream) return (form.contentType ?? form.alsoAs) ? undefined : 'answered a body that is no JSON'
  if (form.contentType) return `answered JSON instead of ${form.contentType}`
  if (data === undefined) return undefined
  // Compared as sent: dates become texts, undefined members vanish.
  const sent = JSON.parse(JSON.stringify(toValue(data)))
  const problem = strictProblemOf(nodeOf(form), sent)
  if (!problem || !fields) return problem
  // A handler need not make the members of its records that `_fields` leaves out.
  const isLeftOut = ({ path }: StrictMistake) =>
    path.length <= 2 &&
    valueAt(sent, path) === undefined &&
    !fields.some((field) => field.split('.', 1)[0] === path.at(-1))
  return strictMistakesOf(nodeOf(form), sent).every(isLeftOut) ? undefined : problem
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  // The cast: the path is that of a mistake in it.
  path.reduce((at, name) => (at as { readonly [name: string]: unknown })[name], value)
