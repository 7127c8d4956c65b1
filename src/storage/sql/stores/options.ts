/** Options in SQL. A column has the canonical text of each value, so that `swap` is one conditional statement. */
import { andThen } from '../../../contract/maybe-promise.ts'
import type { Json, MaybePromise, OptionStore } from '../../../contract/storage.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import { canonicalText, parseJson } from '../engine/fields.ts'
import { raw, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'

export function optionStore(session: Session): OptionStore {
  return {
    read: (names) => readOptions(session, names),
    write: (values) => writeOptions(session, values),
    swap: (name, expected, next) => swapOption(session, name, expected, next),
  }
}

function readOptions(session: Session, names: readonly string[] | undefined): MaybePromise<{ [name: string]: Json }> {
  if (names?.length === 0) return {}
  const isNamed = names === undefined ? raw('') : sql`where ${session.dialect.inList('name', names)}`
  const result = session.all(sql`select name, value from options ${isNamed} order by name`)
  // Object.fromEntries, because assigning to `__proto__` would not create a member.
  return andThen(result, (rows) => Object.fromEntries(rows.map(([name, value]) => [String(name), parseJson(value)])))
}

function writeOptions(session: Session, values: { readonly [name: string]: Json }): MaybePromise<void> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return
  const rows = entries.map(([name, value]) => columnValues(name, value))
  const removed = rows.filter((row) => row.length === 1)
  const set = rows.filter((row) => row.length > 1)
  const { inList, rowTable } = session.dialect
  const deletion = sql`delete from options where ${inList('name', removed.flat())}`
  const upsert = sql`insert into options (name, value, canonical) select n.name, n.value, n.canonical
      from ${rowTable(set, { name: 'text', value: 'text', canonical: 'text' })} n
      where 1 = 1 on conflict (name) do update set value = excluded.value, canonical = excluded.canonical`
  const write = (target: Session) =>
    andThen(removed.length > 0 ? target.run(deletion) : 0, () => (set.length > 0 ? target.run(upsert) : 0))
  return andThen(removed.length > 0 && set.length > 0 ? session.atomic(write) : write(session), () => undefined)
}

/** A row has name, text and canonical text; a removal the name alone. */
function columnValues(name: string, value: Json): string[] {
  return value === null ? [checkedText(name)] : [checkedText(name), jsonText(value), canonicalText(value)]
}

function swapOption(session: Session, name: string, expected: Json, next: Json): MaybePromise<boolean> {
  const [, text = null, canonical = null] = columnValues(name, next)
  if (expected === null && next === null) {
    return andThen(readOptions(session, [name]), (options) => !Object.hasOwn(options, name))
  }
  const write =
    expected === null
      ? sql`insert into options (name, value, canonical) values (${name}, ${text}, ${canonical}) on conflict (name) do nothing`
      : next === null
        ? sql`delete from options where name = ${name} and canonical = ${canonicalText(expected)}`
        : sql`update options set value = ${text}, canonical = ${canonical}
      where name = ${name} and canonical = ${canonicalText(expected)}`
  return andThen(session.run(write), (count) => count > 0)
}
