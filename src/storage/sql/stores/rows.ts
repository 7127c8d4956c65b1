/** Inserts, updates and removals of posts, terms and users. */
import type { StoredFields } from '../../../contract/fields/stored-field.ts'
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import type { Dialect } from '../engine/dialect.ts'
import { changedFields, columnsOf, columnValues } from '../engine/fields.ts'
import { type Fragment, joined, ref, sql } from '../engine/fragments.ts'
import type { CountedTable, Session } from '../engine/session.ts'
import { parameter, type SqlValue, type Statements } from '../engine/statements.ts'

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

interface InsertOptions {
  /** Become the ids of the rows. */
  readonly ids?: readonly number[] | undefined
  /** The table, where no row can violate uniqueness: the insert is not waited for. */
  readonly pipelined?: CountedTable | undefined
}

/** Returns the new ids, in order. */
export function insertRows(
  statements: Statements,
  session: Session,
  table: Table,
  rows: readonly object[],
  options: InsertOptions = {},
): MaybePromise<number[]> {
  if (rows.length === 0) return []
  const names = Object.keys(table.fields)
  const values = rows.map((row) => {
    changedFields(table.fields, row)
    return columnValues(table.fields, names, row)
  })
  return insertValues(statements, session, table.name, () => columnsOf(table.fields, names), values, options)
}

/** Inserts rows of these columns, which are asked for once. */
export function insertValues(
  statements: Statements,
  session: Session,
  table: string,
  columns: () => readonly string[],
  rows: readonly (readonly SqlValue[])[],
  { ids, pipelined }: InsertOptions,
): MaybePromise<number[]> {
  if (ids !== undefined) {
    const withIds = rowsWithIds(rows, ids)
    const statement = statements.get(`${table}.insert-ids`, () =>
      insertStatement(statements.dialect, table, [...columns(), 'id']),
    )
    return session.atomic((transaction) =>
      andThen(transaction.insert(statement, withIds), (inserted) =>
        andThen(advanceIds(statements, transaction, table), () => inserted),
      ),
    )
  }
  const statement = statements.get(`${table}.insert`, () => insertStatement(statements.dialect, table, columns()))
  const sent = pipelined && session.pipeline?.insert(statement, rows, pipelined)
  if (sent !== undefined) return sent
  if (rows.length === 1) return session.insert(statement, rows)
  // A savepoint would copy each page that the rows change.
  if (!session.isAsync) return session.insert(statement, rows, removal(statements, table))
  return session.atomic((transaction) => transaction.insert(statement, rows))
}

function rowsWithIds(rows: readonly (readonly SqlValue[])[], ids: readonly number[]): SqlValue[][] {
  if (ids.length !== rows.length) throw new TypeError('there must be one id for each row')
  return rows.map((values, index) => {
    const id = ids[index] as number
    if (!Number.isSafeInteger(id) || id < 1) throw new TypeError(`${id} is no id`)
    return [...values, id]
  })
}

function advanceIds(statements: Statements, session: Session, table: string): MaybePromise<unknown> {
  const { advanceIds: advance } = statements.dialect
  if (advance === undefined) return undefined
  const statement = statements.get(`${table}.advance-ids`, () => advance(sql`${ref(table)}`))
  return session.run(statement, [])
}

/**
 * Returns the ids of the rows that exist and match `when`, in order. `isSure`: they do, and no row can violate uniqueness.
 */
export function updateRows(
  statements: Statements,
  session: Session,
  table: Table,
  updates: readonly RowUpdate[],
  { isSure = false } = {},
): MaybePromise<number[]> {
  if (updates.length === 0) return []
  const update = (transaction: Session) =>
    applyUpdates(updates, (rowUpdate) => updateRow(statements, transaction, table, rowUpdate, isSure))
  return updates.length === 1 ? update(session) : session.atomic(update)
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

export function removeRows(
  statements: Statements,
  session: Session,
  table: Table,
  ids: readonly number[],
): MaybePromise<void> {
  const [only] = ids
  if (only === undefined) return
  const removed =
    ids.length === 1
      ? session.run(removalOfOne(statements, table.name), [only])
      : session.run(removal(statements, table.name), [JSON.stringify(ids)])
  return andThen(removed, () => undefined)
}

const removalOfOne = (statements: Statements, table: string) =>
  statements.get(`${table}.remove-one`, () => sql`delete from ${ref(table)} where id = ${parameter(0)}`)

const removal = (statements: Statements, table: string) =>
  statements.get(
    `${table}.remove`,
    () => sql`delete from ${ref(table)} where ${statements.dialect.inList(sql`id`, 0, 'integer')}`,
  )

function updateRow(
  statements: Statements,
  session: Session,
  table: Table,
  { id, changes, when }: RowUpdate,
  isSure: boolean,
): MaybePromise<number> {
  const names = changedFields(table.fields, changes)
  const conditions = when === undefined ? [] : conditionColumns.filter((name) => when[name] !== undefined)
  const values = [id, ...conditions.map((name) => when?.[name] ?? null), ...columnValues(table.fields, names, changes)]
  const shape = `${table.name}.update:${names.join()}:${conditions.join()}`
  const statement = statements.get(shape, () => updateStatement(statements.dialect, table, names, conditions))
  const { pipeline } = session
  return isSure && pipeline ? andThen(pipeline.run(statement, values, 1), () => 1) : session.run(statement, values)
}

const conditionColumns = ['version', 'status'] as const

function insertStatement({ oneRow }: Dialect, name: string, columns: readonly string[]): Fragment {
  const list = joined(
    columns.map((column) => ref(column)),
    ', ',
  )
  const values = joined(
    columns.map((_, at) => parameter(at)),
    ', ',
  )
  return sql`${oneRow.insertInto} ${ref(name)} (${list}) values (${values})`
}

function updateStatement(
  { oneRow }: Dialect,
  { name, fields, hasVersion }: Table,
  names: readonly string[],
  conditions: readonly string[],
): Fragment {
  const first = 1 + conditions.length
  const sets = columnsOf(fields, names).map((column, at) => sql`${ref(column)} = ${parameter(first + at)}`)
  if (hasVersion) sets.push(sql`version = version + 1`)
  // An update without changes still has to report whether the row exists.
  if (sets.length === 0) sets.push(sql`id = id`)
  const where = [
    sql`id = ${parameter(0)}`,
    ...conditions.map((column, at) => sql`${ref(column)} = ${parameter(1 + at)}`),
  ]
  return sql`${oneRow.update} ${ref(name)} set ${joined(sets, ', ')} where ${joined(where, ' and ')}`
}
