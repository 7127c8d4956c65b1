/** Statements as a PostgreSQL server takes them: tables with their schema, lists as arrays, a name to be prepared under. */
import { createHash } from 'node:crypto'
import type { SqlValue, Statement } from '../engine/statements.ts'

export interface ServerStatement {
  readonly text: string
  /** The same text has the same name, in every storage that shares a pool. */
  readonly name: string
  /** It may break a uniqueness promise, and so end a transaction unless there is a savepoint. */
  readonly mayConflict: boolean
  bind(values: readonly SqlValue[]): (string | number | null)[]
}

export type Bound = (string | number | null)[]
type Kind = 'value' | 'float' | 'bigint[]' | 'double precision[]' | 'text[]'

const tables = 'changes|posts|post_counts|post_terms|term_counts|terms|users|meta|options|records'
const tableName = new RegExp(`\\b(from|join|into|update)(\\s+)"?(${tables})"?(?=[\\s(),]|$)`, 'g')

export interface ServerStatements {
  of(statement: Statement): ServerStatement
  /** An insert of so many rows that answers the new ids; `bind` takes the values of all rows, one after another. */
  insertOf(statement: Statement, rows: number): ServerStatement
}

/** `schema` is quoted already. Everything is kept with the statement and goes with it. */
export function createServerStatements(schema: string): ServerStatements {
  const known = new WeakMap<Statement, Map<number, ServerStatement>>()
  const kept = (statement: Statement, rows: number, make: () => ServerStatement): ServerStatement => {
    const forms = known.get(statement) ?? new Map<number, ServerStatement>()
    const form = forms.get(rows) ?? make()
    if (forms.size === 0) known.set(statement, forms)
    forms.set(rows, form)
    return form
  }
  const qualified = (text: string) =>
    text.replace(tableName, (_, word: string, space: string, table: string) => `${word}${space}${schema}.${table}`)
  return {
    of: (statement) => kept(statement, 0, () => serverStatement(qualified(statement.sql), statement.parameters)),
    insertOf: (statement, rows) =>
      kept(statement, rows, () => insertStatement(qualified(statement.sql), statement, rows)),
  }
}

function serverStatement(text: string, parameters: Statement['parameters']): ServerStatement {
  const kinds = kindsOf(text, parameters.length)
  return {
    text,
    name: createHash('sha1').update(text).digest('base64url'),
    mayConflict: mayConflict(text),
    bind: (values) => {
      const bound: Bound = new Array(parameters.length)
      for (let at = 0; at < bound.length; at++) {
        const parameter = parameters[at]
        const value = typeof parameter === 'number' ? (values[parameter] ?? null) : (parameter?.constant ?? null)
        bound[at] = boundValue(value, kinds[at] as Kind)
      }
      return bound
    },
  }
}

/** From `insert ... values (...)` for one row. */
function insertStatement(text: string, { parameters }: Statement, rows: number): ServerStatement {
  const [, head = '', row = ''] = /^(insert .+ values )(\(.+\))$/s.exec(text) ?? []
  const width = parameters.length
  const groups = Array.from({ length: rows }, (_, at) =>
    row.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + at * width}`),
  )
  // The cast: an insert has a slot for each column and no constant, which the type does not say.
  const slots = parameters as readonly number[]
  const repeated = Array.from({ length: rows }, (_, at) => slots.map((slot) => slot + at * width)).flat()
  return serverStatement(`${head}${groups.join(', ')} returning id`, repeated)
}

/** A parameter is a list where the text says so, and a fraction where a field of that kind stands before it. */
function kindsOf(text: string, count: number): Kind[] {
  const kinds = new Array<Kind>(count).fill('value')
  for (const [, number, array] of text.matchAll(/\$(\d+)::(bigint\[\]|double precision\[\]|text\[\])/g)) {
    // The cast: the pattern lets only these pass.
    kinds[Number(number) - 1] = array as Kind
  }
  for (const [, number] of text.matchAll(/::double precision (?:=|<=?|>=?) \$(\d+)/g))
    kinds[Number(number) - 1] = 'float'
  return kinds
}

function boundValue(value: SqlValue, kind: Kind): string | number | null {
  switch (kind) {
    case 'value':
      if (typeof value === 'number') return Number.isSafeInteger(value) ? value : noId
      return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', noText) : value
    case 'float':
      return value
    default:
      return arrayText(JSON.parse(String(value)) as (boolean | number | string)[], kind)
  }
}

/** For a number that is too large or no integer: no row has this one, and no list is so long. */
const noId = 2 ** 53
/** No text of ours has a NUL and the server refuses it even in a question; no text is likely to have these noncharacters. */
const noText = '\ufffe\uffff\ufffe'

/** The text form of an array. What no row can have is left out. */
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
