/** Keeps meta in SQL: one row per owner and key, the value as JSON text. */
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { Json, MaybePromise, MetaOwner, MetaStore } from '../../../contract/storage.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import { parseJson } from '../engine/fields.ts'
import { sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { parameter, rowsText, type SqlValue, type Statement, type Statements } from '../engine/statements.ts'

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
  assertOwner(owner)
  if (ids.length === 0 || keys?.length === 0) return []
  const { dialect } = statements
  const statement = statements.get(keys === undefined ? 'meta.read' : 'meta.read-keys', () => {
    const hasKey = keys === undefined ? sql`` : sql`and ${dialect.inList(sql`key`, 2, 'text')}`
    return sql`select owner_id, key, value from meta
      where owner = ${parameter(0)} and ${dialect.inList(sql`owner_id`, 1, 'integer')} ${hasKey} order by owner_id, key`
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
  assertOwner(owner)
  if (entries.length === 0) return
  // All texts before the first statement: an invalid value throws even if a later entry replaces it.
  const checked = entries.map(
    ({ id, key, value }): MetaRow => [id, checkedText(key), value === null ? null : jsonText(value)],
  )
  const last = [...new Map(checked.map((row) => [`${row[0]} ${row[1]}`, row])).values()]
  const removed = last.filter(([, , text]) => text === null)
  const set = last.filter(([, , text]) => text !== null)
  // On SQLite a statement with JSON costs as much as some with a row each.
  const parts = session.isAsync || set.length > maxSingle ? [set] : set.map((row) => [row])
  const write = (target: Session) =>
    andThen(
      removed.length > 0 ? runUnawaited(target, deletion(statements), [owner, rowsText(removed)]) : undefined,
      () => sequence(set.length > 0 ? parts : [], (part) => runUnawaited(target, ...upsert(statements, owner, part))),
    )
  const isOne = (removed.length > 0 ? 1 : 0) + (set.length > 0 ? parts.length : 0) <= 1
  return andThen(isOne ? write(session) : session.atomic(write), () => undefined)
}

const maxSingle = 4

/** The number of changed rows is of no interest. */
const runUnawaited = (session: Session, statement: Statement, values: readonly SqlValue[]): MaybePromise<unknown> =>
  (session.pipeline ?? session).run(statement, values)

type MetaRow = readonly [id: number, key: string, text: string | null]

function upsert(
  statements: Statements,
  owner: MetaOwner,
  rows: readonly MetaRow[],
): [statement: Statement, values: readonly SqlValue[]] {
  const [only] = rows
  if (only !== undefined && rows.length === 1) {
    const single = statements.get(
      'meta.write-one',
      () =>
        sql`insert into meta (owner, owner_id, key, value) values (${parameter(0)}, ${parameter(1)}, ${parameter(2)}, ${parameter(3)})
        on conflict (owner, owner_id, key) do update set value = excluded.value`,
    )
    return [single, [owner, ...only]]
  }
  const bulk = statements.get(
    'meta.write',
    () =>
      sql`insert into meta (owner, owner_id, key, value)
      select ${parameter(0)}, n.id, n.key, n.value
      from ${statements.dialect.rowTable(1, { id: 'integer', key: 'text', value: 'text' })} n
      where 1 = 1 on conflict (owner, owner_id, key) do update set value = excluded.value`,
  )
  return [bulk, [owner, rowsText(rows)]]
}

const deletion = (statements: Statements): Statement =>
  statements.get(
    'meta.remove',
    () =>
      sql`delete from meta where owner = ${parameter(0)} and (owner_id, key) in
      (select n.id, n.key from ${statements.dialect.rowTable(1, { id: 'integer', key: 'text' })} n)`,
  )

function assertOwner(owner: string): void {
  if (!owners.includes(owner)) throw new TypeError(`${owner} has no meta`)
}
