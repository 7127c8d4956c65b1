/** Every endpoint declares its responses: OpenAPI, the typed client and the response checks of all tests need them. */
import { expect, test } from 'vitest'
import type { SchemaNode } from '../../src/core/declare/args.ts'
import type { AnyEndpoint } from '../../src/core/declare/endpoint.ts'
import type { Profile } from '../../src/core/declare/profile.ts'
import { indexFeatures } from '../../src/core/describe/site-index.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { listed } from '../support/assertion-messages.ts'

const profiles: readonly Profile[] = [d1, d2]

const endpointsOf = (profile: Profile): readonly (readonly [name: string, endpoint: AnyEndpoint])[] =>
  [...indexFeatures(profile), ...profile.features].flatMap(({ namespace, endpoints }) =>
    endpoints.map((endpoint) => [`${endpoint.methods.join(' ')} /${namespace}${endpoint.path}`, endpoint] as const),
  )

test.each(profiles)('each endpoint of $name declares its success responses', (profile) => {
  const missing = endpointsOf(profile)
    .filter(([, { responses = {} }]) => !Object.keys(responses).some((status) => /^2\d\d$/.test(status)))
    .map(([name]) => name)
  const advice = 'Add responses: { 200: fields({ ... }) }, or another success status, to these endpoints:'
  expect(missing, listed(advice, missing)).toEqual([])
})

test.each(profiles)('no response schema of $name is completely open', (profile) => {
  const open = endpointsOf(profile).flatMap(([name, { responses = {} }]) =>
    Object.entries(responses)
      .filter(([status, schema]) => status !== '204' && isOpen(schema.node))
      .map(([status]) => `${name}: ${status}`),
  )
  const advice =
    'These response schemas allow any value: name the members with fields({ ... }), the items with list(...):'
  expect(open, listed(advice, open)).toEqual([])
})

/** Whether a schema, or one of its alternatives, has neither a type nor members. */
function isOpen(node: SchemaNode): boolean {
  const { type, anyOf, oneOf, properties, additionalProperties, items } = node
  if (anyOf ?? oneOf) return [...(anyOf ?? []), ...(oneOf ?? [])].some(isOpen)
  if (type === 'object') return properties === undefined && typeof additionalProperties !== 'object'
  if (type === 'array') return items === undefined && node.maxItems !== 0
  return type === undefined && node.const === undefined
}
