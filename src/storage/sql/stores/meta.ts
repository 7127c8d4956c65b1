/** Meta in SQL: one row for each key of an owner, its value as JSON text. */

import { sql } from 'kysely'
import { andThen, sequence } from '../../../core/runtime/maybe-promise.ts'
import type { Json, MaybePromise, MetaOwner, MetaStore } from '../../contract.ts'
import { jsonText, parseJson, plainText } from '../engine/fields.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type SqlValue, type Statements } from '../engine/statements.ts'

const owners: readonly string[] = ['post', 'user', 'term']

interface Entry {
  readonly id: number
  readonly key: string
  readonly value: Json
}

export function metaStore(statements: Statements, session: Session): MetaStore {
  return {
    read: (owner, ids, keys) => readMeta(statements, session, owner, ids, keys),
    write: (owner, entries) => writeMeta(statements, session, owner, entries),
  }
}

function readMeta(
  statements: Statements,
  session: Session,
  owner: MetaOwner,
  ids: readonly number[],
  keys: readonly string[] | undefined,
): MaybePromise<Entry[]> {
  refuseUnknown(owner)
  if (ids.length === 0 || keys?.length === 0) return []
  const { dialect } = statements
  const statement = statements.get(keys === undefined ? 'meta.read' : 'meta.read-keys', (db) => {
    const ofKeys = keys === undefined ? sql`` : sql`and ${dialect.within(sql`key`, 2, 'text')}`
    return sql`select owner_id, key, value from meta
      where owner = ${parameter(0)} and ${dialect.within(sql`owner_id`, 1, 'integer')} ${ofKeys} order by owner_id, key`.compile(
      db,
    )
  })
  const values: SqlValue[] = [owner, JSON.stringify(ids)]
  if (keys !== undefined) values.push(JSON.stringify(keys))
  return andThen(session.all(statement, values), (rows) =>
    rows.map(([id, key, value]) => ({ id: Number(id), key: String(key), value: parseJson(value) })),
  )
}

function writeMeta(
  statements: Statements,
  session: Session,
  owner: MetaOwner,
  entries: readonly Entry[],
): MaybePromise<void> {
  refuseUnknown(owner)
  if (entries.length === 0) return
  if (entries.length > 1 && statements.dialect.fewStatements) return writeMany(statements, session, owner, entries)
  const written = entries.map(({ id, key, value }) => [
    owner,
    id,
    plainText(key),
    value === null ? null : jsonText(value),
  ])
  const set = statements.get('meta.write', (db) =>
    sql`insert into meta (owner, owner_id, key, value) values (${parameter(0)}, ${parameter(1)}, ${parameter(2)}, ${parameter(3)})
      on conflict (owner, owner_id, key) do update set value = excluded.value`.compile(db),
  )
  const remove = statements.get('meta.remove', (db) =>
    sql`delete from meta where owner = ${parameter(0)} and owner_id = ${parameter(1)} and key = ${parameter(2)}`.compile(
      db,
    ),
  )
  const write = (inside: Session) =>
    sequence(written, (values) => inside.run(values[3] === null ? remove : set, values))
  return andThen(entries.length === 1 ? write(session) : session.atomic(write), () => undefined)
}

/** Of two entries for one key the last one counts. */
function writeMany(
  statements: Statements,
  session: Session,
  owner: MetaOwner,
  entries: readonly Entry[],
): MaybePromise<void> {
  const { dialect } = statements
  const last = new Map(entries.map((entry) => [`${entry.id} ${plainText(entry.key)}`, entry]))
  const [removed, kept] = [true, false].map((isNull) =>
    [...last.values()].filter(({ value }) => (value === null) === isNull),
  ) as [Entry[], Entry[]]
  const keysOf = (some: readonly Entry[]) => [
    JSON.stringify(some.map(({ id }) => id)),
    JSON.stringify(some.map(({ key }) => key)),
  ]
  const texts = new Map(entries.map((entry) => [entry, jsonText(entry.value)]))
  const pairs = sql`${dialect.list(1, 'integer')} a join ${dialect.list(2, 'text')} b on b.place = a.place`
  const set = statements.get('meta.write-many', (db) =>
    sql`insert into meta (owner, owner_id, key, value)
      select ${parameter(0)}, a.value, b.value, c.value from ${pairs} join ${dialect.list(3, 'text')} c on c.place = a.place
      where 1 = 1 on conflict (owner, owner_id, key) do update set value = excluded.value`.compile(db),
  )
  const remove = statements.get('meta.remove-many', (db) =>
    sql`delete from meta where owner = ${parameter(0)}
      and (owner_id, key) in (select a.value, b.value from ${pairs})`.compile(db),
  )
  const write = (inside: Session) =>
    andThen(removed.length > 0 ? inside.run(remove, [owner, ...keysOf(removed)]) : undefined, () =>
      kept.length > 0
        ? inside.run(set, [owner, ...keysOf(kept), JSON.stringify(kept.map((entry) => texts.get(entry)))])
        : undefined,
    )
  return andThen(removed.length > 0 && kept.length > 0 ? session.atomic(write) : write(session), () => undefined)
}

function refuseUnknown(owner: string): void {
  if (!owners.includes(owner)) throw new TypeError(`${owner} has no meta`)
}
