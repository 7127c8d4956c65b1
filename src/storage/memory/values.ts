/** What is stored is a frozen copy, checked on its way in; so it can be handed out as it is. */
import type { Json } from '../contract.ts'

/** A frozen copy of a JSON value, without undefined members. */
export function frozen(value: Json): Json {
  if (typeof value === 'string') return plainText(value)
  if (typeof value === 'number') return finite(value)
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozen))
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} is not a JSON value`)
  // Object.fromEntries, because an assignment to `__proto__` would not make a member.
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.freeze(Object.fromEntries(members.map(([key, member]) => [plainText(key), frozen(member)])))
}

/** A frozen copy of the members that are defined; throws for a field that the row does not have. */
export function knownValues(values: object, fields: ReadonlySet<string>): { [field: string]: Json } {
  const known: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(values)) {
    if (!fields.has(field)) throw new TypeError(`unknown field ${field}`)
    if (value !== undefined) known[field] = frozen(value)
  }
  return known
}

/** Like `knownValues`, for a new row: no field may be missing. */
export function allValues(values: object, fields: ReadonlySet<string>): { [field: string]: Json } {
  const known = knownValues(values, fields)
  for (const field of fields) if (known[field] === undefined) throw new TypeError(`the field ${field} is missing`)
  return known
}

/** The text itself. PostgreSQL can't keep a NUL, so no storage takes one. */
export function plainText(text: string): string {
  if (text.includes('\0')) throw new TypeError('text must not hold a NUL character')
  return text
}

/** Equal as JSON values: the order of keys says nothing. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  return left.length === Object.keys(b).length && left.every(([key, value]) => equalMember(value, b, key))
}

function equalMember(value: Json, other: object, key: string): boolean {
  if (!Object.hasOwn(other, key)) return false
  return equalJson(value, Object.getOwnPropertyDescriptor(other, key)?.value)
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`)
  // Adding zero turns -0, which JSON can't write, into 0.
  return value + 0
}
