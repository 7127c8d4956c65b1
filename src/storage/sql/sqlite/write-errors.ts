/** Says how a caller can handle a write that SQLite has refused. */
import { StorageConflict, StorageTooLarge } from '../../../contract/storage.ts'

/** Undefined for errors that are not about the written values. */
export function writeErrorOf(error: unknown): StorageConflict | StorageTooLarge | undefined {
  const message = error instanceof Error ? error.message : ''
  if (/^string or blob too big/.test(message)) return new StorageTooLarge(error)
  // A Durable Object adds the result code.
  const [, subject] = /^UNIQUE constraint failed: (.+?)(?:: SQLITE_CONSTRAINT.*)?$/.exec(message) ?? []
  return subject === undefined ? undefined : conflictOf(subject)
}

/** SQLite names the columns of the violated index, or the index if it consists of expressions. */
function conflictOf(subject: string): StorageConflict {
  const [, recordFields] = /^index 'records_unique:[^:]*:(.+)'$/.exec(subject) ?? []
  if (recordFields !== undefined) return new StorageConflict(recordFields.split(',')[0] as string)
  const [, postField] = /^index 'posts_unique_(\w+)'$/.exec(subject) ?? []
  if (postField !== undefined) return new StorageConflict(postField)
  const column = subject.slice(subject.lastIndexOf('.') + 1)
  return new StorageConflict(column.replace(/_identity$/, ''))
}
