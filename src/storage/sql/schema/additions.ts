/** The additions to the first schema, in the words of an engine. Each is a migration: columns, then the rows, then indexes. */
import { type AddedColumn, addedColumns, type ColumnTypes, identitiesSince } from '../engine/columns.ts'
import { type Engine, type Index, indexes } from './tables.ts'

/** The addition that leaves revisions out of the index for searches. */
const narrowedSince = 3

export interface Addition {
  readonly columns: readonly string[]
  /** True: the copies of texts that folds make are written anew, between columns and indexes. */
  readonly refolds: boolean
  /** True: the index for searches loses the posts that it had before it left some out. */
  readonly narrowsSearch: boolean
  readonly indexes: readonly string[]
}

interface AdditionWords {
  readonly types: ColumnTypes
  readonly engine: Engine
  /** The columns of this engine alone. */
  readonly columns?: readonly AddedColumn[]
  addColumn(table: string, definition: string): string
  /** The statements that make an index in place of one of that name. */
  replaceIndex(index: Index): readonly string[]
}

export function additionsOf(words: AdditionWords): readonly Addition[] {
  const { types, engine, addColumn, replaceIndex } = words
  const columns = [...addedColumns(types), ...(words.columns ?? [])]
  const added = indexes.filter((index) => isOf(engine, index))
  const numbers = [...columns, ...added].map(({ since = 0 }) => since).concat(narrowedSince)
  return Array.from({ length: Math.max(...numbers) }, (_, at) => ({
    columns: columns
      .filter(({ since }) => since === at + 1)
      .map(({ table, definition }) => addColumn(table, definition)),
    refolds: at + 1 === identitiesSince,
    narrowsSearch: at + 1 === narrowedSince,
    indexes: added.filter(({ since }) => since === at + 1).flatMap(replaceIndex),
  }))
}

const isOf = (engine: Engine, part: { readonly engine?: Engine }) => (part.engine ?? engine) === engine

/** The names of the indexes that no addition makes. */
export const firstIndexes = (engine: Engine): ReadonlySet<string> =>
  new Set(indexes.flatMap((index) => (isOf(engine, index) && index.since === undefined ? [index.name] : [])))
