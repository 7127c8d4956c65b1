/**
 * Neutral words to the words that a deployment's clients expect, and back. Everything that carries public identifiers is
 * translated once, when the api is created; without a map each word stands for itself.
 */

import type { SchemaNode } from './args.ts'

/** Pairs of a neutral word and its replacement. Longer words go first, whatever their order. */
export type NameMap = readonly (readonly [neutral: string, outer: string])[]

export interface Names {
  /** The outer form of an identifier: a namespace, a header, a relation, a meta key. */
  word(neutral: string): string
  /** The neutral form of an identifier that a client sent. */
  inner(outer: string): string
  readonly isEmpty: boolean
}

export function createNames(map: NameMap = []): Names {
  const out = [...map].sort(([a], [b]) => b.length - a.length)
  const back = map.map(([neutral, outer]) => [outer, neutral] as const).sort(([a], [b]) => b.length - a.length)
  return {
    isEmpty: map.length === 0,
    word: map.length === 0 ? same : (text) => replaceAll(text, out),
    inner: map.length === 0 ? same : (text) => replaceAll(text, back),
  }
}

const same = (text: string) => text

/** One pass from the left, so that no replacement is replaced again. */
function replaceAll(text: string, pairs: NameMap): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const pair = pairs.find(([from]) => text.startsWith(from, at))
    result += pair ? pair[1] : text[at]
    at += pair ? pair[0].length : 1
  }
  return result
}

/** The schema as clients see it: names of members and words of enums in their outer form. */
export function outerNode(node: SchemaNode, names: Names): SchemaNode {
  const { properties, items, oneOf, additionalProperties, enum: words } = node
  return {
    ...node,
    ...(words ? { enum: words.map((one) => (typeof one === 'string' ? names.word(one) : one)) } : {}),
    ...(properties ? { properties: renamed(properties, names) } : {}),
    ...(items ? { items: outerNode(items, names) } : {}),
    ...(oneOf ? { oneOf: oneOf.map((form) => outerNode(form, names)) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: outerNode(additionalProperties, names) }
      : {}),
  }
}

const renamed = (properties: { readonly [name: string]: SchemaNode }, names: Names) =>
  Object.fromEntries(Object.entries(properties).map(([name, node]) => [names.word(name), outerNode(node, names)]))

/** A value that fits an outer schema, with its identifiers in neutral words. What users wrote is never touched. */
export function innerValue(node: SchemaNode, value: unknown, names: Names): unknown {
  if (typeof value === 'string') return node.enum?.includes(value) ? names.inner(value) : value
  if (Array.isArray(value)) return node.items ? value.map((one) => innerValue(node.items ?? {}, one, names)) : value
  if (typeof value !== 'object' || value === null) return value
  const properties = { ...node.properties, ...node.oneOf?.find((form) => form.properties)?.properties }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = properties[name]
      return own ? [names.inner(name), innerValue(own, inner, names)] : [name, inner]
    }),
  )
}
