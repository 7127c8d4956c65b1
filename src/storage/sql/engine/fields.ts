/**
 * What goes into a table: for each field its column, its kind, and the folded copy where there is one. Refuses what no
 * database would keep as it is.
 */
import { fold } from '../../../site/text-fold.ts'
import type { Json } from '../../contract.ts'
import type { SqlValue } from './statements.ts'

export interface Field {
  readonly column: string
  readonly kind: 'text' | 'integer' | 'boolean' | 'json'
  readonly isNullable?: boolean
  /** The column that holds `fold(value)`. */
  readonly folded?: string
}

export type Fields = { readonly [field: string]: Field }

/** Names in code are camel case, columns are snake case. */
export function fieldsOf(kinds: { readonly [field: string]: Omit<Field, 'column'> }): Fields {
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { ...kind, column: columnOf(name) }]))
}

/** Names of the fields that a change sets, in the order of the table: the shape of its statement. */
export function changedFields(fields: Fields, changes: object): string[] {
  for (const name in changes) if (fields[name] === undefined) throw new TypeError(`unknown field ${name}`)
  const changed: string[] = []
  for (const name in fields) if ((changes as Record<string, unknown>)[name] !== undefined) changed.push(name)
  return changed
}

/** The columns that these fields fill, folded copies included. */
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

function sqlValue(name: string, { kind, isNullable }: Field, value: unknown): SqlValue {
  if (value === undefined) throw new TypeError(`the field ${name} is missing`)
  if (value === null && isNullable) return null
  if (kind === 'text' && typeof value === 'string') return plainText(value)
  if (kind === 'integer' && Number.isSafeInteger(value)) return value as number
  if (kind === 'boolean' && typeof value === 'boolean') return value ? 1 : 0
  // The cast: the type of the value says JSON, and the text is checked.
  if (kind === 'json') return jsonText(value as Json)
  throw new TypeError(`the field ${name} can't hold this value`)
}

/** The text itself. PostgreSQL can't keep a NUL, so no storage takes one. */
export function plainText(text: string): string {
  if (text.includes('\0')) throw new TypeError('text must not hold a NUL character')
  return text
}

/** The JSON text of a value; throws where a NUL hides in it or a number that JSON can't write. */
export function jsonText(value: Json): string {
  const text = JSON.stringify(value, refuseOddNumbers)
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`)
  // Most texts have no such escape; one that does may mean a backslash and a word, so the value decides.
  if (text.includes('\\u0000')) refuseNul(value)
  return text.includes('\\ud') ? wellFormed(text) : text
}

/** Halves of characters become U+FFFD, as they do in every text column: JSON.stringify writes no others as `\ud...`. */
function wellFormed(text: string): string {
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (found) => (/^\\ud/.test(found) ? '\\ufffd' : found))
}

/** The JSON text with keys in order: equal texts, equal values. */
export function canonicalText(value: Json): string {
  return jsonText(sortKeys(value))
}

export function parseJson<T extends Json = Json>(text: SqlValue | undefined): T {
  // The cast: the text was written by `jsonText` from such a value.
  return JSON.parse(text as string) as T
}

function refuseOddNumbers(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`)
  return value
}

function refuseNul(value: Json): void {
  if (typeof value === 'string') plainText(value)
  else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      plainText(key)
      if (member !== undefined) refuseNul(member)
    }
  }
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
