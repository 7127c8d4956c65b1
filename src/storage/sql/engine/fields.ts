/** The conversion of stored fields to columns and back. */
import type { FieldKind, StoredField, StoredFields, ValuesOf } from '../../../contract/fields/stored-field.ts'
import type { Json } from '../../../contract/storage.ts'
import { fold, identityFold } from '../../../contract/text-fold.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import { foldedColumn, identityColumn } from './columns.ts'
import { evictOldest, type Row, type SqlValue } from './fragments.ts'

/**
 * The fields that a change sets, in the order of the table: the shape of its statement. Throws for an unknown field.
 */
export function changedFields(fields: StoredFields, changes: object): string[] {
  for (const name in changes) if (!Object.hasOwn(fields, name)) throw new TypeError(`unknown field ${name}`)
  const changed: string[] = []
  for (const name in fields) if ((changes as Record<string, unknown>)[name] !== undefined) changed.push(name)
  return changed
}

/** The columns of some fields of a table, by their names: to list them takes a tenth of the time of a write. */
const columnLists = new WeakMap<StoredFields, Map<string, readonly string[]>>()
const maxLists = 100

/** The columns of these fields, including folded copies: one list for all writes of the same fields. */
export function columnsOf(fields: StoredFields, names: readonly string[]): readonly string[] {
  const lists = columnLists.get(fields) ?? new Map<string, readonly string[]>()
  const key = names.join()
  const known = lists.get(key)
  if (known !== undefined) return known
  if (lists.size >= maxLists) evictOldest(lists)
  const columns = names.flatMap((name) => columnsOfField(fields[name] as StoredField))
  columnLists.set(fields, lists.set(key, columns))
  return columns
}

const columnsOfField = (field: StoredField): readonly string[] => [
  field.column,
  ...(field.isFolded ? [foldedColumn(field)] : []),
  ...(field.hasIdentity ? [identityColumn(field)] : []),
]

/** The values for `columnsOf(fields, names)`. */
export function columnValues(fields: StoredFields, names: readonly string[], values: object): SqlValue[] {
  const list: SqlValue[] = []
  for (const name of names) {
    const field = fields[name] as StoredField
    const value = sqlValue(name, field, (values as Record<string, unknown>)[name])
    list.push(value)
    if (field.isFolded) list.push(fold(value as string))
    if (field.hasIdentity) list.push(identityFold(value as string))
  }
  return list
}

/** How the rows of a table are read: a select of `columns` gives rows that `read` converts. */
interface RowReader<T extends StoredFields> {
  readonly columns: readonly string[]
  read(row: Row): ValuesOf<T>
}

/** The function that converts rows is made for the table when the first row is read. */
export function rowReader<const T extends StoredFields>(fields: T): RowReader<T> {
  let read: ((row: Row) => ValuesOf<T>) | undefined
  return {
    columns: Object.values<StoredField>(fields).map(({ column }) => column),
    read(row) {
      // The cast: each field has its value, and the columns have the types of the kinds.
      read ??= (generatedReader(fields) ?? loopingReader(fields)) as (row: Row) => ValuesOf<T>
      return read(row)
    },
  }
}

/**
 * Generates a function that writes the whole row as one literal, which takes a tenth of the time of a loop over the names: a
 * list reads up to a hundred rows of 23 fields. Undefined where the runtime refuses to generate code (workerd, or Node with
 * `--disallow-code-generation-from-strings`). The text holds the names of the table, and nothing of a request.
 */
function generatedReader(fields: StoredFields): ((row: Row) => unknown) | undefined {
  const members = Object.entries(fields).map(([name, { kind }], at) => {
    const value = kind === 'text' || kind === 'integer' ? `row[${at}]` : `conversions.${kind}(row[${at}])`
    return `${JSON.stringify(name)}: ${value}`
  })
  try {
    return new Function('conversions', `return (row) => ({ ${members.join(', ')} })`)(conversions)
  } catch {
    return undefined
  }
}

/** The boolean and JSON values are converted in place: most values of a row are as they are stored. */
function loopingReader(fields: StoredFields): (row: Row) => unknown {
  const names = Object.keys(fields)
  const converted = Object.entries(fields).flatMap(([name, { kind }]) =>
    kind === 'text' || kind === 'integer' ? [] : [{ name, convert: conversions[kind] }],
  )
  return (row) => {
    const object: { [field: string]: Json | undefined } = {}
    for (let at = 0; at < names.length; at++) object[names[at] as string] = row[at]
    for (const { name, convert } of converted) object[name] = convert(object[name])
    return object
  }
}

const conversions: { readonly [kind in Exclude<FieldKind, 'text' | 'integer'>]: (value: unknown) => Json } = {
  boolean: (value) => value === 1,
  texts: (value) => parseJson(value as SqlValue),
  flags: (value) => parseJson(value as SqlValue),
}

function sqlValue(name: string, { kind, isNullable }: StoredField, value: unknown): SqlValue {
  if (value === undefined) throw new TypeError(`the field ${name} is missing`)
  if (value === null && isNullable) return null
  if (kind === 'text' && typeof value === 'string') return checkedText(value)
  if (kind === 'integer' && Number.isSafeInteger(value)) return value as number
  if (kind === 'boolean' && typeof value === 'boolean') return value ? 1 : 0
  // The cast: callers pass JSON, and `jsonText` checks it.
  if (kind === 'texts' || kind === 'flags') return jsonText(value as Json)
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
