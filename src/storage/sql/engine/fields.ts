/** The fields of a table: their columns, kinds and folded copies, and the conversion of values to columns and back. */

import type { Json } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import type { Row, SqlValue } from './statements.ts'

interface Field {
  readonly column: string
  readonly kind: 'text' | 'integer' | 'boolean' | 'json'
  readonly isNullable?: boolean
  /** The column that holds `fold(value)`. */
  readonly folded?: string
}

export type Fields = { readonly [field: string]: Field }

/** Fields with their columns; field names are camel case, column names snake case. */
export function fieldsOf(kinds: { readonly [field: string]: Omit<Field, 'column'> }): Fields {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { ...kind, column: columnOf(name) }]))
}

/**
 * The fields that a change sets, in the order of the table: the shape of its statement. Throws for an unknown field.
 */
export function changedFields(fields: Fields, changes: object): string[] {
  for (const name in changes) if (fields[name] === undefined) throw new TypeError(`unknown field ${name}`)
  const changed: string[] = []
  for (const name in fields) if ((changes as Record<string, unknown>)[name] !== undefined) changed.push(name)
  return changed
}

/** The columns of these fields, including folded copies. */
export function columnsOf(fields: Fields, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const { column, folded } = fields[name] as Field
    return folded === undefined ? [column] : [column, folded]
  })
}

/** The values for `columnsOf(fields, names)`. */
export function columnValues(fields: Fields, names: readonly string[], values: object): SqlValue[] {
  const list: SqlValue[] = []
  for (const name of names) {
    const field = fields[name] as Field
    const value = sqlValue(name, field, (values as Record<string, unknown>)[name])
    list.push(value)
    if (field.folded !== undefined) list.push(fold(value as string))
  }
  return list
}

/** The columns of a whole row, without folded copies: `id`, then each field. */
export function rowColumns(fields: Fields): string[] {
  return ['id', ...Object.values(fields).map(({ column }) => column)]
}

/** A row with the columns `rowColumns(fields)` as an object. */
export function rowObject(fields: Fields, row: Row): { [field: string]: Json } {
  const object: { [field: string]: Json } = { id: row[0] as SqlValue }
  let at = 0
  for (const name in fields) object[name] = fieldValue((fields[name] as Field).kind, row[++at] as SqlValue)
  return object
}

function fieldValue(kind: Field['kind'], value: SqlValue): Json {
  if (kind === 'json') return parseJson(value)
  return kind === 'boolean' ? value === 1 : value
}

function sqlValue(name: string, { kind, isNullable }: Field, value: unknown): SqlValue {
  if (value === undefined) throw new TypeError(`the field ${name} is missing`)
  if (value === null && isNullable) return null
  if (kind === 'text' && typeof value === 'string') return checkedText(value)
  if (kind === 'integer' && Number.isSafeInteger(value)) return value as number
  if (kind === 'boolean' && typeof value === 'boolean') return value ? 1 : 0
  // The cast: callers pass JSON, and `jsonText` checks it.
  if (kind === 'json') return jsonText(value as Json)
  throw new TypeError(`the field ${name} can't hold this value`)
}

/** The JSON text with sorted keys: equal values have equal texts. */
export function canonicalText(value: Json): string {
  return jsonText(sortKeys(value))
}

export function parseJson<T extends Json = Json>(text: SqlValue | undefined): T {
  // The cast: the text was written by `jsonText` from such a value.
  return JSON.parse(text as string) as T
}

function sortKeys(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, member === undefined ? member : sortKeys(member)]))
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
