/**
 * Records in SQL: one table, a JSON body each. The indexes and uniqueness that a collection declares are indexes over its
 * own rows, made before its first write.
 */

import { type RawBuilder, sql } from 'kysely'
import { all, andThen, sequence } from '../../../core/runtime/maybe-promise.ts'
import { fold } from '../../../site/text-fold.ts'
import type {
  Collection,
  Json,
  MaybePromise,
  RecordQuery,
  RecordStore,
  RecordValues,
  StoredRecord,
  Where,
} from '../../contract.ts'
import { checkedKind, comparableKind, type ScalarKind } from '../../field-kinds.ts'
import { recordIndexName } from '../sqlite/errors.ts'
import type { Dialect } from '../engine/dialect.ts'
import { jsonText, parseJson } from '../engine/fields.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Row, type SqlValue, type Statements, Values } from '../engine/statements.ts'
import { fieldExpression, isIndexed, plainName, shapeWhere, type WhereShape, whereCondition } from './where.ts'

type Update = { readonly id: number; readonly changes: RecordValues; readonly when?: Where }

export function recordStore(statements: Statements, session: Session): RecordStore {
  return {
    query: (collection, query) => queryRecords(statements, session, collection, query),
    insert: (collection, rows) => insertRecords(statements, session, collection, rows),
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
  const plan = shapeWhere(collection, where, values)
  const sorting = order.map(({ by, descending = false }) => ({ by, kind: comparableKind(collection, by), descending }))
  const shape = JSON.stringify([collection.name, plan, sorting])
  const condition = () => sql`r.collection = ${literal(collection)} and ${whereCondition(dialect, collection, plan)}`
  const first = values.list.length
  const statement = statements.get(`records.rows:${shape}`, (db) =>
    sql`select r.id, r.body from records r where ${condition()} order by ${orderOf(dialect, collection, sorting, plan)}
      limit ${parameter(first)} offset ${parameter(first + 1)}`.compile(db),
  )
  const window: SqlValue[] = [...values.list, Math.min(limit, Number.MAX_SAFE_INTEGER), offset]
  const rows = andThen(session.all(statement, window), (found) => found.map((row) => recordOf(collection, row)))
  if (!query.total) return andThen(rows, (found) => ({ rows: found, total: 0 }))
  const counting = statements.get(`records.total:${shape}`, (db) =>
    sql`select count(*) from records r where ${condition()}`.compile(db),
  )
  return andThen(all([rows, session.all(counting, values.list)]), ([found, counts]) => ({
    rows: found,
    total: Number(counts[0]?.[0] ?? 0),
  }))
}

function orderOf(
  dialect: Dialect,
  collection: Collection,
  sorting: readonly { readonly by: string; readonly kind: ScalarKind; readonly descending: boolean }[],
  where: WhereShape,
): RawBuilder<unknown> {
  // Where an index finds the few rows of a value, walking all rows in order would be the worse choice.
  const isFew = hasIndexedValue(collection, where)
  const terms = sorting.map(({ by, kind, descending }) => {
    const field = fieldExpression(dialect, collection, by)
    if (by === 'id') return sql`${field} ${descending ? sql`desc` : sql`asc`}`
    const direction = descending ? sql`desc nulls last` : sql`asc nulls first`
    if (isFew) return sql`${dialect.passive(field)} ${direction}`
    const keys = kind === 'text' && isIndexed(collection, by) ? dialect.textOrder(field) : [field]
    return sql.join(keys.map((key) => sql`${key} ${direction}`))
  })
  return sql.join([...terms, sql`r.id asc`])
}

function hasIndexedValue(collection: Collection, where: WhereShape): boolean {
  const parts = 'every' in where ? where.every : [where]
  return parts.some(
    (part) => ('is' in part || 'in' in part) && (part.field === 'id' || isIndexed(collection, part.field)),
  )
}

function recordOf(collection: Collection, [id, body]: Row): StoredRecord {
  const values = parseJson<{ [field: string]: Json }>(body)
  const fields = Object.keys(collection.fields).map((field) => [field, values[field] ?? null])
  // The cast: a spread of named entries loses the index signature.
  return { id, ...Object.fromEntries(fields) } as StoredRecord
}

function insertRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  rows: readonly RecordValues[],
): MaybePromise<number[]> {
  if (rows.length === 0) return []
  const written = rows.map((row) => bodyValues(collection, checkedValues(collection, row)))
  const statement = statements.get('records.insert', (db) =>
    sql`insert into records (body, folded, collection) values (${parameter(0)}, ${parameter(1)}, ${parameter(2)})`.compile(
      db,
    ),
  )
  const insert = (inside: Session) => inside.insert(statement, written)
  return andThen(ensureIndexes(statements, session, collection), () =>
    written.length === 1 ? insert(session) : session.atomic(insert),
  )
}

function updateRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  updates: readonly Update[],
): MaybePromise<number[]> {
  if (updates.length === 0) return []
  const update = (inside: Session) =>
    andThen(
      sequence(updates, (each) => updateRecord(statements, inside, collection, each)),
      (counts) => updates.filter((_, at) => (counts[at] ?? 0) > 0).map(({ id }) => id),
    )
  return andThen(ensureIndexes(statements, session, collection), () => session.atomic(update))
}

/** Reads the row under the lock of the transaction, then writes it whole: fields of later versions keep their place. */
function updateRecord(
  statements: Statements,
  session: Session,
  collection: Collection,
  { id, changes, when = { every: [] } }: Update,
): MaybePromise<number> {
  const checked = checkedValues(collection, changes)
  const values = new Values()
  const idSlot = values.add(id)
  const plan = shapeWhere(collection, when, values)
  const shape = JSON.stringify([collection.name, plan])
  const reading = statements.get(`records.when:${shape}`, (db) =>
    sql`select r.body from records r where r.id = ${parameter(idSlot)} and r.collection = ${literal(collection)}
      and ${whereCondition(statements.dialect, collection, plan)} ${statements.dialect.lock}`.compile(db),
  )
  const writing = statements.get('records.update', (db) =>
    sql`update records set body = ${parameter(0)}, folded = ${parameter(1)} where collection = ${parameter(2)} and id = ${parameter(3)}`.compile(
      db,
    ),
  )
  return andThen(session.all(reading, values.list), ([row]) => {
    if (row === undefined) return 0
    const before = parseJson<{ [field: string]: Json }>(row[0])
    return session.run(writing, [...bodyValues(collection, { ...before, ...checked }), id])
  })
}

function removeRecords(
  statements: Statements,
  session: Session,
  collection: Collection,
  where: Where,
): MaybePromise<number> {
  const values = new Values()
  const plan = shapeWhere(collection, where, values)
  const statement = statements.get(`records.remove:${JSON.stringify([collection.name, plan])}`, (db) =>
    sql`delete from records as r where r.collection = ${literal(collection)}
      and ${whereCondition(statements.dialect, collection, plan)}`.compile(db),
  )
  return session.run(statement, values.list)
}

function checkedValues(collection: Collection, given: RecordValues): { [field: string]: Json } {
  const values: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(given)) {
    const kind = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined
    if (kind === undefined) throw new TypeError(`unknown field ${field} in ${collection.name}`)
    if (value !== undefined) values[field] = checkedKind(field, kind, value)
  }
  return values
}

/** The body, its texts folded for `holds`, and the collection. */
function bodyValues(collection: Collection, values: { readonly [field: string]: Json }): SqlValue[] {
  const folded: { [field: string]: string } = {}
  for (const [field, kind] of Object.entries(collection.fields)) {
    const value = values[field]
    if (kind === 'text' && typeof value === 'string') folded[field] = fold(value)
  }
  return [jsonText(values), jsonText(folded), collection.name]
}

function ensureIndexes(statements: Statements, session: Session, collection: Collection): MaybePromise<void> {
  const { indexed = [], unique = [] } = collection
  if (indexed.length === 0 && unique.length === 0) return
  const shape = `records:${collection.name}:${indexed.join()}:${unique.join('|')}`
  return session.ensure(shape, () => recordIndexes(statements.dialect, collection))
}

/** The statements that make what a collection declares. */
export function recordIndexes(dialect: Dialect, collection: Collection): string[] {
  const { indexed = [], unique = [] } = collection
  return [
    ...indexed.map((field) => indexText(dialect, collection, [field], { isUnique: false })),
    ...unique.map((fields) => indexText(dialect, collection, fields, { isUnique: true })),
  ]
}

/** The condition and the expressions are those of the queries, word for word, or the planner would not use the index. */
function indexText(
  dialect: Dialect,
  collection: Collection,
  fields: readonly string[],
  { isUnique }: { readonly isUnique: boolean },
): string {
  const columns = fields.flatMap((field) =>
    dialect.indexedField(plainName(field), comparableKind(collection, field), { isUnique }),
  )
  const collectionName = plainName(collection.name)
  const name = isUnique ? recordIndexName(collectionName, fields) : `records_by:${collectionName}:${fields.join()}`
  const list = isUnique ? columns : ['collection', ...columns, 'id']
  return `create ${isUnique ? 'unique ' : ''}index if not exists "${name}" on records (${list.join(', ')})
    where collection = '${collectionName}'`
}

/** A literal, because a partial index serves only a condition that it can read. */
function literal(collection: Collection): RawBuilder<string> {
  return sql.lit(plainName(collection.name))
}
