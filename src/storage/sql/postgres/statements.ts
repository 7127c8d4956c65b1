/**
 * Converts statements for a PostgreSQL server: qualified tables, lists as arrays, a name for the prepared statement.
 */
import { createHash } from 'node:crypto'
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
  /** An insert of `rows` rows that returns the new ids; `bind` takes the values of all rows in one list. */
  insertOf(statement: Statement, rows: number): ServerStatement
  /** The same of one row with an id that is its last value; fails if `sequence` gives another one. */
  insertAheadOf(statement: Statement, sequence: string): ServerStatement
  /** The same of any number of rows: of posts, whose columns have texts and numbers. `bind` takes the values of all rows in one list. */
  insertManyAheadOf(statement: Statement, sequence: string): ServerStatement
  /** A statement whose last value is the number of rows that it has to change; fails if it changes others. */
  countedOf(statement: Statement): ServerStatement
}

/** The SQLSTATE of `countedOf` (a division by zero) and of `insertAheadOf` (a null in the primary key). */
export const failedChecks = { count: '22012', id: '23502' } as const

/** `schema` must be quoted. Converted statements are cached as long as the original exists. */
export function createServerStatements(schema: string): ServerStatements {
  const cache = new WeakMap<Statement, Map<number | string, ServerStatement>>()
  const cached = (statement: Statement, form: number | string, convert: () => ServerStatement): ServerStatement => {
    const byForm = cache.get(statement) ?? new Map<number | string, ServerStatement>()
    const converted = byForm.get(form) ?? convert()
    if (byForm.size === 0) cache.set(statement, byForm)
    byForm.set(form, converted)
    return converted
  }
  const qualified = (text: string) =>
    text.replace(tableName, (_, word: string, space: string, table: string) => `${word}${space}${schema}.${table}`)
  return {
    of: (statement) => cached(statement, 0, () => serverStatement(qualified(statement.sql), statement.parameters)),
    insertOf: (statement, rows) =>
      cached(statement, rows, () => insertStatement(qualified(statement.sql), statement, rows)),
    insertAheadOf: (statement, sequence) =>
      cached(statement, 'ahead', () => insertAheadStatement(qualified(statement.sql), statement, sequence)),
    insertManyAheadOf: (statement, sequence) =>
      cached(statement, 'many', () => insertManyAheadStatement(qualified(statement.sql), statement, sequence)),
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

function insertAheadStatement(text: string, { parameters }: Statement, sequence: string): ServerStatement {
  const [, head = '', row = ''] = /^(insert .+)\) values \((.+)\)$/s.exec(text) ?? []
  const id = parameters.length + 1
  const value = `case when nextval('${sequence}') = $${id} then $${id}::bigint end`
  const ahead = serverStatement(`${head}, "id") values (${row}, ${value})`, [...parameters, parameters.length])
  return { ...ahead, mayConflict: false }
}

/** One text for any number of rows, so that the server plans it once. */
function insertManyAheadStatement(text: string, { parameters }: Statement, sequence: string): ServerStatement {
  const [, table = '', list = ''] = /^insert into (\S+) \((.+)\) values \(.+\)$/s.exec(text) ?? []
  const columns = list.split(', ')
  const many = serverStatement(
    `insert into ${table} (${list}, "id")
      select ${columns.map((column) => `r.${column}`).join(', ')}, case when nextval('${sequence}') = r.id then r.id end
      from json_populate_recordset(null::${table}, $1::json) r`,
    [0],
  )
  const row = serverStatement(text, parameters)
  const names: string[] = columns.map((column) => JSON.parse(column))
  const objectOf = (values: readonly SqlValue[]) => {
    const bound = row.bind(values).map((value) => (typeof value === 'string' ? value.toWellFormed() : value))
    return { ...Object.fromEntries(names.map((name, at) => [name, bound[at]])), id: values.at(-1) }
  }
  const width = names.length + 1
  const bind = (values: readonly SqlValue[]) => [
    JSON.stringify(
      Array.from({ length: values.length / width }, (_, at) => objectOf(values.slice(at * width, (at + 1) * width))),
    ),
  ]
  return { ...many, mayConflict: false, bind }
}

function countedStatement(text: string, { parameters }: Statement): ServerStatement {
  const check = `select 1 / (count(*) = $${parameters.length + 1}::bigint)::int from changed`
  const counted = serverStatement(`with changed as (${text} returning 1) ${check}`, parameters)
  return { ...counted, bind: (values) => [...counted.bind(values), Number(values.at(-1))] }
}

/** Repeats the values of an `insert ... values (...)` of one row. */
function insertStatement(text: string, { parameters }: Statement, rows: number): ServerStatement {
  const [, head = '', row = ''] = /^(insert .+ values )(\(.+\))$/s.exec(text) ?? []
  const width = parameters.length
  const groups = Array.from({ length: rows }, (_, at) =>
    row.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + at * width}`),
  )
  // The cast: the parameters of an insert are indexes, never constants.
  const indexes = parameters as readonly number[]
  const repeated = Array.from({ length: rows }, (_, at) => indexes.map((index) => index + at * width)).flat()
  return serverStatement(`${head}${groups.join(', ')} returning id`, repeated)
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
