// Argument schemas and values between neutral and public identifiers.

import type { Names, WordKind } from '../../names/word-map.ts'
import type { Arg, SchemaNode } from '../declare/args.ts'

/** The schema as clients see it: members, enum values and defaults in public names. */
export const publicSchema = ({ node, identifiers }: Arg, names: Names): SchemaNode =>
  outerNode(node, names, identifiers)

function outerNode(node: SchemaNode, names: Names, kind: WordKind | undefined): SchemaNode {
  const { properties, items, oneOf, anyOf, additionalProperties, enum: words, default: fallback } = node
  const outer = (value: unknown) => (typeof value === 'string' ? names.toPublic(value, kind) : value)
  return {
    ...node,
    ...(words ? { enum: words.map(outer) as (string | number)[] } : {}),
    // Defaults are written in code, so they may be translated; user content never is.
    ...(fallback === undefined ? {} : { default: Array.isArray(fallback) ? fallback.map(outer) : outer(fallback) }),
    ...(properties ? { properties: renamed(properties, names, kind) } : {}),
    ...(items ? { items: outerNode(items, names, kind) } : {}),
    ...(oneOf ? { oneOf: oneOf.map((form) => outerNode(form, names, kind)) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((form) => outerNode(form, names, kind)) } : {}),
    ...(node.const === undefined ? {} : { const: outer(node.const) as string }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: outerNode(additionalProperties, names, kind) }
      : {}),
  }
}

const renamed = (properties: { readonly [name: string]: SchemaNode }, names: Names, kind: WordKind | undefined) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, node]) => [names.toPublic(name), outerNode(node, names, kind)]),
  )

/** The value with neutral identifiers. User content is unchanged. */
export const neutralValue = ({ node, identifiers }: Arg, value: unknown, names: Names): unknown =>
  innerOf(node, value, names, identifiers)

function innerOf(node: SchemaNode, value: unknown, names: Names, kind: WordKind | undefined): unknown {
  if (typeof value === 'string') return kind || node.enum?.includes(value) ? names.toNeutral(value, kind) : value
  if (Array.isArray(value)) {
    const { items, oneOf } = node
    const form = items ?? oneOf?.find((one) => one.items)?.items
    return form ? value.map((one) => innerOf(form, one, names, kind)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = { ...node.properties, ...node.oneOf?.find((form) => form.properties)?.properties }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const own = properties[name]
      if (own) return [[names.toNeutral(name), innerOf(own, inner, names, kind)]]
      // The neutral name of a member that has another public name: dropped, since the client did not send that member.
      return Object.hasOwn(properties, names.toPublic(name)) ? [] : [[name, inner]]
    }),
  )
}
