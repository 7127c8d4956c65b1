/** Lists of terms and users: optional conditions, one order, a page, a total. */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { all, andThen } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise, Paging } from '../../contract.ts'
import { type Condition, or } from '../engine/conditions.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { rowColumns, rowObject } from '../engine/fields.ts'
import type { Schema } from '../engine/schema.ts'
import type { Session } from '../engine/session.ts'
import { countOf, limitValue, parameter, type Row, type Statements, Values } from '../engine/statements.ts'
import type { Table } from './rows.ts'

/** The conditions of one query. The names of those present are the shape of its statements. */
export class ListConditions {
  readonly shape: string[] = []
  readonly values = new Values()
  readonly #dialect: Dialect
  readonly #builders: (() => Condition)[] = []

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** `build` runs only if the statement is not cached; `shape` must determine its text. */
  add(shape: string, build: () => Condition): void {
    this.shape.push(shape)
    this.#builders.push(build)
  }

  /** That the column has one of the values; no condition if they are absent. */
  inList(column: string, values: readonly (number | string)[] | undefined, type: ListType): void {
    if (values === undefined) return
    const [value] = values
    if (value !== undefined && values.length === 1) {
      // An equation: an index on the column then has the rows in the order of its next columns.
      const index = this.values.add(value)
      this.add(`${column} =`, () => sql`${sql.ref(column)} = ${parameter(index)}`)
      return
    }
    const index = this.values.addList(values)
    this.add(column, () => this.#dialect.inList(sql.ref(column), index, type))
  }

  /** That the column has none of the values; no condition if they are absent. */
  notInList(column: string, values: readonly number[] | undefined): void {
    if (values === undefined || values.length === 0) return
    const index = this.values.addList(values)
    this.add(`not ${column}`, () => sql`not ${this.#dialect.inList(sql.ref(column), index, 'integer')}`)
  }

  /** That one of the folded columns contains the text; no condition if it is absent. */
  contains(columns: readonly string[], text: string | undefined): void {
    if (text === undefined) return
    const index = this.values.add(text)
    this.add(`contains ${columns.join()}`, () =>
      or(columns.map((column) => this.#dialect.contains(sql.ref(column), parameter(index)))),
    )
  }

  build(): Condition[] {
    return this.#builders.map((build) => build())
  }
}

interface ListOrder {
  readonly by: string
  readonly descending: boolean
}

interface List extends Table {
  readonly name: 'terms' | 'users'
  /** The column of each order. */
  readonly orders: { readonly [by: string]: string }
  /** Those of the order columns of which an index may store prefixes only. */
  readonly longTexts?: readonly string[]
}

export function listRows<T>(
  statements: Statements,
  session: Session,
  list: List,
  conditions: ListConditions,
  query: Paging & { readonly order: ListOrder },
): MaybePromise<{ rows: T[]; total: number }> {
  // The cast: the schema types the columns of the table.
  const objects = andThen(readRows(statements, session, list, conditions, query), (rows) =>
    rows.map((row) => rowObject(list.fields, row) as T),
  )
  if (!query.total) return andThen(objects, (rows) => ({ rows, total: 0 }))
  return andThen(all([objects, countRows(statements, session, list, conditions)]), ([rows, total]) => ({ rows, total }))
}

function readRows(
  statements: Statements,
  session: Session,
  list: List,
  conditions: ListConditions,
  { order, offset, limit }: Paging & { readonly order: ListOrder },
): MaybePromise<readonly Row[]> {
  const column = list.orders[order.by]
  if (column === undefined) throw new TypeError(`unknown field ${order.by}`)
  if (limit <= 0) return []
  const { shape, values } = conditions
  const direction = order.descending ? 'desc' : 'asc'
  const statement = statements.get(`${list.name}.rows:${JSON.stringify([shape, column, direction])}`, (db) =>
    selectRows(db, list, { conditions, dialect: statements.dialect }, { column, direction }),
  )
  return session.all(statement, [...values.list, limitValue(limit), offset])
}

function countRows(
  statements: Statements,
  session: Session,
  { name }: List,
  conditions: ListConditions,
): MaybePromise<number> {
  const statement = statements.get(`${name}.total:${JSON.stringify(conditions.shape)}`, (db) =>
    sql`select count(*) from ${sql.table(name)} ${whereClause(conditions.build())}`.compile(db),
  )
  return andThen(session.all(statement, conditions.values.list), countOf)
}

function selectRows(
  db: Kysely<Schema>,
  { name, fields, longTexts = [] }: List,
  { conditions, dialect }: { readonly conditions: ListConditions; readonly dialect: Dialect },
  order: { readonly column: string; readonly direction: 'asc' | 'desc' },
): CompiledQuery {
  const columns = sql.join(rowColumns(fields).map((column) => sql.ref(`${name}.${column}`)))
  const direction = sql.raw(order.direction)
  const column = sql.ref(order.column)
  const terms = longTexts.includes(order.column) ? dialect.textOrder(column) : [column]
  const orderBy = sql.join([...terms, sql.ref('id')].map((term) => sql`${term} ${direction}`))
  const first = conditions.values.list.length
  return sql`select ${columns} from ${sql.table(name)} ${whereClause(conditions.build())}
    order by ${orderBy} limit ${parameter(first)} offset ${parameter(first + 1)}`.compile(db)
}

function whereClause(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}
