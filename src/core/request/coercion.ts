/**
 * From a raw value to a typed one. Query and path carry texts; clients send texts in JSON bodies too, so both are
 * coerced alike. A value that does not fit becomes `invalid`; the schema never changes.
 */
import type { SchemaNode } from '../declare/args.ts'

export const invalid: unique symbol = Symbol('invalid')
export type Coerce = (value: unknown) => unknown

/** Created once per argument. */
export function coercer(node: SchemaNode): Coerce {
  if (node.oneOf) return oneForm(node.oneOf)
  if (Array.isArray(node.type)) return severalTypes(node, node.type as readonly string[])
  switch (node.type) {
    case 'integer':
      return toInteger
    case 'number':
      return toNumber
    case 'boolean':
      return toBoolean
    case 'string':
      return (value) => (typeof value === 'string' ? value : invalid)
    case 'null':
      return (value) => (value === null || value === '' ? null : invalid)
    case 'array':
      return listCoercer(node)
    case 'object':
      return objectCoercer(node)
    default:
      return (value) => value
  }
}

/** Interface: numeric text as in PHP (`05`, `5.0`, ` 5`, `1e3`); hexadecimal is not. */
const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/

export function toNumber(value: unknown): unknown {
  // `1e999` in a body parses to Infinity.
  if (typeof value === 'number') return Number.isFinite(value) ? value : invalid
  if (typeof value !== 'string') return invalid
  const short = shortDigits(value)
  if (short !== undefined) return short
  if (!numeric.test(value)) return invalid
  const number = Number(value)
  return Number.isFinite(number) ? number : invalid
}

/** Matches the usual numbers: digits only, short enough to be exact. */
function shortDigits(text: string): number | undefined {
  const { length } = text
  if (length === 0 || length > 15) return undefined
  let number = 0
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return number
}

/** Rejects integers beyond 2^53, which would silently become a neighbour. */
export function toInteger(value: unknown): unknown {
  const number = toNumber(value)
  return Number.isSafeInteger(number) ? Number(number) + 0 : invalid
}

export function toBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1') return true
  if (value === 0 || value === '0') return false
  if (typeof value !== 'string') return invalid
  const lower = value.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : invalid
}

/** `1,2` and `1 2` are lists of two. */
export function splitList(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Whitespace beyond ASCII goes to a regular expression.
    if (code > 127) return text.split(/[\s,]+/).filter((part) => part !== '')
    if (code !== 44 && code !== 32 && (code < 9 || code > 13)) continue
    if (at > from) parts.push(text.slice(from, at))
    from = at + 1
  }
  if (text.length > from) parts.push(text.slice(from))
  return parts
}

function listCoercer(node: SchemaNode): Coerce {
  const item = node.items ? coercer(node.items) : undefined
  return (value) => {
    const raw = Array.isArray(value) ? value : isScalar(value) ? splitList(`${value}`) : undefined
    if (!raw) return invalid
    if (!item) return raw
    const items = coerceItems(raw, item)
    return items !== invalid && node.uniqueItems && hasDuplicates(items as readonly unknown[]) ? invalid : items
  }
}

function coerceItems(raw: readonly unknown[], item: Coerce): unknown {
  const items: unknown[] = []
  for (let i = 0; i < raw.length; i++) {
    const coerced = item(raw[i])
    if (coerced === invalid) return invalid
    items.push(coerced)
  }
  return items
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export function hasDuplicates(values: readonly unknown[]): boolean {
  if (values.length < 2) return false
  const hasObjects = values.some((value) => typeof value === 'object')
  return new Set(hasObjects ? values.map((value) => JSON.stringify(value)) : values).size < values.length
}

interface MemberCoercion {
  readonly name: string
  readonly coerce: Coerce
  readonly fallback: unknown
}

function objectCoercer(node: SchemaNode): Coerce {
  const members: readonly MemberCoercion[] = Object.entries(node.properties ?? {}).map(([name, inner]) => ({
    name,
    coerce: coercer(inner),
    fallback: ownDefault(inner),
  }))
  const known = new Set(members.map((member) => member.name))
  const isClosed = node.additionalProperties === false
  const coerceUndeclared: Coerce =
    typeof node.additionalProperties === 'object' ? coercer(node.additionalProperties) : (value) => value
  return (value) => {
    // Declared names are not numbers, so a closed object accepts only the empty list.
    if (isClosed && Array.isArray(value) && value.length > 0) return invalid
    const raw = toObject(value)
    if (!raw) return invalid
    const out: { [name: string]: unknown } = {}
    if (!coerceMembers(raw, members, out)) return invalid
    const undeclared = Object.keys(raw).filter((name) => !known.has(name))
    if (isClosed && undeclared.length > 0) return invalid
    for (const name of undeclared) {
      out[name] = coerceUndeclared(raw[name])
      if (out[name] === invalid) return invalid
    }
    return out
  }
}

/** Interface: the default of a member may be a value that no client may send; then it is not filled in. */
const ownDefault = ({ default: value, enum: values }: SchemaNode): unknown =>
  values && !values.includes(value as string) ? undefined : value

/** Writes the declared members to `out`; false when one is invalid. */
function coerceMembers(
  raw: { readonly [name: string]: unknown },
  members: readonly MemberCoercion[],
  out: { [name: string]: unknown },
): boolean {
  for (const { name, coerce, fallback } of members) {
    const coerced = raw[name] === undefined ? fallback : coerce(raw[name])
    if (coerced === invalid) return false
    if (coerced !== undefined) out[name] = coerced
  }
  return true
}

/** Interface: an empty text is an empty object, and a list is an object with its indexes as names. */
export function toObject(value: unknown): { [name: string]: unknown } | undefined {
  if (value === '') return {}
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value) ? Object.fromEntries(value.entries()) : (value as { [name: string]: unknown })
}

function severalTypes(node: SchemaNode, types: readonly string[]): Coerce {
  const forms = types.map((type) => coercer({ ...node, type: type as 'null' }))
  return (value) => {
    if (value === null && types.includes('null')) return null
    for (let i = 0; i < forms.length; i++) {
      if (!isFor(types[i] as string, types, value)) continue
      const out = (forms[i] as Coerce)(value)
      if (out !== invalid) return out
    }
    return invalid
  }
}

/** In unions with string, a number or a boolean does not count as text. */
export const isFor = (type: string, types: readonly string[], value: unknown): boolean =>
  type !== 'array' || typeof value === 'string' || Array.isArray(value) || !types.includes('string')

/** A required member with fixed values distinguishes forms of objects: `type`. */
function isOther({ properties }: SchemaNode, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(properties ?? {}).some(
    ([name, { required, enum: values }]) =>
      required === true &&
      values !== undefined &&
      !values.includes((value as { [name: string]: never })[name] as never),
  )
}

function oneForm(forms: readonly SchemaNode[]): Coerce {
  const coercers = forms.map(coercer)
  return (value) => {
    let found: unknown = invalid
    for (let i = 0; i < coercers.length; i++) {
      const out = isOther(forms[i] as SchemaNode, value) ? invalid : (coercers[i] as Coerce)(value)
      if (out === invalid) continue
      if (found !== invalid) return invalid
      found = out
    }
    return found
  }
}
