/**
 * Converts statements for a PostgreSQL server: qualified tables, lists as arrays, a name for the prepared statement.
 */

import { createHash } from 'node:crypto'
import { jsonFieldColumns } from '../engine/columns.ts'
import { evictOldest, quoted, type SqlValue } from '../engine/fragments.ts'
import type { Insertion } from '../engine/session.ts'

export interface ServerStatement {
  readonly text: string
  /** A digest of the text, so that storages that share a pool use the same name for the same text. */
  readonly name: string
  /** True if it may violate uniqueness, which ends the transaction unless a savepoint precedes it. */
  readonly mayConflict: boolean
  /** The values of a call as the server accepts them. */
  bind(values: readonly SqlValue[]): ServerValue[]
}

export type ServerValue = string | number | null

const tables = 'changes|posts|post_changes|post_counts|post_terms|term_counts|terms|users|meta|options|records'
const tableName = new RegExp(`\\b(from|join|into|update)(\\s+)"?(${tables})"?(?=[\\s(),]|$)`, 'g')

export interface ServerStatements {
  of(text: string): ServerStatement
  /**
   * An insert of any number of rows that returns the new ids; `bind` takes the values of all rows in one list. With a sequence, each row
   * ends in the id that it has to give next; fails if it gives another one.
   */
  insertOf(into: Omit<Insertion, 'rows'>, sequence?: string): ServerStatement
  /** A statement whose last value is the number of rows that it has to change; fails if it changes others. */
  countedOf(text: string): ServerStatement
}

/** Errors have these SQLSTATEs: `countedOf` divides by zero, and `insertOf` writes a null in the primary key. */
export const failedChecks = { count: '22012', id: '23502' } as const

/** Well above the number of texts that a site uses, and small in memory. */
const maxStatements = 500

/** `schema` must be quoted. */
export function createServerStatements(schema: string): ServerStatements {
  const cache = new Map<string, ServerStatement>()
  const cached = (key: string, convert: () => ServerStatement): ServerStatement => {
    const known = cache.get(key)
    if (known !== undefined) return known
    if (cache.size >= maxStatements) evictOldest(cache)
    const converted = convert()
    cache.set(key, converted)
    return converted
  }
  const qualified = (text: string) =>
    text.replace(tableName, (_, word: string, space: string, table: string) => `${word}${space}${schema}.${table}`)
  return {
    of: (text) => cached(text, () => serverStatement(qualified(text))),
    insertOf: ({ table, columns }, sequence) =>
      cached(`insert ${table} ${columns.join()} ${sequence}`, () =>
        insertStatement(`${schema}.${table}`, columns, sequence),
      ),
    countedOf: (text) => cached(`counted ${text}`, () => countedStatement(qualified(text))),
  }
}

/** A statement without values, as the server reads it. */
export const plainStatement = (text: string): ServerStatement => serverStatement(text)

function serverStatement(questioned: string): ServerStatement {
  const text = numbered(questioned)
  const kinds = kindsOf(text)
  return {
    text,
    name: createHash('sha1').update(text).digest('base64url'),
    mayConflict: mayConflict(text),
    bind: (values) => values.map((value, at) => serverValue(value, kinds.get(at))),
  }
}

/** The placeholders of a server have numbers; `?|` is one of its operators. */
function numbered(text: string): string {
  let at = 0
  return text.replace(/\?(?!\|)/g, () => `$${++at}`)
}

/** One text for any number of rows, so that the server plans it once. */
function insertStatement(table: string, names: readonly string[], sequence: string | undefined): ServerStatement {
  const columns = names.map(quoted)
  const values = columns.map((column) => `r.${column}`)
  if (sequence !== undefined) {
    columns.push('"id"')
    values.push(`case when nextval('${sequence}') = r.id then r.id end`)
  }
  const source = `json_populate_recordset(null::${table}, ?::json) r`
  const end = sequence === undefined ? ' returning id' : ''
  const statement = serverStatement(
    `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${source}${end}`,
  )
  const members = sequence === undefined ? names : [...names, 'id']
  const objectText = (row: readonly SqlValue[]) =>
    `{${members.map((name, at) => `"${name}":${memberText(name, serverValue(row[at] ?? null))}`).join()}}`
  const bind = (all: readonly SqlValue[]) => {
    const rows = Array.from({ length: all.length / members.length }, (_, at) =>
      objectText(all.slice(at * members.length, (at + 1) * members.length)),
    )
    return [`[${rows.join()}]`]
  }
  return { ...statement, mayConflict: sequence === undefined, bind }
}

