/** Every endpoint says what it answers: OpenAPI, the typed client and the checks of all other tests stand on it. */
import { expect, test } from 'vitest'
import type { SchemaNode } from '../../src/core/declare/args.ts'
import type { AnyEndpoint } from '../../src/core/declare/endpoint.ts'
import type { Profile } from '../../src/core/declare/profile.ts'
import { indexFeatures } from '../../src/core/describe/site-index.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'

const profiles: readonly Profile[] = [d1, d2]

const endpointsOf = (profile: Profile): readonly (readonly [name: string, endpoint: AnyEndpoint])[] =>
  [...indexFeatures(profile), ...profile.features].flatMap(({ namespace, endpoints }) =>
    endpoints.map((endpoint) => [`${endpoint.methods.join(' ')} /${namespace}${endpoint.path}`, endpoint] as const),
  )

test.each(profiles)('each endpoint of $name declares its success responses', (profile) => {
  const silent = endpointsOf(profile).filter(
    ([, { responses = {} }]) => !Object.keys(responses).some((status) => /^2\d\d$/.test(status)),
  )
  expect(silent.map(([name]) => name)).toEqual([])
})

test.each(profiles)('no response schema of $name is completely open', (profile) => {
  const open = endpointsOf(profile).filter(([, { responses = {} }]) =>
    Object.entries(responses).some(([status, form]) => status !== '204' && saysNothing(form.node)),
  )
  expect(open.map(([name]) => name)).toEqual([])
})

/** Neither a type nor members, nor one of several forms. */
function saysNothing(node: SchemaNode): boolean {
  const { type, anyOf, oneOf, properties, additionalProperties, items } = node
  if (anyOf ?? oneOf) return [...(anyOf ?? []), ...(oneOf ?? [])].some(saysNothing)
  if (type === 'object') return properties === undefined && typeof additionalProperties !== 'object'
  if (type === 'array') return items === undefined && node.maxItems !== 0
  return type === undefined && node.const === undefined
}
