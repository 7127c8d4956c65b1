/** What the fields of a collection hold, and which of them conditions and orders may name. */
import type { Collection, Json } from './contract.ts'

export type Kind = Collection['fields'][string]
export type ScalarKind = Exclude<Kind, 'json'>

/** The kind of a field that conditions and orders may name; a TypeError for any other. */
export function comparableKind(collection: Collection, field: string): ScalarKind {
  if (field === 'id') return 'integer'
  const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
  if (kind === undefined) throw new TypeError(`unknown field ${field} in ${collection.name}`)
  if (kind === 'json') throw new TypeError(`${field} is JSON and can't be compared`)
  return kind
}

/** The value, if a field of this kind can hold it, else a TypeError. Null fits everywhere. */
export function checkedKind<T extends Json>(field: string, kind: Kind, value: T): T {
  if (value !== null && !fitsKind(kind, value)) throw new TypeError(`${field} does not hold ${kind} values only`)
  return value
}

function fitsKind(kind: Kind, value: Json): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'text':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'json':
      return true
  }
}
