/** Values are checked, copied and frozen when they are written, so reads can return the stored objects. */

import type { StoredFields } from '../../contract/fields/stored-field.ts'
import type { Json } from '../../contract/storage.ts'
import { checkedText } from '../checked-text.ts'

/** A frozen copy of a JSON value, without undefined members. */
export function frozen(value: Json): Json {
  if (typeof value === 'string') return checkedText(value)
  if (typeof value === 'number') return finite(value)
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozen))
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} is not a JSON value`)
  // Object.fromEntries, because assigning to `__proto__` would not create a member.
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.freeze(Object.fromEntries(members.map(([key, member]) => [checkedText(key), frozen(member)])))
}

/** Frozen copies of the defined members; throws for an unknown field. */
export function definedValues(values: object, fields: StoredFields): { [field: string]: Json } {
  const defined: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(values)) {
    if (!Object.hasOwn(fields, field)) throw new TypeError(`unknown field ${field}`)
    if (value !== undefined) defined[field] = frozen(value)
  }
  return defined
}

/** Like `definedValues`, for a new row: throws if a field is missing. */
export function completeValues(values: object, fields: StoredFields): { [field: string]: Json } {
  const defined = definedValues(values, fields)
  for (const field in fields) if (defined[field] === undefined) throw new TypeError(`the field ${field} is missing`)
  return defined
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`)
  // Adding zero turns -0, which JSON can't write, into 0.
  return value + 0
}
