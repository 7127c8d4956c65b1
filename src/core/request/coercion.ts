/**
 * From a raw value to a typed one. Query and path carry texts; clients send texts in JSON bodies too, so both are
 * coerced alike. A value that does not fit becomes `invalid`; the schema never changes.
 */
import { invalid, splitList, toBoolean, toInteger, toNumber } from '../../contract/scalars.ts'
import type { SchemaNode } from '../declare/args.ts'

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

/** Returns the list itself where no item changes. */
function coerceItems(raw: readonly unknown[], item: Coerce): unknown {
  let items: unknown[] | undefined
  for (let i = 0; i < raw.length; i++) {
    const coerced = item(raw[i])
    if (coerced === invalid) return invalid
    if (items === undefined && coerced !== raw[i]) items = raw.slice(0, i)
    items?.push(coerced)
  }
  return items ?? raw
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function hasDuplicates(values: readonly unknown[]): boolean {
  if (values.length < 2) return false
  const hasObjects = values.some((value) => typeof value === 'object')
  return new Set(hasObjects ? values.map((value) => JSON.stringify(value)) : values).size < values.length
}

interface MemberCoercion {
  readonly coerce: Coerce
  readonly fallback: unknown
}

function objectCoercer(node: SchemaNode): Coerce {
  const members: ReadonlyMap<string, MemberCoercion> = new Map(
    Object.entries(node.properties ?? {}).map(([name, inner]) => [
      name,
      { coerce: coercer(inner), fallback: ownDefault(inner) },
    ]),
  )
  const isClosed = node.additionalProperties === false
  const coerceUndeclared: Coerce =
    typeof node.additionalProperties === 'object' ? coercer(node.additionalProperties) : (value) => value
  return (value) => {
    // Declared names are not numbers, so a closed object accepts only the empty list.
    if (isClosed && Array.isArray(value) && value.length > 0) return invalid
    const raw = toObject(value)
    if (!raw) return invalid
    if (isClosed && Object.keys(raw).some((name) => !members.has(name))) return invalid
    return coerceMembers(raw, members, coerceUndeclared)
  }
}

/** Interface: the default of a member may be a value that no client may send; then it is not filled in. */
const ownDefault = ({ default: value, enum: values }: SchemaNode): unknown =>
  values && !values.includes(value as string) ? undefined : value

/** The members in the order in which they were sent, then the defaults of those that were not. Returns the object itself where none changes. */
function coerceMembers(
  raw: { readonly [name: string]: unknown },
  members: ReadonlyMap<string, MemberCoercion>,
  coerceUndeclared: Coerce,
): unknown {
  const out: (readonly [name: string, value: unknown])[] = []
  let isChanged = false
  for (const [name, sent] of Object.entries(raw)) {
    const member = members.get(name)
    // A member that is undefined counts as absent.
    if (member !== undefined && sent === undefined) continue
    const coerced = (member?.coerce ?? coerceUndeclared)(sent)
    if (coerced === invalid) return invalid
    if (coerced !== sent) isChanged = true
    out.push([name, coerced])
  }
  for (const [name, { fallback }] of members) {
    if (fallback === undefined || (Object.hasOwn(raw, name) && raw[name] !== undefined)) continue
    isChanged = true
    out.push([name, fallback])
  }
  return isChanged ? Object.fromEntries(out) : raw
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
