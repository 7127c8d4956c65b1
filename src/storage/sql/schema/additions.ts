/** The additions to the first schema, in the words of an engine. Each is a migration: columns, then the rows, then indexes. */
import { addedColumns, type ColumnTypes, identitiesSince } from '../engine/columns.ts'
import { type Index, indexes } from './tables.ts'

export interface Addition {
  readonly columns: readonly string[]
  /** True: the copies of texts that folds make are written anew, between columns and indexes. */
  readonly refolds: boolean
  readonly indexes: readonly string[]
}

interface AdditionWords {
  readonly types: ColumnTypes
  readonly isOurs: (part: Index) => boolean
  addColumn(table: string, definition: string): string
  /** The statements that make an index in place of one of that name. */
  replaceIndex(index: Index): readonly string[]
}

export function additionsOf({ types, isOurs, addColumn, replaceIndex }: AdditionWords): readonly Addition[] {
  const columns = addedColumns(types)
  const added = indexes.filter(isOurs)
  const numbers = [...columns, ...added].map(({ since = 0 }) => since)
  return Array.from({ length: Math.max(...numbers) }, (_, at) => ({
    columns: columns
      .filter(({ since }) => since === at + 1)
      .map(({ table, definition }) => addColumn(table, definition)),
    refolds: at + 1 === identitiesSince,
    indexes: added.filter(({ since }) => since === at + 1).flatMap(replaceIndex),
  }))
}

/** Whether an index is made by an addition, and not with the first schema. */
const addedIndexes: ReadonlySet<string> = new Set(indexes.flatMap(({ name, since }) => (since ? [name] : [])))
export const isOfFirstSchema = (index: string): boolean => !addedIndexes.has(index)
