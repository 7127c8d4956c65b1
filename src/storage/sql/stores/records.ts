/**
 * Records in SQL: one table with a JSON body per record. The indexes and unique sets of a collection are partial indexes,
 * created before its first write.
 */
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type {
  Collection,
  Json,
  MaybePromise,
  RecordQuery,
  RecordStore,
  RecordValues,
  StoredRecord,
  Where,
} from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { checkedValues, comparableKind, type ScalarKind, storedRecord } from '../../field-kinds.ts'
import { jsonText } from '../../json-text.ts'
import type { Dialect } from '../engine/dialect.ts'
import { parseJson } from '../engine/fields.ts'
import { type Fragment, type Row, raw, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { countOnce, keyOf, pageOf } from './listing.ts'
import { applyUpdates, insertValues } from './rows.ts'
import {
  type Condition,
  checkedName,
  checkedWhere,
  fieldExpression,
  isIndexed,
  nameOf,
  orderIndex,
  partsOf,
  type UsedIndex,
  whereCondition,
} from './where.ts'

type Update = { readonly id: number; readonly changes: RecordValues; readonly when?: Where }

export function recordStore(session: Session): RecordStore {
  const marked = new Set<string>()
  const write = <T>(collection: Collection, work: (writing: Session) => MaybePromise<T>) =>
    collection.isSearched ? writeMarked(session, collection, marked, work) : work(session)
  return {
    query: (collection, query) => queryRecords(session, collection, query),
    insert: (collection, rows, ids) =>
      rows.length === 0 ? [] : write(collection, (writing) => insertRecords(writing, collection, rows, ids)),
    update: (collection, updates) =>
      updates.length === 0 ? [] : write(collection, (writing) => updateRecords(writing, collection, updates)),
    remove: (collection, where) =>
      write(collection, (writing) =>
        writing.run(sql`delete from records as r where ${isIn(writing, collection, where)}`),
      ),
  }
}

/** The row of `post_changes` that differs after each write to a collection whose lists are kept. */
const changesOf = ({ name }: Collection): string => `records ${name}`

/** `marked` has the collections that this transaction has marked: one that is marked again and again gets slower each time on a server. */
function writeMarked<T>(
  session: Session,
  collection: Collection,
  marked: Set<string>,
  work: (writing: Session) => MaybePromise<T>,
): MaybePromise<T> {
  // Outside of a transaction, the write and its mark are one.
  if (session.cached !== undefined)
    return session.atomic((writing) => writeMarked(writing, collection, new Set(), work))
  return andThen(work(session), (result) => {
    if (marked.has(collection.name)) return result
    marked.add(collection.name)
    const version = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
    const mark = sql`insert into post_changes (type, version) values (${changesOf(collection)}, ${version})
      on conflict (type) do update set version = excluded.version`
    return andThen(session.send(mark), () => result)
  })
}

/** The records of the collection that meet a condition. */
function isIn({ dialect }: Session, collection: Collection, where: Where, index?: UsedIndex): Fragment {
  const condition = whereCondition(dialect, collection, checkedWhere(collection, where), index)
  return sql`r.collection = ${raw(nameOf(collection))} and ${condition}`
}

function queryRecords(
  session: Session,
  collection: Collection,
  query: RecordQuery,
): MaybePromise<{ rows: StoredRecord[]; total: number }> {
  const { dialect } = session
  const { where = { every: [] }, order = [], offset = 0, limit = Number.MAX_SAFE_INTEGER } = query
  const checked = checkedWhere(collection, where)
  const sorting = order.map(({ by, descending = false }) => ({ by, kind: comparableKind(collection, by), descending }))
  const index = orderIndex(collection, checked, sorting[0]?.by)
  const condition = whereCondition(dialect, collection, checked, index)
  const from = sql`from records r where r.collection = ${raw(nameOf(collection))} and ${condition}`
  const orderBy = raw(orderOf(dialect, collection, sorting, { where: checked, index }))
  const inOrder = sql`${from} order by ${orderBy} ${pageOf(dialect, offset, limit)}`
  const records =
    limit === 0
      ? []
      : andThen(readPage(session, collection, where, inOrder), (rows) => rows.map((row) => recordOf(collection, row)))
  if (!query.total) return andThen(records, (rows) => ({ rows, total: 0 }))
  const count = countOnce(session, sql`select count(*) ${from}`, keptFor(collection))
  return andThen(all([records, count]), ([rows, total]) => ({ rows, total }))
}

/** Names the writes that end the cached lists of a collection; undefined: all of them do. */
const keptFor = (collection: Collection) => (collection.isSearched ? [changesOf(collection)] : undefined)

/** A page of a search reads the texts of all records in its order until it is full: its ids are kept. */
function readPage(
  session: Session,
  collection: Collection,
  where: Where,
  inOrder: Fragment,
): MaybePromise<readonly Row[]> {
  const { cached } = session
  if (!collection.isSearched || cached === undefined || !readsTexts(where)) {
    return session.all(sql`select r.id, r.body ${inOrder}`, 'list')
  }
  const search = sql`select r.id ${inOrder}`
  const readIds = () => andThen(session.all(search, 'search'), (rows) => rows.map(([id]) => Number(id)))
  const ids = cached(keyOf(search), readIds, keptFor(collection))
  return andThen(ids, (found) => readByIds(session, collection, found))
}

function readsTexts(where: Where): boolean {
  if ('every' in where) return where.every.some(readsTexts)
  if ('some' in where) return where.some.some(readsTexts)
  return 'not' in where ? readsTexts(where.not) : 'holds' in where
}

/** Returns the rows in the order of the ids. */
function readByIds(session: Session, collection: Collection, ids: readonly number[]): MaybePromise<readonly Row[]> {
  if (ids.length === 0) return []
  const select = sql`select r.id, r.body from records r where ${session.dialect.inList('r.id', ids)}
    and r.collection = ${raw(nameOf(collection))}`
  return andThen(session.all(select), (rows) => {
    const byId = new Map(rows.map((row) => [Number(row[0]), row]))
    return ids.flatMap((id) => {
      const row = byId.get(id)
      return row === undefined ? [] : [row]
    })
  })
}

function orderOf(
  dialect: Dialect,
  collection: Collection,
  sorting: readonly { readonly by: string; readonly kind: ScalarKind; readonly descending: boolean }[],
  { where, index }: { readonly where: Condition; readonly index: UsedIndex },
): string {
  // Where an index finds the rows of a value, a scan of all rows in order would be slower.
  const isSelective = index === undefined && hasIndexedValue(collection, where)
  // The index of a unique field has no order by id.
  const isUnique = index === undefined && hasUniqueValue(collection, where)
  const idInOrder = isUnique ? `${dialect.unindexed}r.id` : 'r.id'
  const terms = sorting.map(({ by, kind, descending }) => {
    if (by === 'id') return `${idInOrder} ${descending ? 'desc' : 'asc'}`
    const field = fieldExpression(dialect, collection, by)
    const direction = descending ? 'desc nulls last' : 'asc nulls first'
    if (isSelective) return `${dialect.unindexed}${field} ${direction}`
    const hasIndex = index?.at(-1) === by || isIndexed(collection, by)
    const keys = kind === 'text' && hasIndex ? dialect.textOrder(field) : [field]
    return keys.map((key) => `${key} ${direction}`).join(', ')
  })
  if (sorting.some(({ by }) => by === 'id')) return terms.join(', ')
  if (sorting.length > 0) return [...terms, 'r.id asc'].join(', ')
  // The order by id alone would lead to a scan of all rows by their ids.
  const isShort = index !== undefined || (isSelective && collection.orders !== undefined)
  return isShort ? `${dialect.unindexed}r.id asc` : `${idInOrder} asc`
}

function hasIndexedValue(collection: Collection, where: Condition): boolean {
  return partsOf(where).some(
    (part) => ('is' in part || 'in' in part) && (part.field === 'id' || isIndexed(collection, part.field)),
  )
}

const hasUniqueValue = ({ unique = [] }: Collection, where: Condition): boolean =>
  partsOf(where).some((part) => 'is' in part && unique.some(([first]) => first === part.field))

function recordOf(collection: Collection, [id, body]: Row): StoredRecord {
  return storedRecord(collection, id, parseJson<{ [field: string]: Json }>(body))
}

const insertedColumns = ['body', 'folded', 'collection']

function insertRecords(
  session: Session,
  collection: Collection,
  rows: readonly RecordValues[],
  ids?: readonly number[],
): MaybePromise<number[]> {
  const bodies = rows.map((row) => [...bodyValues(collection, checkedValues(collection, row)), collection.name])
  const insertion = { table: 'records', columns: insertedColumns, rows: bodies }
  return andThen(ensureIndexes(session, collection), () =>
    insertValues(session, insertion, { ids, isSure: !mayConflict(collection, rows) }),
  )
}

/** A unique set with a null equals no other. */
const mayConflict = ({ unique = [] }: Collection, rows: readonly RecordValues[]) =>
  unique.some((fields) => rows.some((row) => fields.every((field) => (row[field] ?? null) !== null)))

function updateRecords(session: Session, collection: Collection, updates: readonly Update[]): MaybePromise<number[]> {
  const update = (transaction: Session) =>
    isOneBatch(updates)
      ? updateBatch(transaction, collection, updates)
      : applyUpdates(updates, (recordUpdate) => updateRecord(transaction, collection, recordUpdate))
  return andThen(ensureIndexes(session, collection), () => session.atomic(update))
}

/** Different records under one condition: two statements, however many they are. */
function isOneBatch(updates: readonly Update[]): boolean {
  const condition = JSON.stringify(updates[0]?.when)
  const ids = new Set(updates.map(({ id }) => id))
  return ids.size > 1 && ids.size === updates.length && updates.every(({ when }) => JSON.stringify(when) === condition)
}

/** No index of a field is used where rows are found by their ids. */
const foundById: UsedIndex = []

/** `updateRecord` for a batch. */
function updateBatch(session: Session, collection: Collection, updates: readonly Update[]): MaybePromise<number[]> {
  const { dialect } = session
  const checked = new Map(updates.map(({ id, changes }) => [id, checkedValues(collection, changes)]))
  const isMet = isIn(session, collection, updates[0]?.when ?? { every: [] }, foundById)
  const select = sql`select r.id, r.body from records r where ${dialect.inList('r.id', [...checked.keys()])}
      and ${isMet} order by r.id ${raw(dialect.forUpdate)}`
  return andThen(session.all(select), (rows) => {
    const found = rows.map(([id]) => Number(id))
    if (found.length === 0) return []
    const changed = rows.map(([id = null, body]) => {
      const merged = { ...parseJson<{ [field: string]: Json }>(body), ...checked.get(Number(id)) }
      return [id, ...bodyValues(collection, merged)]
    })
    const write = sql`update records set body = ${raw(dialect.jsonOf('n.body'))}, folded = ${raw(dialect.jsonOf('n.folded'))}
      from ${dialect.rowTable(changed, { id: 'integer', body: 'text', folded: 'text' })} n
      where records.collection = ${collection.name} and records.id = n.id`
    return andThen(session.run(write), () => {
      const written = new Set(found)
      return updates.flatMap(({ id }) => (written.has(id) ? [id] : []))
    })
  })
}

/** Reads the row under a lock, then writes the whole body: fields that this version does not declare are preserved. */
function updateRecord(
  session: Session,
  collection: Collection,
  { id, changes, when = { every: [] } }: Update,
): MaybePromise<number> {
  const checked = checkedValues(collection, changes)
  const select = sql`select r.body from records r where r.id = ${id}
      and ${isIn(session, collection, when, foundById)} ${raw(session.dialect.forUpdate)}`
  return andThen(session.all(select), ([row]) => {
    if (row === undefined) return 0
    const before = parseJson<{ [field: string]: Json }>(row[0])
    const [body, folded] = bodyValues(collection, { ...before, ...checked })
    return session.run(
      sql`update records set body = ${body}, folded = ${folded} where collection = ${collection.name} and id = ${id}`,
    )
  })
}

/** The body, and its folded texts for `holds`. */
function bodyValues(
  { fields }: Collection,
  values: { readonly [field: string]: Json },
): readonly [body: string, folded: string] {
  const folded: { [field: string]: string } = {}
  for (const [field, kind] of Object.entries(fields)) {
    const value = values[field]
    if (kind === 'text' && typeof value === 'string') folded[field] = fold(value)
  }
  return [jsonText(values), jsonText(folded)]
}

function ensureIndexes(session: Session, collection: Collection): MaybePromise<void> {
  const { indexed = [], unique = [], orders = [] } = collection
  const sets = [unique, orders]
  if (indexed.length === 0 && sets.every((set) => set.length === 0)) return
  const shape = `records:${collection.name}:${[indexed.join(), ...sets.map((set) => set.join('|'))].join(':')}`
  return session.ensure(shape, () => recordIndexes(session.dialect, collection))
}

/** Statements that create the indexes of a collection unless they exist. */
export function recordIndexes(dialect: Dialect, collection: Collection): readonly string[] {
  const { indexed = [], unique = [], orders = [] } = collection
  return [
    ...[...indexed.map((field) => [field]), ...orders].map((fields) =>
      createIndexText(dialect, collection, fields, { isUnique: false }),
    ),
    ...unique.map((fields) => createIndexText(dialect, collection, fields, { isUnique: true })),
  ]
}

/** The condition and the expressions must equal those of the queries, or the planner does not use the index. */
function createIndexText(
  dialect: Dialect,
  collection: Collection,
  fields: readonly string[],
  { isUnique }: { readonly isUnique: boolean },
): string {
  const columns = fields.flatMap((field) =>
    dialect.indexedField(checkedName(field), comparableKind(collection, field), { isUnique }),
  )
  const collectionName = checkedName(collection.name)
  const name = isUnique ? uniqueIndexName(collectionName, fields) : `records_by:${collectionName}:${fields.join()}`
  const list = isUnique ? columns : ['collection', ...columns, 'id']
  return `create ${isUnique ? 'unique ' : ''}index if not exists "${name}" on records (${list.join(', ')})
    where collection = '${collectionName}'`
}

/** A conflict is reported for the first of the fields; `sqliteConflict` and `postgresConflict` parse this name. */
function uniqueIndexName(collection: string, fields: readonly string[]): string {
  return `records_unique:${collection}:${fields.join(',')}`
}
