/** Lists of terms and users: optional conditions, one order, a page, a total. */
import { createHash } from 'node:crypto'
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Paging } from '../../../contract/storage.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { countOf, type Fragment, limitOf, type Row, raw, some, sql, where } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'

/** That the column has one of the values; no condition if they are absent. */
export const isOneOf = (
  dialect: Dialect,
  column: string,
  values: readonly (number | string)[] | undefined,
): readonly Fragment[] => (values === undefined ? [] : [dialect.inList(column, values)])

/** That the row has none of the ids; no condition if they are absent. */
export const hasNoneOf = (dialect: Dialect, ids: readonly number[] = []): readonly Fragment[] =>
  ids.length === 0 ? [] : [sql`not ${dialect.inList('id', ids)}`]

/** Names the column of each field. */
type FieldColumns = { readonly [field: string]: string }

function columnNamed(columns: FieldColumns, field: string): string {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined
  if (column === undefined) throw new TypeError(`unknown field ${field}`)
  return column
}

/** That one of the columns of the fields contains the text. */
export const containsIn = (
  dialect: Dialect,
  columns: FieldColumns,
  { fields, text }: { readonly fields: readonly string[]; readonly text: string },
): Fragment => some(fields.map((field) => dialect.contains(columnNamed(columns, field), text)))

export interface ListOrder {
  readonly by: string
  readonly descending: boolean
}

/** The order of the values of a list. */
export interface PlaceOrder {
  readonly column: string
  readonly values: readonly (number | string)[]
  readonly type: ListType
}

interface List<T> {
  readonly name: 'terms' | 'users'
  /** Reads its rows. */
  readonly reader: { readonly columns: readonly string[]; read(row: Row): T }
  /** The column of each order. */
  readonly orders: FieldColumns
  /** The order columns of which an index may store prefixes only. */
  readonly longTexts: readonly string[]
  /** Columns that are not stored. */
  readonly computed?: FieldColumns
}

export function listRows<T>(
  session: Session,
  list: List<T>,
  conditions: readonly Fragment[],
  { order, offset, limit, total }: Paging & { readonly order: ListOrder | PlaceOrder },
): MaybePromise<{ rows: T[]; total: number }> {
  const { name, reader, computed = {} } = list
  const orderBy = 'values' in order ? placeOrder(session.dialect, order) : columnOrder(session.dialect, list, order)
  const columns = reader.columns.map((column) => computed[column] ?? `${name}.${column}`)
  const from = sql`from ${raw(name)}${where(conditions)}`
  const select = sql`select ${raw(columns.join(', '))} ${from} order by ${orderBy} ${pageOf(session.dialect, offset, limit)}`
  const rows = limit <= 0 ? [] : andThen(session.all(select, 'list'), (found) => found.map(reader.read))
  if (!total) return andThen(rows, (found) => ({ rows: found, total: 0 }))
  const count = countOnce(session, sql`select count(*) ${from}`)
  return andThen(all([rows, count]), ([found, counted]) => ({ rows: found, total: counted }))
}

/** A server that reads in a text how many rows are wanted plans the statement once, and not with each use. */
export function pageOf(dialect: Dialect, offset: number, limit: number): Fragment {
  if (offset === 0 && limit === Number.MAX_SAFE_INTEGER) return raw('')
  if (offset === 0 && limit === 1) return raw('limit 1')
  return sql`limit ${limitOf(dialect, limit)} offset ${offset}`
}

function columnOrder(
  dialect: Dialect,
  { orders, longTexts, computed = {} }: List<unknown>,
  { by, descending }: ListOrder,
): Fragment {
  const name = columnNamed(orders, by)
  const column = computed[name] ?? name
  const terms = longTexts.includes(name) ? dialect.textOrder(column) : [column]
  return raw([...terms, 'id'].map((term) => `${term} ${descending ? 'desc' : 'asc'}`).join(', '))
}

/** A repeated value counts where it comes first. */
const placeOrder = ({ listTable }: Dialect, { column, values, type }: PlaceOrder): Fragment =>
  sql`(select min(o.ordinal) from ${listTable(values, type)} o where o.value = ${raw(column)}), id`

/** Between two writes, no list is counted again for its next page; with `types`, as those of `Session.cached`, between two writes to them. */
export function countOnce(session: Session, counting: Fragment, types?: readonly string[]): MaybePromise<number> {
  const count = () => andThen(session.all(counting, 'list'), countOf)
  if (session.cached === undefined) return count()
  return session.cached(keyOf(counting), count, types)
}

/** A query may have a long list of ids, of which each is another key: the cache holds the digest of a long key. */
export function keyOf({ text, values }: Fragment): string {
  const key = `${text} ${JSON.stringify(values)}`
  return key.length <= 4000 ? key : createHash('sha256').update(key).digest('base64url')
}
