/**
 * Statements are written by Kysely once per shape and kept; afterwards a call costs one look-up. A statement holds numbered
 * slots instead of values, so that the same text serves every request of that shape.
 */
import { type CompiledQuery, Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Schema } from './schema.ts'

export type SqlValue = null | number | string
/** One row as the engine gives it, by position. */
export type Row = readonly SqlValue[]

export interface Statement {
  readonly sql: string
  /** For each parameter of the text: the slot whose value it takes, or a constant. */
  readonly parameters: readonly (number | { readonly constant: SqlValue })[]
}

/** A place in a statement that takes the value with this number. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

export function parameter<T = SqlValue>(index: number): RawBuilder<T> {
  return sql<T>`${new Slot(index)}`
}

/** The values of a call, numbered in the order in which they are added. */
export class Values {
  readonly list: SqlValue[] = []

  add(value: SqlValue | boolean): number {
    this.list.push(typeof value === 'boolean' ? Number(value) : value)
    return this.list.length - 1
  }

  /** A whole list in one value, so that its length is no part of the shape. */
  addList(values: readonly (boolean | number | string)[]): number {
    return this.add(JSON.stringify(values))
  }
}

export interface Statements {
  readonly db: Kysely<Schema>
  readonly dialect: Dialect
  /** The statement of this shape; `build` runs only when it is not there. */
  get(shape: string, build: (db: Kysely<Schema>) => CompiledQuery): Statement
  readonly size: number
}

/** Far above the number of shapes that a site uses; below what would be felt as memory. */
const MOST_STATEMENTS = 500

export function createStatements(dialect: Dialect): Statements {
  const db = new Kysely<Schema>({ dialect: dialect.kysely })
  const kept = new Map<string, Statement>()
  return {
    db,
    dialect,
    get size() {
      return kept.size
    },
    get(shape, build) {
      const known = kept.get(shape)
      if (known !== undefined) return known
      const statement = statementOf(build(db))
      if (kept.size >= MOST_STATEMENTS) dropOldest(kept)
      kept.set(shape, statement)
      return statement
    },
  }
}

/** The values that a statement's parameters take, in their order. */
export function parametersOf(statement: Statement, values: readonly SqlValue[]): SqlValue[] {
  const { parameters } = statement
  const bound: SqlValue[] = new Array(parameters.length)
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at]
    bound[at] = typeof parameter === 'number' ? (values[parameter] ?? null) : (parameter?.constant ?? null)
  }
  return bound
}

/** Shapes that are in use come back at once, so dropping the oldest half is enough of a rule. */
export function dropOldest(kept: Map<unknown, unknown>): void {
  let surplus = kept.size >> 1
  for (const key of kept.keys()) {
    if (surplus-- <= 0) return
    kept.delete(key)
  }
}

function statementOf({ sql, parameters }: CompiledQuery): Statement {
  return {
    sql,
    parameters: parameters.map((value) => (value instanceof Slot ? value.index : { constant: value as SqlValue })),
  }
}
