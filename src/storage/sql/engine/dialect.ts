/** The differences between the SQL of the engines; statements share everything else. */
import type { Dialect as KyselyDialect, RawBuilder, SqlBool } from 'kysely'

export type Expression<T = unknown> = RawBuilder<T>

type ScalarType = 'integer' | 'number' | 'text' | 'boolean'
export type ListType = Exclude<ScalarType, 'boolean'>

export interface Dialect {
  /** Only its query compiler is used; statements run in a Session. */
  readonly kysely: KyselyDialect
  /** The number of selects that a union may have. Default: any. */
  readonly maxUnion?: number
  /** True where an ordered union takes rows from its selects in turn, as many as it needs, along their indexes. */
  readonly mergesUnions: boolean
  /** A join that the planner must not reorder; followed by its `on`. */
  readonly orderedJoin: Expression
  /** The end of a subquery of a condition that is to be asked for each row, in the order of the rows, and not to become a join. */
  readonly rowByRow: Expression
  /** A list parameter as a table with the columns `value` and `ordinal`. */
  listTable(index: number, type: ListType): Expression
  /** Whether a column has one of the values of a list parameter. */
  inList(column: Expression, index: number, type: ListType): Expression<SqlBool>
  /** True where the planner prefers to scan a collection to finding the rows of each value of a list along an index. */
  readonly looksListsUp: boolean
  /** The column in a form that no index serves, so that it does not influence the choice of an index. */
  unindexed(column: Expression): Expression
  /** The table with a hint to use this index. */
  withIndex(table: Expression, index: string): Expression
  contains(text: Expression, part: Expression): Expression<SqlBool>
  /** The order terms for a text column of any length; an index may store only prefixes of the texts. */
  textOrder(column: Expression): readonly Expression[]
  /** True where it is faster to find the ids of a page along an index before reading rows. */
  readonly selectsIdsFirst: boolean
  /** True where each statement is a round trip, so bulk writes use few statements. */
  readonly batchesWrites: boolean
  readonly search?: {
    /** A table with the column `id`: a superset of the posts that contain the texts. */
    candidates(index: number): Expression
    /** An estimate of the number of candidates, up to `max`. */
    count(index: number, max: number): Expression<number>
    /** The index query for these texts; undefined when they are too short for the index. */
    indexQuery(parts: readonly string[]): string | undefined
  }
  /** A field of a record's JSON column; null when it is absent. */
  jsonField(column: Expression, field: string, kind: ScalarType): Expression
  /** The column texts of an index on a field of the column `body`; `field` must be a checked name. */
  indexedField(field: string, kind: ScalarType, options: { readonly isUnique: boolean }): readonly string[]
  /** Present where indexes store only prefixes of texts: the additional conditions that make the planner use them. */
  readonly prefixes?: {
    of(text: Expression): Expression
    inList(text: Expression, index: number): Expression<SqlBool>
  }
  /** Present where a row with a given id does not advance the ids of later rows: does that, after such an insert. */
  readonly advanceIds?: (table: Expression) => Expression
  /** Locks the rows that a select returns until the transaction ends. */
  readonly forUpdate: Expression
  /** Whether a user has one of the roles of a list parameter. */
  hasRole(index: number): Expression<SqlBool>
  /** A JSON text in the form that `jsonField` reads. */
  jsonOf(text: Expression): Expression
  /** The part of a record in the list `l` that counts it, as the triggers make it. */
  recordPart(record: string): string
  /** The text that a JSON text holds. */
  jsonText(column: Expression): Expression
  /** A boolean member of a JSON text as 1 or 0; null when it is absent. The parameter has its name. */
  jsonFlag(column: Expression, index: number): Expression
}
