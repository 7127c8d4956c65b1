/** Lists of terms and users: optional conditions, one order, a page, a total. */
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Paging } from '../../../contract/storage.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { type Fragment, joined, raw, ref, some, sql, where } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import {
  countOf,
  limitValue,
  parameter,
  type Row,
  type SqlValue,
  type Statement,
  type Statements,
  Values,
} from '../engine/statements.ts'
import type { Table } from './rows.ts'

/** The conditions of one query. The names of those present are the shape of its statements. */
export class ListConditions {
  readonly shape: string[] = []
  readonly values = new Values()
  readonly #dialect: Dialect
  readonly #builders: (() => Fragment)[] = []

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** `build` runs only if the statement is not cached; `shape` must determine its text. */
  add(shape: string, build: () => Fragment): void {
    this.shape.push(shape)
    this.#builders.push(build)
  }

  /** That the column has one of the values; no condition if they are absent. */
  inList(
    column: string,
    values: readonly (number | string)[] | undefined,
    type: ListType,
    /** No index on the column serves the query: other conditions find fewer rows. */
    { isUnindexed = false } = {},
  ): void {
    if (values === undefined) return
    if (isUnindexed) {
      const index = this.values.addList(values)
      const build = () => this.#dialect.inList(this.#dialect.unindexed(ref(column)), index, type)
      this.add(`unindexed ${column}`, build)
      return
    }
    const [value] = values
    if (value !== undefined && values.length === 1) {
      // An equation: an index on the column then has the rows in the order of its next columns.
      const index = this.values.add(value)
      this.add(`${column} =`, () => sql`${ref(column)} = ${parameter(index)}`)
      return
    }
    const index = this.values.addList(values)
    this.add(column, () => this.#dialect.inList(ref(column), index, type))
  }

  /** That the row has none of the ids; no condition if they are absent. */
  notInList(column: 'id', values: readonly number[] | undefined): void {
    if (values === undefined || values.length === 0) return
    const index = this.values.addList(values)
    this.add(`not ${column}`, () => sql`not ${this.#dialect.inList(ref(column), index, 'integer')}`)
  }

  /** That one of the folded columns contains the text; no condition if it is absent. */
  contains(columns: readonly string[], text: string | undefined): void {
    if (text === undefined) return
    const index = this.values.add(text)
    this.add(`contains ${columns.join()}`, () => some(columns.map((column) => this.containing(column, index))))
  }

  /** That the folded column contains the text with this index. */
  containing(column: string, index: number): Fragment {
    return this.#dialect.contains(ref(column), parameter(index))
  }

  build(): Fragment[] {
    return this.#builders.map((build) => build())
  }
}

export interface ListOrder {
  readonly by: string
  readonly descending: boolean
}

interface List<T> extends Table {
  readonly name: 'terms' | 'users'
  /** Reads its rows. */
  readonly reader: { readonly columns: readonly string[]; read(row: Row): T }
  /** The column of each order. */
  readonly orders: { readonly [by: string]: string }
  /** The order columns of which an index may store prefixes only. */
  readonly longTexts?: readonly string[]
  /** Columns that are not stored. */
  readonly computed?: { readonly [column: string]: Fragment }
}

/** The order of the values of a list parameter. */
export interface PlaceOrder {
  readonly column: string
  readonly list: number
  readonly type: ListType
}

export function listRows<T>(
  statements: Statements,
  session: Session,
  list: List<T>,
  conditions: ListConditions,
  query: Paging & { readonly order: ListOrder | PlaceOrder },
): MaybePromise<{ rows: T[]; total: number }> {
  const objects = andThen(readRows(statements, session, list, conditions, query), (rows) => rows.map(list.reader.read))
  if (!query.total) return andThen(objects, (rows) => ({ rows, total: 0 }))
  return andThen(all([objects, countRows(statements, session, list, conditions)]), ([rows, total]) => ({ rows, total }))
}

function readRows(
  statements: Statements,
  session: Session,
  list: List<unknown>,
  conditions: ListConditions,
  { order, offset, limit }: Paging & { readonly order: ListOrder | PlaceOrder },
): MaybePromise<readonly Row[]> {
  const { shape, values } = conditions
  const orderBy = 'list' in order ? placeOrder(statements.dialect, order) : columnOrder(statements.dialect, list, order)
  if (limit <= 0) return []
  const page = pageOf(offset, limit)
  const statement = statements.get(
    `${list.name}.rows:${JSON.stringify([shape, order, page.shape])}`,
    () => selectRows(list, conditions, orderBy, page),
    'list',
  )
  return session.all(statement, [...values.list, ...page.values])
}

interface Page {
  readonly shape: 'all' | 'first' | 'page'
  readonly values: readonly SqlValue[]
  /** `first` is the index of the first of its values. */
  clause(first: number): Fragment
}

/** A server that reads in a text how many rows are wanted plans the statement once, and not with each use. */
export function pageOf(offset: number, limit: number): Page {
  if (offset === 0 && limit === Number.MAX_SAFE_INTEGER) return { shape: 'all', values: [], clause: () => sql`` }
  if (offset === 0 && limit === 1) return { shape: 'first', values: [], clause: () => sql`limit 1` }
  const clause = (first: number) => sql`limit ${parameter(first)} offset ${parameter(first + 1)}`
  return { shape: 'page', values: [limitValue(limit), offset], clause }
}

function columnOrder(
  dialect: Dialect,
  { orders, longTexts = [], computed = {} }: List<unknown>,
  { by, descending }: ListOrder,
): Fragment {
  const name = Object.hasOwn(orders, by) ? orders[by] : undefined
  if (name === undefined) throw new TypeError(`unknown field ${by}`)
  const direction = raw(descending ? 'desc' : 'asc')
  const column = computed[name] ?? ref(name)
  const terms = longTexts.includes(name) ? dialect.textOrder(column) : [column]
  return joined(
    [...terms, ref('id')].map((term) => sql`${term} ${direction}`),
    ', ',
  )
}

/** A repeated value counts where it comes first. */
const placeOrder = (dialect: Dialect, { column, list, type }: PlaceOrder): Fragment =>
  sql`(select min(o.ordinal) from ${dialect.listTable(list, type)} o where o.value = ${ref(column)}), id`

function countRows(
  statements: Statements,
  session: Session,
  { name }: List<unknown>,
  conditions: ListConditions,
): MaybePromise<number> {
  const statement = statements.get(
    `${name}.total:${JSON.stringify(conditions.shape)}`,
    () => sql`select count(*) from ${ref(name)}${where(conditions.build())}`,
    'list',
  )
  return countOnce(session, statement, conditions.values.list)
}

/** Between two writes, no list is counted again for its next page. */
export function countOnce(session: Session, statement: Statement, values: readonly SqlValue[]): MaybePromise<number> {
  const count = () => andThen(session.all(statement, values), countOf)
  return session.cached === undefined ? count() : session.cached(`${statement.sql} ${JSON.stringify(values)}`, count)
}

function selectRows(
  { name, reader, computed = {} }: List<unknown>,
  conditions: ListConditions,
  orderBy: Fragment,
  page: Page,
): Fragment {
  const columns = joined(
    reader.columns.map((column) => computed[column] ?? ref(`${name}.${column}`)),
    ', ',
  )
  const first = conditions.values.list.length
  return sql`select ${columns} from ${ref(name)}${where(conditions.build())}
    order by ${orderBy} ${page.clause(first)}`
}
