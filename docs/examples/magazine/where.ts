/** Conditions on documents. Each is true or false, also where a field is null. */
import { type Collection, checkedKind, comparableKind, fold, jsonText, type Scalar, type Where } from 'site-api/storage'
import { contains } from './rows.ts'
import { and, or, raw, type Sql, sql } from './sql.ts'

const types = { integer: raw('numeric'), number: raw('numeric'), text: raw('text'), boolean: raw('boolean') }

/** A field of a document, comparable as the contract says: numbers by value, texts by code point. */
export function storedValue(collection: Collection, field: string): Sql {
  if (field === 'id') return sql`id`
  const kind = comparableKind(collection, field)
  const value = sql`(body ->> ${field}::text)::${types[kind]}`
  return kind === 'text' ? sql`${value} collate "C"` : value
}

export function conditionOf(collection: Collection, where: Where): Sql {
  if ('every' in where) return and(where.every.map((branch) => conditionOf(collection, branch)))
  if ('some' in where) return or(where.some.map((branch) => conditionOf(collection, branch)))
  if ('not' in where) return sql`not ${conditionOf(collection, where.not)}`
  if ('in' in where) return isOneOf(collection, where.field, where.in)
  if ('is' in where) return equals(collection, where.field, where.is)
  if ('holds' in where) return holds(collection, where.field, where.holds)
  return isInBounds(collection, where)
}

function isOneOf(collection: Collection, field: string, values: readonly Scalar[]): Sql {
  const kind = comparableKind(collection, field)
  for (const value of values) checkedKind(field, kind, value)
  const stored = storedValue(collection, field)
  const others = values.filter((value) => value !== null)
  const isOther = sql`coalesce(${stored} = any(${others}::${types[kind]}[]), false)`
  return values.length > others.length ? sql`(${stored} is null or ${isOther})` : isOther
}

/** With `@>`, which the index of the bodies serves. */
function equals(collection: Collection, field: string, value: Scalar): Sql {
  if (field === 'id' || value === null) return isOneOf(collection, field, [value])
  checkedKind(field, comparableKind(collection, field), value)
  return sql`body @> ${jsonText({ [field]: value })}::jsonb`
}

function holds(collection: Collection, field: string, part: string): Sql {
  if (comparableKind(collection, field) !== 'text')
    throw new TypeError(`only a text holds another; ${field} is no text`)
  return sql`coalesce(${contains(sql`site_fold(${storedValue(collection, field)})`, fold(part))}, false)`
}

const operators = { above: raw('>'), from: raw('>='), below: raw('<'), to: raw('<=') }

function isInBounds(collection: Collection, where: Extract<Where, { readonly above?: unknown }>): Sql {
  const kind = comparableKind(collection, where.field)
  const stored = storedValue(collection, where.field)
  const bounds = (['above', 'from', 'below', 'to'] as const).map((name) => {
    const bound = where[name]
    if (bound === undefined) return undefined
    checkedKind(where.field, kind, bound)
    return sql`${stored} ${operators[name]} ${bound}::${types[kind]}`
  })
  return and([sql`${stored} is not null`, ...bounds])
}
