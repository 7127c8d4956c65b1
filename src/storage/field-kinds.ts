/** Checks the kinds of a collection's fields: values, names in conditions and orders, and the read form of a record. */
import type { Collection, Json, StoredRecord } from '../contract/storage.ts'

export type Kind = Collection['fields'][string]
export type ScalarKind = Exclude<Kind, 'json'>

/**
 * The kind of a field that conditions and orders may name; throws a TypeError for any other.
 *
 * ```ts
 * import { comparableKind } from 'site-api/storage'
 *
 * export const kind = comparableKind({ name: 'notes', fields: { size: 'integer' } }, 'size')
 * ```
 */
export function comparableKind(collection: Collection, field: string): ScalarKind {
  if (field === 'id') return 'integer'
  const kind = declaredKind(collection, field)
  if (kind === 'json') throw new TypeError(`${field} is JSON and can't be compared`)
  return kind
}

/**
 * Returns the value if it is null or of the kind, else throws a TypeError.
 *
 * ```ts
 * import { checkedKind } from 'site-api/storage'
 *
 * export const size = checkedKind('size', 'integer', 5)
 * ```
 */
export function checkedKind<T extends Json>(field: string, kind: Kind, value: T): T {
  if (value !== null && !isOfKind(kind, value)) throw new TypeError(`${field} does not hold ${kind} values only`)
  return value
}

/**
 * The defined values; throws a TypeError for an unknown field or a value of another kind.
 *
 * ```ts
 * import { checkedValues } from 'site-api/storage'
 *
 * export const values = checkedValues({ name: 'notes', fields: { text: 'text' } }, { text: 'High tide at six' })
 * ```
 */
export function checkedValues(collection: Collection, values: object): { [field: string]: Json } {
  const checked: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(values)) {
    const kind = declaredKind(collection, field)
    if (value !== undefined) checked[field] = checkedKind(field, kind, value)
  }
  return checked
}

/**
 * A record as the contract returns it: each declared field of the collection, null where the stored values lack it.
 *
 * ```ts
 * import { storedRecord } from 'site-api/storage'
 *
 * export const note = storedRecord({ name: 'notes', fields: { text: 'text', size: 'integer' } }, 1, { text: 'Tide' })
 * ```
 */
export function storedRecord(
  collection: Collection,
  id: unknown,
  values: { readonly [field: string]: Json },
): StoredRecord {
  const fields = Object.keys(collection.fields).map((field) => [field, values[field] ?? null] as const)
  // The cast: a spread of named entries loses the index signature.
  return { id, ...Object.fromEntries(fields) } as StoredRecord
}

function declaredKind(collection: Collection, field: string): Kind {
  const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
  if (kind === undefined) throw new TypeError(`unknown field ${field} in ${collection.name}`)
  return kind
}

function isOfKind(kind: Kind, value: Json): boolean {
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
