/**
 * Checks values from a site document: that storages can hold them, and that they match their schema. The schema check is
 * that of endpoint arguments, without coercion; this file puts its result into words.
 */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json } from '../../contract/storage.ts'
import type { Arg, Args, SchemaNode } from '../../core/declare/args.ts'
import { jsonDepth } from '../../core/request/body.ts'
import { strictMistakeOf } from '../../core/request/check.ts'
import { typedMeta } from '../declared-meta.ts'
import { memberPath, SiteDocumentError } from './document-error.ts'
import type { Meta } from './references.ts'

/** Throws a SiteDocumentError for the first mistake. `path` is where the value is in the document. */
export function checked<T>({ node }: Arg<T>, value: Json, path: string): T {
  const mistake = strictMistakeOf(node, value)
  // The cast: the value matches the schema that `T` is inferred from.
  if (!mistake) return value as T
  const { kind } = mistake
  const name = kind === 'invalid' ? '' : (mistake.path.at(-1) ?? '')
  const steps = kind === 'invalid' ? mistake.path : mistake.path.slice(0, -1)
  let position = path
  let schema: SchemaNode | undefined = node
  let current: Json | undefined = value
  for (const step of steps) {
    position = Array.isArray(current) ? `${position}[${step}]` : memberPath(position, step)
    current = (current as { readonly [name: string]: Json })[step]
    schema = schema && schemaWithin(schema, step)
  }
  if (kind === 'missing') throw new SiteDocumentError(position, `lacks the member ${JSON.stringify(name)}`)
  if (kind === 'unknown') {
    throw new SiteDocumentError(position, `has a member that is not known: ${JSON.stringify(name)}`)
  }
  throw new SiteDocumentError(position, problemOf(schema ?? {}, current))
}

/** The meta of an entry, with the values of declared fields in their types. Throws a SiteDocumentError for one that can not be of its type. */
export const checkedMeta = (fields: Args, meta: Meta = {}, path = ''): Meta =>
  typedMeta(fields, meta, (key, { message }) => {
    throw new SiteDocumentError(memberPath(`${path}.meta`, key), `is refused: ${message}`)
  })

function schemaWithin({ items, properties = {}, additionalProperties }: SchemaNode, step: string) {
  if (items) return items
  if (Object.hasOwn(properties, step)) return properties[step]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** For a string that has the type but breaks another rule, the description of the schema names the form. */
function problemOf({ type, enum: values, minLength, description }: SchemaNode, value: Json | undefined): string {
  if (values) return `must be one of ${values.join(', ')}`
  const [expected = 'null'] = [type ?? []].flat()
  if (typeof value !== 'string' || expected !== 'string') return `must be ${typeNames[expected]}`
  return minLength !== undefined && value.length < minLength ? 'must not be empty' : `must be ${description}`
}

const typeNames: { readonly [type: string]: string } = lookupTable({
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
})

/** The depth that a request body may have, plus the levels of the document above a meta value. */
const maxDepth = jsonDepth + 6

/**
 * A copy of a value as JSON would carry it: members that are undefined are left out. Throws a SiteDocumentError for values
 * that JSON does not have, for NUL (SQL texts do not accept it) and for values that are nested too deep.
 */
export function storable(value: unknown, path = '', depth = 0): Json {
  if (depth > maxDepth) throw new SiteDocumentError(path, `is nested deeper than ${maxDepth} levels`)
  if (typeof value === 'string') return withoutNul(value, path)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new SiteDocumentError(path, 'must be a number')
    return value
  }
  if (Array.isArray(value)) return value.map((item, index) => storable(item, `${path}[${index}]`, depth + 1))
  if (typeof value !== 'object') throw new SiteDocumentError(path, 'must be a JSON value')
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.map(([name, member]) => [name, storable(member, memberPath(path, withoutNul(name, path)), depth + 1)]),
  )
}

function withoutNul(text: string, path: string): string {
  if (text.includes('\0')) throw new SiteDocumentError(path, 'holds a NUL character')
  return text
}
