/** Reads pages of a view, checks values, and writes rows through a view, for all stores. */
import { type Collection, checkedValues, jsonText, type Paging } from 'site-api/storage'
import type { Session } from './session.ts'
import { column, join, raw, type Sql, sql } from './sql.ts'

/** The fields that a caller may write, by the kinds of the contract; `name` is the view, whose columns they are. */
export type View = Pick<Collection, 'name' | 'fields'>

export interface Listing {
  /** Default: all. */
  readonly columns?: Sql
  readonly from: Sql
  readonly where: Sql
  readonly order: Sql
  readonly page: Partial<Paging>
}

export async function readPage<Row>(
  session: Session,
  { columns = sql`*`, from, where, order, page }: Listing,
): Promise<{ rows: Row[]; total: number }> {
  const { offset = 0, limit = Number.MAX_SAFE_INTEGER, total = false } = page
  const rows = await session.query<Row>(
    sql`select ${columns} from ${from} where ${where} order by ${order}
      limit ${limit} offset ${Math.min(offset, Number.MAX_SAFE_INTEGER)}`,
  )
  if (!total) return { rows, total: 0 }
  const [counted] = await session.query<{ count: number }>(sql`select count(*) from ${from} where ${where}`)
  return { rows, total: counted?.count ?? 0 }
}

interface Direction {
  readonly descending?: boolean
}

/** Sorts rows by a column or another expression, then by the id in the same direction. */
export function orderBy(value: Sql, { descending = false }: Direction): Sql {
  const direction = raw(descending ? 'desc' : 'asc')
  return sql`${value} ${direction}, id ${direction}`
}

/** The contract orders texts by code point. */
export const textOf = (field: string): Sql => sql`${column(field)} collate "C"`
export const identityOf = (field: string): Sql => sql`site_identity(${column(field)})`
export const foldedText = (field: string): Sql => sql`site_fold(${column(field)}) collate "C"`

/** The order in which a list names the values. */
export function orderOf(values: readonly (number | string)[] | undefined, named: Sql): Sql {
  if (values === undefined) throw new TypeError('this order needs the list that it follows')
  return sql`array_position(${values}::text[], ${named}::text), id`
}

/** True for every text that has the part; no character of it is special. */
export const contains = (text: Sql, part: string): Sql => sql`strpos(${text}, ${part}) > 0`

/** No condition without a value. */
export const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql | undefined =>
  value === undefined ? undefined : condition(value)

export const isOneOf = (named: Sql, texts: readonly string[] | undefined): Sql | undefined =>
  given(texts, (values) => sql`${named} = any(${values}::text[])`)

/** A list as a parameter, without numbers that are no integers or too large: no row has them, and the server refuses them. */
const idList = (ids: readonly number[]): Sql => sql`${ids.filter(Number.isSafeInteger)}::bigint[]`

export const hasIdOf = (named: Sql, ids: readonly number[] | undefined): Sql | undefined =>
  given(ids, (values) => sql`${named} = any(${idList(values)})`)

export const hasNoIdOf = (named: Sql, ids: readonly number[] | undefined): Sql | undefined =>
  given(ids, (values) => sql`${named} <> all(${idList(values)})`)

/** All rows in one statement, in their order. */
export async function insertRows(session: Session, { name, fields }: View, rows: readonly object[]): Promise<number[]> {
  const values = jsonText(rows.map((row) => checkedValues({ name, fields }, row)))
  const columns = join(Object.keys(fields).map(column), ', ')
  const inserted = await session.query<{ id: number }>(
    sql`insert into ${raw(name)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${raw(name)}, ${values}::jsonb) returning id`,
  )
  return inserted.map(({ id }) => id)
}

export interface RowUpdate {
  readonly id: number
  readonly changes: object
  readonly when?: Sql
}

/** Each update sees the previous ones. Rows are locked first, because the magazine may be writing them too. */
export async function updateRows(
  session: Session,
  { name, fields }: View,
  updates: readonly RowUpdate[],
): Promise<number[]> {
  const ids = updates.map(({ id }) => id)
  await session.query(sql`select id from ${raw(name)} where id = any(${ids}::bigint[]) order by id for update`)
  const updated: { id: number }[] = []
  for (const { id, changes, when = sql`true` } of updates) {
    const values = checkedValues({ name, fields }, changes)
    // Without changes the row is written too, because that counts its version.
    const set = Object.keys(values).map((field) => sql`${column(field)} = changed.${column(field)}`)
    updated.push(
      ...(await session.query<{ id: number }>(
        sql`update ${raw(name)} as stored set ${join([...set, sql`id = stored.id`], ', ')}
          from jsonb_populate_record(null::${raw(name)}, ${jsonText(values)}::jsonb) as changed
          where stored.id = ${id}::bigint and ${when} returning stored.id`,
      )),
    )
  }
  return updated.map(({ id }) => id)
}
