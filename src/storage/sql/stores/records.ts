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
import { type Fragment, joined, literal, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Row, rowsText, type SqlValue, type Statements, Values } from '../engine/statements.ts'
import { countOnce, pageOf } from './listing.ts'
import { applyUpdates, insertValues } from './rows.ts'
import {
  checkedName,
  fieldExpression,
  isIndexed,
  orderIndex,
  partsOf,
  shapeWhere,
  type UsedIndex,
  type WhereShape,
  whereCondition,
} from './where.ts'

type Update = { readonly id: number; readonly changes: RecordValues; readonly when?: Where }

export function recordStore(statements: Statements, session: Session): RecordStore {
  return {
    query: (collection, query) => queryRecords(statements, session, collection, query),
    insert: (collection, rows, ids) => insertRecords(statements, session, collection, rows, ids),
    update: (collection, updates) => updateRecords(statements, session, collection, updates),
    remove: (collection, where) => removeRecords(statements, session, collection, where),
  }
}

function queryRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  query: RecordQuery,
): MaybePromise<{ rows: StoredRecord[]; total: number }> {
  const { dialect } = statements
  const { where = { every: [] }, order = [], offset = 0, limit = Number.MAX_SAFE_INTEGER } = query
  const values = new Values()
  const whereShape = shapeWhere(collection, where, values)
  const sorting = order.map(({ by, descending = false }) => ({ by, kind: comparableKind(collection, by), descending }))
  const shape = JSON.stringify([collection.name, whereShape, sorting])
  const index = orderIndex(collection, whereShape, sorting[0]?.by)
  const condition = () =>
    sql`r.collection = ${nameOf(collection)} and ${whereCondition(dialect, collection, whereShape, index)}`
  const first = values.list.length
  const page = pageOf(offset, limit)
  const readRows = () => {
    const statement = statements.get(
      `records.rows:${page.shape}:${shape}`,
      () =>
        sql`select r.id, r.body from records r where ${condition()}
          order by ${orderOf(dialect, collection, sorting, { where: whereShape, index })} ${page.clause(first)}`,
      'list',
    )
    return andThen(session.all(statement, [...values.list, ...page.values]), (rows) =>
      rows.map((row) => recordOf(collection, row)),
    )
  }
  const records = limit === 0 ? [] : readRows()
  if (!query.total) return andThen(records, (rows) => ({ rows, total: 0 }))
  const count = statements.get(
    `records.total:${shape}`,
    () => sql`select count(*) from records r where ${condition()}`,
    'list',
  )
  return andThen(all([records, countOnce(session, count, values.list)]), ([rows, total]) => ({ rows, total }))
}

function orderOf(
  dialect: Dialect,
  collection: Collection,
  sorting: readonly { readonly by: string; readonly kind: ScalarKind; readonly descending: boolean }[],
  { where, index }: { readonly where: WhereShape; readonly index: UsedIndex },
): Fragment {
  // Where an index finds the rows of a value, a scan of all rows in order would be slower.
  const isSelective = index === undefined && hasIndexedValue(collection, where)
  // The index of a unique field has no order by id.
  const isUnique = index === undefined && hasUniqueValue(collection, where)
  const idInOrder = isUnique ? dialect.unindexed(sql`r.id`) : sql`r.id`
  const terms = sorting.map(({ by, kind, descending }) => {
    if (by === 'id') return sql`${idInOrder} ${descending ? sql`desc` : sql`asc`}`
    const field = fieldExpression(dialect, collection, by)
    const direction = descending ? sql`desc nulls last` : sql`asc nulls first`
    if (isSelective) return sql`${dialect.unindexed(field)} ${direction}`
    const hasIndex = index?.at(-1) === by || isIndexed(collection, by)
    const keys = kind === 'text' && hasIndex ? dialect.textOrder(field) : [field]
    return joined(
      keys.map((key) => sql`${key} ${direction}`),
      ', ',
    )
  })
  if (sorting.some(({ by }) => by === 'id')) return joined(terms, ', ')
  if (sorting.length > 0) return joined([...terms, sql`r.id asc`], ', ')
  // The order by id alone would lead to a scan of all rows by their ids.
  const isShort = index !== undefined || (isSelective && collection.orders !== undefined)
  return sql`${isShort ? dialect.unindexed(sql`r.id`) : idInOrder} asc`
}

function hasIndexedValue(collection: Collection, where: WhereShape): boolean {
  return partsOf(where).some(
    (part) => ('is' in part || 'in' in part) && (part.field === 'id' || isIndexed(collection, part.field)),
  )
}

const hasUniqueValue = ({ unique = [] }: Collection, where: WhereShape): boolean =>
  partsOf(where).some((part) => 'is' in part && unique.some(([first]) => first === part.field))

function recordOf(collection: Collection, [id, body]: Row): StoredRecord {
  return storedRecord(collection, id, parseJson<{ [field: string]: Json }>(body))
}

function insertRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  rows: readonly RecordValues[],
  ids?: readonly number[],
): MaybePromise<number[]> {
  if (rows.length === 0) return []
  const bodies = rows.map((row) => bodyValues(collection, checkedValues(collection, row)))
  return andThen(ensureIndexes(statements, session, collection), () =>
    insertValues(statements, session, 'records', () => ['body', 'folded', 'collection'], bodies, {
      ids,
      pipelined: mayConflict(collection, rows) ? undefined : 'records',
    }),
  )
}

