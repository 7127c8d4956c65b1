/** The meaning of SQLite's errors: conflicts and locks. */
import { StorageConflict } from '../../contract.ts'

const SQLITE_BUSY = 5

/** SQLite names the columns of the violated index, or the index if it consists of expressions. */
export function sqliteConflict(error: unknown): StorageConflict | undefined {
  const message = error instanceof Error ? error.message : ''
  const [, subject] = /^UNIQUE constraint failed: (.+)$/.exec(message) ?? []
  if (subject === undefined) return undefined
  const [, recordFields] = /^index 'records_unique:[^:]*:(.+)'$/.exec(subject) ?? []
  if (recordFields !== undefined) return new StorageConflict(recordFields.split(',')[0] as string)
  const column = subject.slice(subject.lastIndexOf('.') + 1)
  return new StorageConflict(column.replace(/_folded$/, ''))
}

/** True when another connection holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  // The primary code is the low byte of the extended one.
  return ((resultCode(error) ?? 0) & 0xff) === SQLITE_BUSY
}

/** The extended result code: `errcode` on Node, `errno` on Bun. */
function resultCode(error: unknown): number | undefined {
  const { errcode, errno } = error as { readonly errcode?: unknown; readonly errno?: unknown }
  const code = errcode ?? errno
  return typeof code === 'number' ? code : undefined
}
