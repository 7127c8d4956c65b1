/** Converts schema nodes, whose dialect is the site index's, to JSON Schema 2020-12. */

import { invalid } from '../../../contract/scalars.ts'
import type { SchemaNode } from '../../declare/args.ts'
import { wholePatternOf } from '../../request/check.ts'
import { coercer } from '../../request/coercion.ts'
import type { JsonSchema } from './document.ts'

/** Called for each object of a response; objects with a title become components. */
type Share = (schema: JsonSchema) => JsonSchema

const asItIs: Share = (schema) => schema

/** `word` translates prose to public names; the node has been translated by `publicSchema`. */
interface SchemaOptions {
  readonly word: (text: string) => string
  readonly share?: Share
}

export function schemaOf(node: SchemaNode, options: SchemaOptions): JsonSchema {
  const { word, share = asItIs } = options
  const inner = (one: SchemaNode) => schemaOf(one, options)
  const { type, title, description, minLength, maxLength, minItems, maxItems, uniqueItems } = node
  const { properties, items, additionalProperties, oneOf, anyOf } = node
  const bounds = { ...numberBounds(node), minLength, maxLength, minItems, maxItems, uniqueItems }
  return share(
    withoutGaps({
      title: title === undefined ? undefined : word(title),
      description: description === undefined ? undefined : word(description),
      type: oneOf ? undefined : type,
      const: node.const,
      enum: wordsOf(node),
      ...bounds,
      // A time may lack its zone, which the format `date-time` forbids.
      format: node.format === 'uri' || node.format === 'email' ? node.format : undefined,
      pattern: patternOf(wholePatternOf(node)),
      items: items && inner(items),
      properties: properties && mapped(properties, inner),
      required: requiredIn(properties),
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
      oneOf: oneOf?.map(inner),
      anyOf: anyOf?.map(inner),
      readOnly: node.readonly || undefined,
      default: fallbackOf(node),
    }),
  )
}

/** JSON Schema has the bound itself where the index has a flag. */
function numberBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode) {
  return {
    ...(exclusiveMinimum ? { exclusiveMinimum: minimum } : { minimum }),
    ...(exclusiveMaximum ? { exclusiveMaximum: maximum } : { maximum }),
  }
}

function mapped<T, U>(members: { readonly [name: string]: T }, change: (one: T) => U): { [name: string]: U } {
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, change(one)]))
}

export function withoutGaps<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

function requiredIn(properties: SchemaNode['properties'] = {}): readonly string[] | undefined {
  const names = Object.keys(properties).filter((name) => properties[name]?.required === true)
  return names.length > 0 ? names : undefined
}

/** Null is a separate type in a node; in JSON Schema the enum has to list it. */
function wordsOf({ enum: words, type }: SchemaNode): readonly unknown[] | undefined {
  return words && Array.isArray(type) && type.includes('null') ? [...words, null] : words
}

/** Returns the default as the handler receives it: a list may be declared with its only item. */
function fallbackOf(node: SchemaNode): unknown {
  const { default: given } = node
  if (node.type !== 'array' || given === undefined || Array.isArray(given)) return given
  const list = coercer(node)(given)
  return list === invalid ? given : list
}

/** JSON Schema patterns are Unicode, where unnecessary escapes are errors. */
export const patternOf = (pattern: string | undefined): string | undefined =>
  pattern?.replace(/\\([^\w^$\\.*+?()[\]{}|/-]|_)/g, '$1')
