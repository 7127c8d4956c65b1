/** Lists of terms and users: a few optional conditions, one order, a window, a total. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { all, andThen } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise } from '../../contract.ts'
import type { Schema } from '../engine/schema.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Row, type Statements, type Values } from '../engine/statements.ts'

export interface Listing {
  /** Names the table and tells apart listings whose text differs in more than `shape`. */
  readonly table: 'terms' | 'users'
  readonly columns: readonly string[]
  /** JSON of whatever decides the text of `conditions`. */
  readonly shape: unknown
  readonly values: Values
  conditions(): RawBuilder<SqlBool>[]
  readonly order: { readonly column: string; readonly descending: boolean }
}

export interface Window {
  readonly offset: number
  readonly limit: number
  readonly total?: boolean
}

export function listRows<T>(
  statements: Statements,
  session: Session,
  listing: Listing,
  window: Window,
  rowOf: (row: Row) => T,
): MaybePromise<{ rows: T[]; total: number }> {
  const rows = andThen(readRows(statements, session, listing, window), (found) => found.map(rowOf))
  if (!window.total) return andThen(rows, (found) => ({ rows: found, total: 0 }))
  return andThen(all([rows, countRows(statements, session, listing)]), ([found, total]) => ({ rows: found, total }))
}

function readRows(
  statements: Statements,
  session: Session,
  listing: Listing,
  window: Window,
): MaybePromise<readonly Row[]> {
  if (window.limit <= 0) return []
  const { table, shape, order, values } = listing
  const first = values.list.length
  const statement = statements.get(`${table}.rows:${JSON.stringify([shape, order])}`, (db) =>
    selectRows(db, listing, first),
  )
  return session.all(statement, [...values.list, Math.min(window.limit, Number.MAX_SAFE_INTEGER), window.offset])
}

function countRows(statements: Statements, session: Session, listing: Listing): MaybePromise<number> {
  const { table, shape, values } = listing
  const statement = statements.get(`${table}.total:${JSON.stringify(shape)}`, (db) =>
    sql`select count(*) from ${sql.table(table)} ${whereOf(listing.conditions())}`.compile(db),
  )
  return andThen(session.all(statement, values.list), (rows) => Number(rows[0]?.[0] ?? 0))
}

function selectRows(db: Kysely<Schema>, { table, columns, conditions, order }: Listing, first: number) {
  const list = sql.join(columns.map((column) => sql.ref(`${table}.${column}`)))
  const direction = order.descending ? sql`desc` : sql`asc`
  return sql`select ${list} from ${sql.table(table)} ${whereOf(conditions())}
    order by ${sql.ref(order.column)} ${direction}, id ${direction} limit ${parameter(first)} offset ${parameter(first + 1)}`.compile(
    db,
  )
}

function whereOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}