/** The columns that hold JSON: their values are texts of it. */
const jsonColumns = new Set(['body', 'folded', ...jsonFieldColumns])

const memberText = (name: string, value: ServerValue): string =>
  jsonColumns.has(name) && value !== null
    ? String(value)
    : JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value)

function countedStatement(text: string): ServerStatement {
  return serverStatement(`with changed as (${text} returning 1) select 1 / (count(*) = ?::bigint)::int from changed`)
}

type Kind = 'float' | 'bigint[]' | 'double precision[]' | 'text[]'

/** A parameter is a list if the text casts it to an array, and a float if it is compared with a field of that type. */
function kindsOf(text: string): ReadonlyMap<number, Kind> {
  const kinds = new Map<number, Kind>()
  for (const [, number, array] of text.matchAll(/\$(\d+)::(bigint\[\]|double precision\[\]|text\[\])/g)) {
    // The cast: the pattern matches only these.
    kinds.set(Number(number) - 1, array as Kind)
  }
  for (const [, number] of text.matchAll(/::double precision (?:=|<=?|>=?) \$(\d+)/g)) {
    kinds.set(Number(number) - 1, 'float')
  }
  return kinds
}

function serverValue(value: SqlValue, kind?: Kind): ServerValue {
  if (kind === 'float') return value
  if (kind !== undefined) return arrayText(JSON.parse(String(value)) as (boolean | number | string)[], kind)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : UNUSED_ID
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', UNUSED_TEXT) : value
}

/** Replaces a number that is too large or not an integer: no row has this id, and no list is so long. */
const UNUSED_ID = 2 ** 53
/**
 * Replaces a NUL, which no stored text has and which the server rejects; texts are unlikely to have these
 * noncharacters.
 */
const UNUSED_TEXT = '\ufffe\uffff\ufffe'

/** The text form of an array, without values that no row can have. */
function arrayText(values: readonly (boolean | number | string)[], kind: Kind): string {
  const elements: (string | number)[] = []
  for (const value of values) {
    if (typeof value === 'string') {
      if (!value.includes('\0')) elements.push(`"${value.replace(/["\\]/g, '\\$&')}"`)
    } else if (kind === 'double precision[]' || Number.isSafeInteger(Number(value))) elements.push(Number(value))
  }
  return `{${elements.join()}}`
}

const conflicting = [
  /^insert into (?!.* on conflict)/s,
  /^update \S*\.posts set .*"(?:slug|type)" = /s,
  /^update \S*\.terms set .*"(?:slug|taxonomy)" = /s,
  /^update \S*\.users set .*"(?:slug|login|email)" = /s,
  /^update \S*\.records set /s,
]

const mayConflict = (text: string) => conflicting.some((pattern) => pattern.test(text))

/** The most rows of one insert: a JSON text has a largest size, and an import has long texts. */
const maxRows = 500
const maxLength = 4_000_000

/** The rows in parts for one insert each. */
export function insertParts(rows: readonly (readonly SqlValue[])[]): (readonly SqlValue[])[][] {
  const parts: (readonly SqlValue[])[][] = []
  let length = 0
  for (const row of rows) {
    const part = parts.at(-1)
    if (part === undefined || part.length >= maxRows || length >= maxLength) {
      parts.push([row])
      length = 0
    } else part.push(row)
    for (const value of row) length += typeof value === 'string' ? value.length : 0
  }
  return parts
}

/** Names the failed check of `countedOf`. */
export const countError = (error: unknown): unknown =>
  (error as { readonly code?: unknown }).code === failedChecks.count
    ? new TypeError('a write found fewer rows than it has to change', { cause: error })
    : error
