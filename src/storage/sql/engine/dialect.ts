/** The differences between the SQL of the engines; statements share everything else. */
import type { Fragment } from './fragments.ts'

type ScalarType = 'integer' | 'number' | 'text' | 'boolean'
export type ListType = Exclude<ScalarType, 'boolean'>

/** The words of lists of posts. */
export interface ListWords {
  /** The text with the placeholders of the engine. */
  numbered(text: string): string
  /** Whether a column has one of the values. */
  inList(column: string, values: readonly (number | string)[]): Fragment
  /** Selects a list as a table with the columns `value` and `ordinal`. */
  table(values: readonly (number | string)[], type: 'integer' | 'text'): Fragment
  /** The text after the name of a table: the index to use, none, or nothing where a planner has statistics. */
  along(index: string | undefined): string
  /** The number of selects that a union may have. Default: any. */
  readonly maxUnion?: number
  /** A join that keeps the order of its tables; followed by its `on`. */
  readonly join: string
  /** In front of a column that must not become the start of a look-up. */
  readonly unindexed: string
  /** True where the rows of entries that an offset skips are not read. */
  readonly skipsUnread: boolean
  /** The end of a subquery that is asked for each row. */
  readonly rowByRow: string
  contains(column: string, text: string): Fragment
  /** Returns the columns of an order by a text of any length. */
  textKeys(column: string): readonly string[]
  /** Converts the text in the JSON text of a column to lower case. */
  lowerJson(column: string): string
  /** Rows with the column `id`: those that may contain the texts, and some of them at most. Undefined without an index for them. */
  candidates(texts: readonly string[]): { readonly rows: Fragment; counted(most: number): Fragment } | undefined
}

export interface Dialect {
  readonly lists: ListWords
  /** A join that the planner must not reorder; followed by its `on`. */
  readonly orderedJoin: Fragment
  /** The words that insert and update one row. SQLite keeps no journal of a statement that it need not undo. */
  readonly oneRow: { readonly insertInto: Fragment; readonly update: Fragment }
  /** Selects a list parameter as a table with the columns `value` and `ordinal`. */
  listTable(index: number, type: ListType): Fragment
  /** Selects a parameter with rows as one JSON text (`rowsText`), as a table with these columns. */
  rowTable(index: number, columns: { readonly [column: string]: 'integer' | 'text' }): Fragment
  /** Joins the row of a table with this id, after the rows before it: a planner that keeps a plan may not choose another order. */
  joinById(table: string, alias: string, id: Fragment): Fragment
  /** Whether a column has one of the values of a list parameter. */
  inList(column: Fragment, index: number, type: ListType): Fragment
  /** True where the planner prefers to scan a collection to finding the rows of each value of a list along an index. */
  readonly looksListsUp: boolean
  /** The column in a form that no index serves, so that it does not influence the choice of an index. */
  unindexed(column: Fragment): Fragment
  contains(text: Fragment, part: Fragment): Fragment
  /** The order terms for a text column of any length; an index may store only prefixes of the texts. */
  textOrder(column: Fragment): readonly Fragment[]
  /** A field of a record's JSON column; null when it is absent. */
  jsonField(column: Fragment, field: string, kind: ScalarType): Fragment
  /** The column texts of an index on a field of the column `body`; `field` must be a checked name. */
  indexedField(field: string, kind: ScalarType, options: { readonly isUnique: boolean }): readonly string[]
  /** Present where indexes store only prefixes of texts: the additional conditions that make the planner use them. */
  readonly prefixes?: {
    of(text: Fragment): Fragment
    inList(text: Fragment, index: number): Fragment
  }
  /** Present where a row with a given id does not advance the ids of later rows: does that, after such an insert. */
  readonly advanceIds?: (table: Fragment) => Fragment
  /** Locks the rows that a select returns until the transaction ends. */
  readonly forUpdate: Fragment
  /** Whether a user has one of the roles of a list parameter. */
  hasRole(index: number): Fragment
  /** A JSON text in the form that `jsonField` reads. */
  jsonOf(text: Fragment): Fragment
  /** The text that a JSON text holds. */
  jsonText(column: Fragment): Fragment
  /** A boolean member of a JSON text as 1 or 0; null when it is absent. The parameter has its name. */
  jsonFlag(column: Fragment, index: number): Fragment
}
