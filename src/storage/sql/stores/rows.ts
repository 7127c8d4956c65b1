/** Inserts, updates and removals of posts, terms and users. */
import { equalJson } from '../../../contract/equal-json.ts'
import type { StoredFields } from '../../../contract/fields/stored-field.ts'
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import { versionOfGivenId } from '../../post-rules.ts'
import type { Dialect } from '../engine/dialect.ts'
import { changedFields, columnsOf, columnValues } from '../engine/fields.ts'
import { type Fragment, raw, type SqlValue, sql } from '../engine/fragments.ts'
import type { Insertion, InsertOptions, Session } from '../engine/session.ts'

export interface Table {
  readonly name: 'posts' | 'terms' | 'users'
  readonly fields: StoredFields
  /** True for a table whose version column each update increments. */
  readonly hasVersion?: boolean
}

interface RowUpdate {
  readonly id: number
  readonly changes: object
  readonly when?: { readonly version?: number; readonly status?: string }
}

interface RowOptions extends Pick<InsertOptions, 'isSure'> {
  /** Become the ids of the rows. */
  readonly ids?: readonly number[] | undefined
}

/** Returns the new ids, in order. */
export function insertRows(
  session: Session,
  { name, fields, hasVersion = false }: Table,
  rows: readonly object[],
  options: RowOptions = {},
): MaybePromise<number[]> {
  if (rows.length === 0) return []
  const names = Object.keys(fields)
  const values = rows.map((row) => {
    changedFields(fields, row)
    return columnValues(fields, names, row)
  })
  const insertion = { table: name, columns: columnsOf(fields, names), rows: values }
  const { ids } = options
  return insertValues(session, ids !== undefined && hasVersion ? withVersion(insertion) : insertion, options)
}

const withVersion = ({ columns, rows, ...insertion }: Insertion): Insertion => {
  const version = versionOfGivenId()
  return { ...insertion, columns: [...columns, 'version'], rows: rows.map((values) => [...values, version]) }
}

export function insertValues(
  session: Session,
  insertion: Insertion,
  { ids, isSure = false }: RowOptions,
): MaybePromise<number[]> {
  if (ids !== undefined) return insertWithIds(session, insertion, ids)
  // On SQLite a savepoint would copy each page that the rows change.
  const undo = (added: readonly number[]) => removal(session.dialect, insertion.table, added)
  if (isSure || !session.isAsync || insertion.rows.length === 1) return session.insert(insertion, { isSure, undo })
  return session.atomic((transaction) => transaction.insert(insertion))
}

function insertWithIds(
  session: Session,
  { table, columns, rows }: Insertion,
  ids: readonly number[],
): MaybePromise<number[]> {
  if (ids.length !== rows.length) throw new TypeError('there must be one id for each row')
  const withIds = rows.map((values, index): SqlValue[] => {
    const id = ids[index] as number
    if (!Number.isSafeInteger(id) || id < 1) throw new TypeError(`${id} is no id`)
    return [...values, id]
  })
  return session.atomic((transaction) =>
    andThen(transaction.insert({ table, columns: [...columns, 'id'], rows: withIds }), (inserted) => {
      const advance = transaction.dialect.advanceIds?.(table)
      return andThen(advance === undefined ? 0 : transaction.run(raw(advance)), () => inserted)
    }),
  )
}

/**
 * Returns the ids of the rows that exist and match `when`, in order. `isSure`: they do, and no row can violate uniqueness.
 */
export function updateRows(
  session: Session,
  table: Table,
  updates: readonly RowUpdate[],
  { isSure = false } = {},
): MaybePromise<number[]> {
  if (updates.length === 0) return []
  const update = (transaction: Session) =>
    areAlike(updates)
      ? updateAlike(transaction, table, updates, isSure)
      : applyUpdates(updates, (rowUpdate) => updateRow(transaction, table, rowUpdate, isSure))
  return updates.length === 1 ? update(session) : session.atomic(update)
}

/** Whether several rows get the same values without a condition: one statement writes them all. */
function areAlike(updates: readonly RowUpdate[]): boolean {
  const [first] = updates
  if (first === undefined || updates.length === 1) return false
  const isLikeFirst = ({ changes, when }: RowUpdate) => when === undefined && equalJson(changes, first.changes)
  return updates.every(isLikeFirst) && new Set(updates.map(({ id }) => id)).size === updates.length
}

/** Returns the ids of the rows that exist, in order. */
function updateAlike(
  session: Session,
  table: Table,
  updates: readonly RowUpdate[],
  isSure: boolean,
): MaybePromise<number[]> {
  const ids = updates.map(({ id }) => id)
  const isListed = session.dialect.inList('id', ids)
  const sets = assignments(table, updates[0]?.changes ?? {})
  const statement = sql`update ${raw(table.name)} set ${sets} where ${isListed}`
  if (isSure) return andThen(session.send(statement, ids.length), () => ids)
  return andThen(session.run(statement), (count) => {
    if (count === ids.length) return ids
    return andThen(session.all(sql`select id from ${raw(table.name)} where ${isListed}`), (rows) => {
      const existing = new Set(rows.map(([id]) => Number(id)))
      return ids.filter((id) => existing.has(id))
    })
  })
}

/** Applies the updates in order; returns the ids of those that changed a row. */
export function applyUpdates<Update extends { readonly id: number }>(
  updates: readonly Update[],
  apply: (update: Update) => MaybePromise<number>,
): MaybePromise<number[]> {
  return andThen(sequence(updates, apply), (counts) =>
    updates.filter((_, at) => (counts[at] ?? 0) > 0).map(({ id }) => id),
  )
}

function updateRow(session: Session, table: Table, update: RowUpdate, isSure: boolean): MaybePromise<number> {
  const statement = updateStatement(session.dialect, table, update)
  return isSure ? andThen(session.send(statement, 1), () => 1) : session.run(statement)
}

const conditionColumns = ['version', 'status'] as const

function updateStatement({ oneRow }: Dialect, table: Table, { id, changes, when }: RowUpdate): Fragment {
  const { text, values } = assignments(table, changes)
  const isOld = conditionColumns.filter((column) => when?.[column] !== undefined)
  const conditions = ['id', ...isOld].map((column) => `${column} = ?`)
  return {
    text: `${oneRow.update} ${table.name} set ${text} where ${conditions.join(' and ')}`,
    values: [...values, id, ...isOld.map((column) => when?.[column] ?? null)],
  }
}

function assignments({ fields, hasVersion }: Table, changes: object): Fragment {
  const names = changedFields(fields, changes)
  const columns = columnsOf(fields, names)
  const text = setTexts.get(columns) ?? setText(columns, hasVersion)
  setTexts.set(columns, text)
  return { text, values: columnValues(fields, names, changes) }
}

/** By the list of columns, which belongs to one table. */
const setTexts = new WeakMap<readonly string[], string>()

function setText(columns: readonly string[], hasVersion = false): string {
  const sets = columns.map((column) => `"${column}" = ?`)
  if (hasVersion) sets.push('version = version + 1')
  // An update without changes still has to report whether the row exists.
  return sets.length === 0 ? 'id = id' : sets.join(', ')
}

export function removeRows(session: Session, { name }: Table, ids: readonly number[]): MaybePromise<void> {
  if (ids.length === 0) return
  return andThen(session.run(removal(session.dialect, name, ids)), () => undefined)
}

const removal = (dialect: Dialect, table: string, ids: readonly number[]): Fragment =>
  sql`delete from ${raw(table)} where ${dialect.inList('id', ids)}`
