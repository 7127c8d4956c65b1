/**
 * Converts statements for a PostgreSQL server: qualified tables, lists as arrays, a name for the prepared statement.
 */

import { createHash } from 'node:crypto'
import { jsonFieldColumns } from '../engine/columns.ts'
import { parametersOf, type SqlValue, type Statement } from '../engine/statements.ts'

export interface ServerStatement {
  readonly text: string
  /** A digest of the text, so that storages that share a pool use the same name for the same text. */
  readonly name: string
  /** True if it may violate uniqueness, which ends the transaction unless a savepoint precedes it. */
  readonly mayConflict: boolean
  readonly writesOptions: boolean
  /** The values of a call as the server accepts them. */
  bind(values: readonly SqlValue[]): ServerValue[]
}

export type ServerValue = string | number | null
type Kind = 'value' | 'float' | 'bigint[]' | 'double precision[]' | 'text[]'

const tables = 'changes|posts|post_changes|post_counts|post_terms|term_counts|terms|users|meta|options|records'
const tableName = new RegExp(`\\b(from|join|into|update)(\\s+)"?(${tables})"?(?=[\\s(),]|$)`, 'g')

export interface ServerStatements {
  of(statement: Statement): ServerStatement
  /** An insert of any number of rows that returns the new ids; `bind` takes the values of all rows in one list. */
  insertOf(statement: Statement): ServerStatement
  /** Like `insertOf`, but each row ends in the id that `sequence` has to give next; fails if it gives another one. */
  insertWithIdsOf(statement: Statement, sequence: string): ServerStatement
  /** A statement whose last value is the number of rows that it has to change; fails if it changes others. */
  countedOf(statement: Statement): ServerStatement
}

/** Errors have these SQLSTATEs: `countedOf` divides by zero, and `insertWithIdsOf` writes a null in the primary key. */
export const failedChecks = { count: '22012', id: '23502' } as const

/** `schema` must be quoted. Converted statements are cached as long as the original exists. */
export function createServerStatements(schema: string): ServerStatements {
  const cache = new WeakMap<Statement, Map<string, ServerStatement>>()
  const cached = (statement: Statement, form: string, convert: () => ServerStatement): ServerStatement => {
    const byForm = cache.get(statement) ?? new Map<string, ServerStatement>()
    const converted = byForm.get(form) ?? convert()
    if (byForm.size === 0) cache.set(statement, byForm)
    byForm.set(form, converted)
    return converted
  }
  const qualified = (text: string) =>
    text.replace(tableName, (_, word: string, space: string, table: string) => `${word}${space}${schema}.${table}`)
  return {
    of: (statement) => cached(statement, '', () => serverStatement(qualified(statement.sql), statement.parameters)),
    insertOf: (statement) => cached(statement, 'insert', () => insertStatement(qualified(statement.sql), statement)),
    insertWithIdsOf: (statement, sequence) =>
      cached(statement, 'with ids', () => insertStatement(qualified(statement.sql), statement, sequence)),
    countedOf: (statement) => cached(statement, 'counted', () => countedStatement(qualified(statement.sql), statement)),
  }
}

/** A statement without parameters, as the server reads it. */
export const plainStatement = (text: string): ServerStatement => serverStatement(text, [])

function serverStatement(text: string, parameters: Statement['parameters']): ServerStatement {
  const kinds = kindsOf(text, parameters.length)
  return {
    text,
    name: createHash('sha1').update(text).digest('base64url'),
    mayConflict: mayConflict(text),
    writesOptions: /^(?:insert into|update|delete from) \S*\.options /.test(text),
    bind: (values) => {
      const bound: ServerValue[] = parametersOf({ sql: text, parameters }, values)
      for (let at = 0; at < bound.length; at++) bound[at] = serverValue(bound[at] as SqlValue, kinds[at] as Kind)
      return bound
    },
  }
}

/** One text for any number of rows, so that the server plans it once. */
function insertStatement(text: string, { parameters }: Statement, sequence?: string): ServerStatement {
  const [, table = '', list = ''] = /^insert into (.+?) \((.+)\) values \(.+\)$/s.exec(text) ?? []
  const columns = list.split(', ')
  const values = columns.map((column) => `r.${column}`)
  const head = sequence === undefined ? list : `${list}, "id"`
  if (sequence !== undefined) values.push(`case when nextval('${sequence}') = r.id then r.id end`)
  const source = `json_populate_recordset(null::${table}, $1::json) r`
  const end = sequence === undefined ? ' returning id' : ''
  const many = serverStatement(`insert into ${table} (${head}) select ${values.join(', ')} from ${source}${end}`, [0])
  const row = serverStatement(text, parameters)
  const names: string[] = columns.map((column) => JSON.parse(column))
  const width = names.length + (sequence === undefined ? 0 : 1)
  const objectText = (rowValues: readonly SqlValue[]) => {
    const bound = row.bind(rowValues)
    const members = names.map((name, at) => `"${name}":${memberText(name, bound[at] ?? null)}`)
    if (sequence !== undefined) members.push(`"id":${rowValues.at(-1)}`)
    return `{${members.join()}}`
  }
  const bind = (all: readonly SqlValue[]) => {
    const count = all.length / width
    return [`[${Array.from({ length: count }, (_, at) => objectText(all.slice(at * width, (at + 1) * width))).join()}]`]
  }
  return { ...many, mayConflict: sequence === undefined, bind }
}

/** The columns that hold JSON: their values are texts of it. */
const jsonColumns = new Set(['body', 'folded', ...jsonFieldColumns])

const memberText = (name: string, value: ServerValue): string =>
  jsonColumns.has(name) && value !== null
    ? String(value)
    : JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value)

function countedStatement(text: string, { parameters }: Statement): ServerStatement {
  const check = `select 1 / (count(*) = $${parameters.length + 1}::bigint)::int from changed`
  const counted = serverStatement(`with changed as (${text} returning 1) ${check}`, parameters)
  return { ...counted, bind: (values) => [...counted.bind(values), Number(values.at(-1))] }
}

/** A parameter is a list if the text casts it to an array, and a float if it is compared with a field of that type. */
function kindsOf(text: string, count: number): Kind[] {
  const kinds = new Array<Kind>(count).fill('value')
  for (const [, number, array] of text.matchAll(/\$(\d+)::(bigint\[\]|double precision\[\]|text\[\])/g)) {
    // The cast: the pattern matches only these.
    kinds[Number(number) - 1] = array as Kind
  }
  for (const [, number] of text.matchAll(/::double precision (?:=|<=?|>=?) \$(\d+)/g))
    kinds[Number(number) - 1] = 'float'
  return kinds
}

function serverValue(value: SqlValue, kind: Kind): ServerValue {
  switch (kind) {
    case 'value':
      if (typeof value === 'number') return Number.isSafeInteger(value) ? value : UNUSED_ID
      return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', UNUSED_TEXT) : value
    case 'float':
      return value
    default:
      return arrayText(JSON.parse(String(value)) as (boolean | number | string)[], kind)
  }
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
