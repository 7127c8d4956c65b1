// ---------------------------------------------------------------- arguments

import type { Names, WordKind } from '../../names/word-map.ts'
import type { Arg, SchemaNode } from '../declare/args.ts'

/** The argument as clients see it: names of members, words of enums and defaults in their outer form. */
export const publicSchema = ({ node, identifiers }: Arg, names: Names): SchemaNode =>
  outerNode(node, names, identifiers)

function outerNode(node: SchemaNode, names: Names, kind: WordKind | undefined): SchemaNode {
  const { properties, items, oneOf, anyOf, additionalProperties, enum: words, default: fallback } = node
  const outer = (value: unknown) => (typeof value === 'string' ? names.toPublic(value, kind) : value)
  return {
    ...node,
    ...(words ? { enum: words.map(outer) as (string | number)[] } : {}),
    // A default is written in the code: no user ever wrote it.
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

/** A value that fits the outer form of an argument, with its identifiers in neutral words. What users wrote stays. */
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
      // The neutral word for a member that has another name here: nobody has sent that member.
      return Object.hasOwn(properties, names.toPublic(name)) ? [] : [[name, inner]]
    }),
  )
}
