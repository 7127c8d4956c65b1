/** The posts that may contain texts. */
export interface Candidates {
  readonly rows: Fragment
  counted(most: number): Fragment
  /**
   * Where a statement is no round trip: `ids` reads those of the index, up to some, and at last the number of others that is to be added,
   * below 0; `rows` are then these ids and the others.
   */
  readonly once?: { ids(most: number): Fragment; rows(ids: readonly number[]): Fragment }
}

/** The differences between the SQL of the engines; statements share everything else. Columns are texts, values are values. */
import type { Fragment, SqlValue } from './fragments.ts'

type ScalarType = 'integer' | 'number' | 'text' | 'boolean'
export type ListType = Exclude<ScalarType, 'boolean'>

export interface Dialect {
  /** Whether a column has one of the values. The first one says whether they are integers or texts, unless `type` does. */
  inList(column: string, values: readonly (number | string)[], type?: ListType): Fragment
  /** Selects a list as a table with the columns `value` and `ordinal`. */
  listTable(values: readonly (number | string)[], type: ListType): Fragment
  /** Selects rows as a table with these columns. */
  rowTable(rows: readonly (readonly SqlValue[])[], columns: { readonly [column: string]: 'integer' | 'text' }): Fragment
  /** Joins the row of a table with this id, after the rows before it: a planner that keeps a plan may not choose another order. */
  joinById(table: string, alias: string, id: string): string
  /** The text after the name of a table: the index to use, none, or nothing where a planner has statistics. */
  along(index: string | undefined): string
  /** The number of selects that a union may have. Default: any. */
  readonly maxUnion?: number
  /** A join that keeps the order of its tables; followed by its `on`. */
  readonly join: string
  /** In front of a column that must not become the start of a look-up. */
  readonly unindexed: string
  /** The placeholder of a limit. SQLite would prepare a statement anew for each run, for a limit that is a parameter alone. */
  readonly limit: string
  /** True where the rows of entries that an offset skips are not read. */
  readonly skipsUnread: boolean
  /** True where the planner prefers to scan a collection to finding the rows of each value of a list along an index. */
  readonly looksListsUp: boolean
  /** The end of a subquery that is asked for each row. */
  readonly rowByRow: string
  /** The words that insert and update one row. SQLite keeps no journal of a statement that it need not undo. */
  readonly oneRow: { readonly insertInto: string; readonly update: string }
  /** The time of the database, in milliseconds since 1970. */
  readonly milliseconds: string
  /** Locks the rows that a select returns until the transaction ends. */
  readonly forUpdate: string
  contains(column: string, text: string): Fragment
  /** The order terms for a text column of any length; an index may store only prefixes of the texts. */
  textOrder(column: string): readonly string[]
  /** `textOrder` of the folded titles of posts. A column has the prefixes, so that an index finds them without the rows. */
  titleOrder(column: string): readonly string[]
  /** Present where indexes store only prefixes of texts: the additional conditions that make the planner use them. */
  readonly prefixes?: {
    compared(column: string, operator: string, value: SqlValue): Fragment
    inList(column: string, values: readonly (number | string)[]): Fragment
  }
  /** Rows with the column `id`: those that may contain the texts, and some of them at most. Undefined without an index for them. */
  candidates(texts: readonly string[]): Candidates | undefined
  /** A field of a JSON column; null when it is absent. */
  jsonField(column: string, field: string, kind: ScalarType): string
  /** The columns of an index on a field of the column `body`; `field` must be a checked name. */
  indexedField(field: string, kind: ScalarType, options: { readonly isUnique: boolean }): readonly string[]
  /** A JSON text in the form that `jsonField` reads. */
  jsonOf(text: string): string
  /** Converts the text in the JSON text of a column to lower case. */
  lowerJson(column: string): string
  /** A boolean member of a JSON text as 1 or 0; null when it is absent. */
  jsonFlag(column: string, name: string): Fragment
  /** Whether a user has one of the roles. */
  hasRole(roles: readonly string[]): Fragment
  /** Present where a row with a given id does not advance the ids of later rows: does that, after such an insert. */
  readonly advanceIds?: (table: string) => string
}
