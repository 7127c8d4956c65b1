/** Turns the engine's error about a unique index into the contract's. */
import { StorageConflict } from '../../contract.ts'

/** Name of the unique index over a set of fields of a collection; the first field is the one a conflict is named after. */
export function recordIndexName(collection: string, fields: readonly string[]): string {
  return `records_unique:${collection}:${fields.join(',')}`
}

/** SQLite names the columns of an index, or the index when it is made of expressions. */
export function sqliteConflict(error: unknown): StorageConflict | undefined {
  const message = error instanceof Error ? error.message : ''
  const [, what] = /^UNIQUE constraint failed: (.+)$/.exec(message) ?? []
  if (what === undefined) return undefined
  const [, recordFields] = /^index 'records_unique:[^:]*:(.+)'$/.exec(what) ?? []
  if (recordFields !== undefined) return new StorageConflict(recordFields.split(',')[0] as string)
  const column = what.slice(what.lastIndexOf('.') + 1)
  return new StorageConflict(column.replace(/_folded$/, ''))
}
