/** Where the SQL of the engines differs. Everything else in a statement is the same for all of them. */
import type { Dialect as KyselyDialect, RawBuilder, SqlBool } from 'kysely'

export type Expression<T = unknown> = RawBuilder<T>

export interface Dialect {
  /** Only the half of it that writes statements is used: they run in a session of ours. */
  readonly kysely: KyselyDialect
  /** Joins the right table row by row, in the order in which they are written; needs its `on`. */
  readonly stepJoin: Expression
  /** A table of a list that is given as one value: columns `value` and `place`. */
  list(index: number, of: ListOf): Expression
  /** Whether a column has one of the values of such a list. */
  within(column: Expression, index: number, of: ListOf): Expression<SqlBool>
  /** The same column, as one that must not decide which index is used. */
  passive(column: Expression): Expression
  /** A table to be read by this index. */
  by(table: Expression, index: string): Expression
  holds(text: Expression, part: Expression): Expression<SqlBool>
  /** What to order by for the order of a column that can hold long texts, where an index takes their beginnings only. */
  textOrder(column: Expression): readonly Expression[]
  /** True where it pays to find the ids of a window along an index before any row is read. */
  readonly idsFirst: boolean
  /** True where each statement is a journey: what is written in bulk goes into few of them. */
  readonly fewStatements: boolean
  readonly search?: {
    /** A table with one column `id`: each post that can hold the texts, and others. */
    candidates(index: number): Expression
    /** About how many candidates there are, counted up to a number. */
    count(index: number, most: number): Expression<number>
    /** What to look up, so that nothing is missed; undefined when the texts are too short for the index. */
    textFor(parts: readonly string[]): string | undefined
  }
  /** A field of a record's JSON column, null when it is absent. */
  jsonField(column: Expression, field: string, kind: 'integer' | 'number' | 'text' | 'boolean'): Expression
  /** The same field of the column `body` for an index, as text; `field` is a checked name. */
  indexedField(
    field: string,
    kind: 'integer' | 'number' | 'text' | 'boolean',
    options: { readonly isUnique: boolean },
  ): readonly string[]
  /** Where an index takes the beginnings of texts only: what a condition adds so that the index is used. */
  readonly beginnings?: {
    of(text: Expression): Expression
    within(text: Expression, index: number): Expression<SqlBool>
  }
  /** What makes a read hold its rows until the transaction ends. */
  readonly lock: Expression
  /** Whether a JSON column of texts has one of the texts of a list. */
  jsonArrayHasOne(column: Expression, index: number): Expression<SqlBool>
}

export type ListOf = 'integer' | 'number' | 'text'