/** A unique set with a null equals no other. */
const mayConflict = ({ unique = [] }: Collection, rows: readonly RecordValues[]) =>
  unique.some((fields) => rows.some((row) => fields.every((field) => (row[field] ?? null) !== null)))

function updateRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  updates: readonly Update[],
): MaybePromise<number[]> {
  if (updates.length === 0) return []
  const update = (transaction: Session) =>
    isOneBatch(updates)
      ? updateBatch(statements, transaction, collection, updates)
      : applyUpdates(updates, (recordUpdate) => updateRecord(statements, transaction, collection, recordUpdate))
  return andThen(ensureIndexes(statements, session, collection), () => session.atomic(update))
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
function updateBatch(
  statements: Statements,
  session: Session,
  collection: Collection,
  updates: readonly Update[],
): MaybePromise<number[]> {
  const { dialect } = statements
  const checked = new Map(updates.map(({ id, changes }) => [id, checkedValues(collection, changes)]))
  const values = new Values()
  const ids = values.addList([...checked.keys()])
  const shape = shapeWhere(collection, updates[0]?.when ?? { every: [] }, values)
  const select = statements.get(
    `records.when-batch:${JSON.stringify([collection.name, shape])}`,
    () =>
      sql`select r.id, r.body from records r where ${dialect.inList(sql`r.id`, ids, 'integer')} and r.collection = ${nameOf(collection)}
      and ${whereCondition(dialect, collection, shape, foundById)} order by r.id ${dialect.forUpdate}`,
  )
  const write = statements.get(
    'records.update-batch',
    () =>
      sql`update records set body = ${dialect.jsonOf(sql`n.body`)}, folded = ${dialect.jsonOf(sql`n.folded`)}
      from ${dialect.rowTable(0, { id: 'integer', body: 'text', folded: 'text' })} n
      where records.collection = ${parameter(1)} and records.id = n.id`,
  )
  return andThen(session.all(select, values.list), (rows) => {
    const found = rows.map(([id]) => Number(id))
    if (found.length === 0) return []
    const changed = rows.map(([id = null, body]) => {
      const merged = { ...parseJson<{ [field: string]: Json }>(body), ...checked.get(Number(id)) }
      const [text = null, folded = null] = bodyValues(collection, merged)
      return [id, text, folded]
    })
    return andThen(session.run(write, [rowsText(changed), collection.name]), () => {
      const written = new Set(found)
      return updates.flatMap(({ id }) => (written.has(id) ? [id] : []))
    })
  })
}

/** Reads the row under a lock, then writes the whole body: fields that this version does not declare are preserved. */
function updateRecord(
  statements: Statements,
  session: Session,
  collection: Collection,
  { id, changes, when = { every: [] } }: Update,
): MaybePromise<number> {
  const checked = checkedValues(collection, changes)
  const values = new Values()
  const idIndex = values.add(id)
  const shape = shapeWhere(collection, when, values)
  const select = statements.get(
    `records.when:${JSON.stringify([collection.name, shape])}`,
    () =>
      sql`select r.body from records r where r.id = ${parameter(idIndex)} and r.collection = ${nameOf(collection)}
      and ${whereCondition(statements.dialect, collection, shape, foundById)} ${statements.dialect.forUpdate}`,
  )
  const write = statements.get(
    'records.update',
    () =>
      sql`update records set body = ${parameter(0)}, folded = ${parameter(1)} where collection = ${parameter(2)} and id = ${parameter(3)}`,
  )
  return andThen(session.all(select, values.list), ([row]) => {
    if (row === undefined) return 0
    const before = parseJson<{ [field: string]: Json }>(row[0])
    return session.run(write, [...bodyValues(collection, { ...before, ...checked }), id])
  })
}

function removeRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  where: Where,
): MaybePromise<number> {
  const values = new Values()
  const shape = shapeWhere(collection, where, values)
  const statement = statements.get(
    `records.remove:${JSON.stringify([collection.name, shape])}`,
    () =>
      sql`delete from records as r where r.collection = ${nameOf(collection)}
      and ${whereCondition(statements.dialect, collection, shape)}`,
  )
  return session.run(statement, values.list)
}

/** The body, its folded texts for `holds`, and the collection. */
function bodyValues(collection: Collection, values: { readonly [field: string]: Json }): SqlValue[] {
  const folded: { [field: string]: string } = {}
  for (const [field, kind] of Object.entries(collection.fields)) {
    const value = values[field]
    if (kind === 'text' && typeof value === 'string') folded[field] = fold(value)
  }
  return [jsonText(values), jsonText(folded), collection.name]
}

function ensureIndexes(statements: Statements, session: Session, collection: Collection): MaybePromise<void> {
  const { indexed = [], unique = [], orders = [] } = collection
  const sets = [unique, orders]
  if (indexed.length === 0 && sets.every((set) => set.length === 0)) return
  const shape = `records:${collection.name}:${[indexed.join(), ...sets.map((set) => set.join('|'))].join(':')}`
  return session.ensure(shape, () => recordIndexes(statements.dialect, collection))
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

/** A literal, because a partial index serves only a condition with a literal. */
const nameOf = ({ name }: Collection): Fragment => literal(checkedName(name))
