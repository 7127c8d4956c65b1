/** Options in SQL. A column has the canonical text of each value, so that `swap` is one conditional statement. */
import { andThen } from '../../../contract/maybe-promise.ts'
import type { Json, MaybePromise, OptionStore } from '../../../contract/storage.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import { canonicalText, parseJson } from '../engine/fields.ts'
import { type Fragment, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { parameter, rowsText, type Statement, type Statements } from '../engine/statements.ts'

export function optionStore(statements: Statements, session: Session): OptionStore {
  return {
    read: (names) => readOptions(statements, session, names),
    write: (values) => writeOptions(statements, session, values),
    swap: (name, expected, next) => swapOption(statements, session, name, expected, next),
  }
}

function readOptions(
  statements: Statements,
  session: Session,
  names: readonly string[] | undefined,
): MaybePromise<{ [name: string]: Json }> {
  if (names?.length === 0) return {}
  const statement = statements.get(names === undefined ? 'options.all' : 'options.read', () => {
    const where = names === undefined ? sql`` : sql`where ${statements.dialect.inList(sql`name`, 0, 'text')}`
    return sql`select name, value from options ${where} order by name`
  })
  const result = session.all(statement, names === undefined ? [] : [JSON.stringify(names)])
  // Object.fromEntries, because assigning to `__proto__` would not create a member.
  return andThen(result, (rows) => Object.fromEntries(rows.map(([name, value]) => [String(name), parseJson(value)])))
}

function writeOptions(
  statements: Statements,
  session: Session,
  values: { readonly [name: string]: Json },
): MaybePromise<void> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return
  const rows = entries.map(([name, value]) => columnValues(name, value))
  const removed = rows.filter((row) => row.length === 1)
  const set = rows.filter((row) => row.length > 1)
  const write = (target: Session) =>
    andThen(removed.length > 0 ? target.run(deletion(statements), [JSON.stringify(removed.flat())]) : 0, () =>
      set.length > 0 ? target.run(upsert(statements), [rowsText(set)]) : 0,
    )
  return andThen(removed.length > 0 && set.length > 0 ? session.atomic(write) : write(session), () => undefined)
}

/** A row has name, text and canonical text; a removal the name alone. */
function columnValues(name: string, value: Json): string[] {
  return value === null ? [checkedText(name)] : [checkedText(name), jsonText(value), canonicalText(value)]
}

function swapOption(
  statements: Statements,
  session: Session,
  name: string,
  expected: Json,
  next: Json,
): MaybePromise<boolean> {
  const row = columnValues(name, next)
  if (expected !== null)
    return andThen(session.run(conditionalWrite(statements, next), [...row, canonicalText(expected)]), hasWritten)
  if (next !== null) return andThen(session.run(insertion(statements), row), hasWritten)
  return andThen(readOptions(statements, session, [name]), (options) => !Object.hasOwn(options, name))
}

function hasWritten(count: number): boolean {
  return count > 0
}

function upsert(statements: Statements): Statement {
  const rows = statements.dialect.rowTable(0, { name: 'text', value: 'text', canonical: 'text' })
  return writing(
    statements,
    'write',
    () => sql`insert into options (name, value, canonical) select n.name, n.value, n.canonical from ${rows} n
      where 1 = 1 on conflict (name) do update set value = excluded.value, canonical = excluded.canonical`,
  )
}

function insertion(statements: Statements): Statement {
  return writing(
    statements,
    'create',
    () => sql`insert into options (name, value, canonical) values (${parameter(0)}, ${parameter(1)}, ${parameter(2)})
      on conflict (name) do nothing`,
  )
}

function deletion(statements: Statements): Statement {
  return writing(
    statements,
    'remove',
    () => sql`delete from options where ${statements.dialect.inList(sql`name`, 0, 'text')}`,
  )
}

function conditionalWrite(statements: Statements, next: Json): Statement {
  if (next === null) {
    return writing(
      statements,
      'swap-out',
      () => sql`delete from options where name = ${parameter(0)} and canonical = ${parameter(1)}`,
    )
  }
  return writing(
    statements,
    'swap',
    () => sql`update options set value = ${parameter(1)}, canonical = ${parameter(2)}
      where name = ${parameter(0)} and canonical = ${parameter(3)}`,
  )
}

const writing = (statements: Statements, name: string, build: () => Fragment): Statement =>
  statements.get(`options.${name}`, () => build(), 'write options')
