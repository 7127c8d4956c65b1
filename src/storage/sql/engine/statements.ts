/**
 * A cache of statements: the text of each shape is made once, later calls cost one look-up. A statement has numbered parameters
 * instead of values, so one text serves every call of its shape.
 */
import type { Dialect } from './dialect.ts'
import { type Fragment, indexesOf, type SqlValue } from './fragments.ts'

export type { SqlValue } from './fragments.ts'

/** The row has its values in the order of the selected columns. */
export type Row = readonly SqlValue[]

export interface Statement {
  readonly sql: string
  /** Each placeholder of the text has the index of its value, or a constant. */
  readonly parameters: readonly (number | { readonly constant: SqlValue })[]
  /** Absent for reads that are bounded, rows by their keys and counters, and for writes of all but options. */
  readonly kind?: Extent | 'write options' | undefined
}

/** Says what decides how much a statement reads. `list`: the size of the lists of the site. `search`: the words too. */
export type Extent = 'list' | 'search'

/** Stands for the value with this index until a part becomes a statement. */
class Parameter {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** The value with this index, in the text of a statement. The cast: `Statements.get` takes the parameters out again. */
export const parameter = (index: number): Fragment => ({
  text: '?',
  values: [new Parameter(index) as unknown as SqlValue],
})

/** The values of one call. `add` and `addList` return the index that `parameter` takes. */
export class Values {
  readonly list: SqlValue[] = []

  add(value: SqlValue | boolean): number {
    this.list.push(typeof value === 'boolean' ? Number(value) : value)
    return this.list.length - 1
  }

  /** The list as one JSON value, so that its length is not part of the shape. */
  addList(values: readonly (boolean | number | string)[]): number {
    return this.add(JSON.stringify(values))
  }
}

/** Rows as one JSON text, for `rowTable` of the dialect. Replaces lone surrogates, which databases refuse. */
export function rowsText(rows: readonly (readonly SqlValue[])[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

export interface Statements {
  readonly dialect: Dialect
  /** The statement of this shape; `build` runs only if it is not cached. */
  get(shape: string, build: () => Fragment, kind?: Statement['kind']): Statement
  /** The statement of this text, whose values are those of the part. */
  of(part: Fragment, kind?: Statement['kind']): Statement
  /** Returns the cached composition, or composes it. The key must determine it, and begins with a name of its kind. */
  composed<T>(key: string, compose: () => T): T
  readonly size: number
}

/** Well above the number of shapes that a site uses, and small in memory. */
const MAX_STATEMENTS = 500

export function createStatements(dialect: Dialect): Statements {
  const cache = new Map<string, Statement>()
  const compositions = new Map<string, unknown>()
  return {
    dialect,
    get size() {
      return cache.size
    },
    get(shape, build, kind) {
      const cached = cache.get(shape)
      if (cached !== undefined) return cached
      const { text, values } = build()
      const parameters = values.map((value: unknown) =>
        // The cast: the others are values.
        value instanceof Parameter ? value.index : { constant: value as SqlValue },
      )
      const statement = { sql: dialect.lists.numbered(text), kind, parameters }
      if (cache.size >= MAX_STATEMENTS) evictOldest(cache)
      cache.set(shape, statement)
      return statement
    },
    of({ text, values }, kind) {
      const cached = cache.get(text)
      if (cached !== undefined && cached.kind === kind) return cached
      const statement = { sql: dialect.lists.numbered(text), kind, parameters: indexesOf(values.length) }
      if (cache.size >= MAX_STATEMENTS) evictOldest(cache)
      cache.set(text, statement)
      return statement
    },
    composed<T>(key: string, compose: () => T): T {
      const cached = compositions.get(key)
      // The cast: a key has compositions of one kind.
      if (cached !== undefined) return cached as T
      const composition = compose()
      if (compositions.size >= MAX_STATEMENTS) evictOldest(compositions)
      compositions.set(key, composition)
      return composition
    },
  }
}

/** The values of a statement's placeholders, in order. */
export function parametersOf(statement: Statement, values: readonly SqlValue[]): SqlValue[] {
  const { parameters } = statement
  const bound: SqlValue[] = new Array(parameters.length)
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at]
    bound[at] = typeof parameter === 'number' ? (values[parameter] ?? null) : (parameter?.constant ?? null)
  }
  return bound
}

/** Removes the older half of the entries; the ones still in use are added again on their next use. */
export function evictOldest(cache: Map<unknown, unknown>): void {
  let surplus = cache.size >> 1
  for (const key of cache.keys()) {
    if (surplus-- <= 0) return
    cache.delete(key)
  }
}

/** A limit as engines accept it: at most the largest safe integer. */
export function limitValue(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

/** Reads the first column of the first row as a number, 0 without rows: the result of a count. */
export function countOf(rows: readonly Row[]): number {
  return Number(rows[0]?.[0] ?? 0)
}
