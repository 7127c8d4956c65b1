/** Meta in SQL: one row per owner and key, the value as JSON text. */
import { sql } from 'kysely'
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { Json, MaybePromise, MetaOwner, MetaStore } from '../../../contract/storage.ts'
import { checkedText } from '../../checked-text.ts'
import { jsonText } from '../../json-text.ts'
import { parseJson } from '../engine/fields.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type SqlValue, type Statement, type Statements } from '../engine/statements.ts'

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
  const statement = statements.get(keys === undefined ? 'meta.read' : 'meta.read-keys', (db) => {
    const hasKey = keys === undefined ? sql`` : sql`and ${dialect.inList(sql`key`, 2, 'text')}`
    return sql`select owner_id, key, value from meta
      where owner = ${parameter(0)} and ${dialect.inList(sql`owner_id`, 1, 'integer')} ${hasKey} order by owner_id, key`.compile(
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
  assertOwner(owner)
  if (entries.length === 0) return
  const isBatched = entries.length > 1 || session.ahead !== undefined
  if (isBatched && statements.dialect.batchesWrites) return writeBatch(statements, session, owner, entries)
  const rows = entries.map(({ id, key, value }) => [
    owner,
    id,
    checkedText(key),
    value === null ? null : jsonText(value),
  ])
  const upsert = statements.get('meta.write', (db) =>
    sql`insert into meta (owner, owner_id, key, value) values (${parameter(0)}, ${parameter(1)}, ${parameter(2)}, ${parameter(3)})
      on conflict (owner, owner_id, key) do update set value = excluded.value`.compile(db),
  )
  const remove = statements.get('meta.remove', (db) =>
    sql`delete from meta where owner = ${parameter(0)} and owner_id = ${parameter(1)} and key = ${parameter(2)}`.compile(
      db,
    ),
  )
  const write = (transaction: Session) =>
    sequence(rows, (values) => runOf(transaction)(values[3] === null ? remove : upsert, values))
  return andThen(entries.length === 1 ? write(session) : session.atomic(write), () => undefined)
}

/** The last of several entries for one key wins. */
function writeBatch(
  statements: Statements,
  session: Session,
  owner: MetaOwner,
  entries: readonly Entry[],
): MaybePromise<void> {
  const last = [...new Map(entries.map((entry) => [`${entry.id} ${checkedText(entry.key)}`, entry])).values()]
  // All texts before the first statement: an invalid value throws even if a later entry replaces it.
  const texts = new Map(entries.map((entry) => [entry, jsonText(entry.value)]))
  const removed = last.filter(({ value }) => value === null)
  const set = last.filter(({ value }) => value !== null).map((entry) => ({ ...entry, text: texts.get(entry) ?? '' }))
  const pairs = pairsOf(statements)
  const remove = statements.get('meta.remove-batch', (db) =>
    sql`delete from meta where owner = ${parameter(0)}
      and (owner_id, key) in (select a.value, b.value from ${pairs})`.compile(db),
  )
  const write = (transaction: Session) =>
    andThen(removed.length > 0 ? runOf(transaction)(remove, [owner, ...keyLists(removed)]) : undefined, () =>
      upsertAll(statements, transaction, owner, set),
    )
  return andThen(removed.length > 0 && set.length > 0 ? session.atomic(write) : write(session), () => undefined)
}

const pairsOf = ({ dialect }: Statements) =>
  sql`${dialect.listTable(1, 'integer')} a join ${dialect.listTable(2, 'text')} b on b.ordinal = a.ordinal`

const upsertBatch = (statements: Statements): Statement =>
  statements.get('meta.write-batch', (db) =>
    sql`insert into meta (owner, owner_id, key, value)
      select ${parameter(0)}, a.value, b.value, c.value from ${pairsOf(statements)}
        join ${statements.dialect.listTable(3, 'text')} c on c.ordinal = a.ordinal
      where 1 = 1 on conflict (owner, owner_id, key) do update set value = excluded.value`.compile(db),
  )

interface SetEntry {
  readonly id: number
  readonly key: string
  /** The value as JSON. */
  readonly text: string
}

/** More entries of one write take less time as one statement of their own. */
const maxGathered = 16

/** Each key of an owner once. */
function upsertAll(
  statements: Statements,
  session: Session,
  owner: MetaOwner,
  entries: readonly SetEntry[],
): MaybePromise<unknown> {
  const { ahead } = session
  const valuesOf = (set: readonly SetEntry[]) => [owner, ...keyLists(set), JSON.stringify(set.map(({ text }) => text))]
  if (entries.length === 0) return undefined
  if (ahead === undefined || entries.length > maxGathered) {
    return runOf(session)(upsertBatch(statements), valuesOf(entries))
  }
  return sequence(entries, ({ id, key, text }) =>
    ahead.gather({
      kind: `meta of ${owner}`,
      key: `${id} ${key}`,
      row: { id, key, text },
      size: text.length,
      toStatements: (set) => [{ statement: upsertBatch(statements), values: valuesOf(set) }],
    }),
  )
}

/** Nobody needs the number of rows. */
const runOf = (session: Session): ((statement: Statement, values: readonly SqlValue[]) => MaybePromise<unknown>) =>
  session.ahead?.run ?? session.run

function keyLists(entries: readonly Pick<Entry, 'id' | 'key'>[]): string[] {
  return [JSON.stringify(entries.map(({ id }) => id)), JSON.stringify(entries.map(({ key }) => key))]
}

function assertOwner(owner: string): void {
  if (!owners.includes(owner)) throw new TypeError(`${owner} has no meta`)
}
