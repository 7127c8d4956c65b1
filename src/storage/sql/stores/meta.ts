/** Keeps meta in SQL: one row per owner and key, the value as JSON text. */
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { Json, MaybePromise, MetaOwner, MetaStore } from '../../../contract/storage.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import type { Dialect } from '../engine/dialect.ts'
import { parseJson } from '../engine/fields.ts'
import { type Fragment, raw, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'

const owners: readonly string[] = ['post', 'user', 'term']

interface Entry {
  readonly id: number
  readonly key: string
  readonly value: Json
}

export function metaStore(session: Session): MetaStore {
  return {
    read: (owner, ids, keys) => readMeta(session, owner, ids, keys),
    write: (owner, entries) => writeMeta(session, owner, entries),
  }
}

function readMeta(
  session: Session,
  owner: MetaOwner,
  ids: readonly number[],
  keys: readonly string[] | undefined,
): MaybePromise<Entry[]> {
  assertOwner(owner)
  if (ids.length === 0 || keys?.length === 0) return []
  const { inList } = session.dialect
  const hasKey = keys === undefined ? raw('') : sql`and ${inList('key', keys)}`
  const rows = session.all(sql`select owner_id, key, value from meta
      where owner = ${owner} and ${inList('owner_id', ids)} ${hasKey} order by owner_id, key`)
  return andThen(rows, (found) =>
    found.map(([id, key, value]) => ({ id: Number(id), key: String(key), value: parseJson(value) })),
  )
}

function writeMeta(session: Session, owner: MetaOwner, entries: readonly Entry[]): MaybePromise<void> {
  assertOwner(owner)
  if (entries.length === 0) return
  // All texts before the first statement: an invalid value throws even if a later entry replaces it.
  const checked = entries.map(
    ({ id, key, value }): MetaRow => [id, checkedText(key), value === null ? null : jsonText(value)],
  )
  const last = [...new Map(checked.map((row) => [`${row[0]} ${row[1]}`, row])).values()]
  const removed = last.filter(([, , text]) => text === null)
  const set = last.filter(([, , text]) => text !== null)
  const { dialect } = session
  const writes = [
    ...partsOf(session, removed, maxSingle.removals).map((part) => deletion(dialect, owner, part)),
    ...partsOf(session, set, maxSingle.values).map((part) => upsert(dialect, owner, part)),
  ]
  // The number of changed rows is of no interest: on a server no write is waited for.
  const write = (target: Session) => sequence(writes, (statement) => target.send(statement))
  return andThen(writes.length === 1 ? write(session) : session.atomic(write), () => undefined)
}

/** On SQLite a statement with JSON costs as much as so many with a row each. */
const maxSingle = { values: 4, removals: 16 }

function partsOf(session: Session, rows: readonly MetaRow[], most: number): (readonly MetaRow[])[] {
  if (rows.length === 0) return []
  return session.isAsync || rows.length > most ? [rows] : rows.map((row) => [row])
}

type MetaRow = readonly [id: number, key: string, text: string | null]

function upsert({ rowTable }: Dialect, owner: MetaOwner, rows: readonly MetaRow[]): Fragment {
  const replace = raw('on conflict (owner, owner_id, key) do update set value = excluded.value')
  const [only] = rows
  if (only !== undefined && rows.length === 1) {
    const [id, key, value] = only
    return sql`insert into meta (owner, owner_id, key, value) values (${owner}, ${id}, ${key}, ${value}) ${replace}`
  }
  return sql`insert into meta (owner, owner_id, key, value)
      select ${owner}, n.id, n.key, n.value
      from ${rowTable(rows, { id: 'integer', key: 'text', value: 'text' })} n where 1 = 1 ${replace}`
}

function deletion({ rowTable }: Dialect, owner: MetaOwner, rows: readonly MetaRow[]): Fragment {
  const [only] = rows
  if (only !== undefined && rows.length === 1) {
    return sql`delete from meta where owner = ${owner} and owner_id = ${only[0]} and key = ${only[1]}`
  }
  return sql`delete from meta where owner = ${owner} and (owner_id, key) in
      (select n.id, n.key from ${rowTable(
        rows.map(([id, key]) => [id, key]),
        { id: 'integer', key: 'text' },
      )} n)`
}

function assertOwner(owner: string): void {
  if (!owners.includes(owner)) throw new TypeError(`${owner} has no meta`)
}
