/** The meaning of SQLite's errors: locks, failures of the disk, and writes that are refused. */
import { StorageConflict, StorageTooLarge, StorageUnavailable } from '../../../contract/storage.ts'

/** How long a transaction waits for the lock of another process. */
export const LOCK_TIMEOUT_MS = 10_000

const SQLITE_BUSY = 5
const SQLITE_IOERR = 10

/** The errors that a later attempt may not have, by the primary result code. */
const temporary = new Map([
  [SQLITE_BUSY, 'it is locked'],
  [6, 'a table is locked'],
  [7, 'there is no memory left'],
  [8, 'it can not be written'],
  [10, 'the disk fails'],
  [13, 'the disk is full'],
  [15, 'it is locked'],
])

/**
 * A StorageUnavailable where a later attempt may succeed; any other error unchanged. Only a disk that fails during the
 * commit leaves its outcome unknown: every other error of a commit has undone it.
 */
export function sqliteFailure(error: unknown, { isCommit = false } = {}): unknown {
  const code = (resultCode(error) ?? 0) & 0xff
  const reason = temporary.get(code)
  if (reason === undefined) return error
  const written = isCommit && code === SQLITE_IOERR ? 'perhaps' : 'no'
  return new StorageUnavailable(`the SQLite file can not be used now: ${reason}`, { written, cause: error })
}

/** True when another connection holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  // The primary code is the low byte of the extended one.
  return ((resultCode(error) ?? 0) & 0xff) === SQLITE_BUSY
}

interface SqliteError {
  /** `node:sqlite` has the extended result code here. */
  readonly errcode?: unknown
  /** `bun:sqlite` has it here. */
  readonly errno?: unknown
  /** Other drivers have its name, such as `SQLITE_BUSY_SNAPSHOT`. */
  readonly code?: unknown
}

const namedCodes = { BUSY: SQLITE_BUSY, LOCKED: 6, NOMEM: 7, READONLY: 8, IOERR: SQLITE_IOERR, FULL: 13, PROTOCOL: 15 }

function resultCode(error: unknown): number | undefined {
  const { errcode, errno, code: name } = error as SqliteError
  const code = errcode ?? errno
  if (typeof code === 'number') return code
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(String(name)) ?? []
  // The cast: other names have no number here.
  return namedCodes[primary as keyof typeof namedCodes]
}

/** An error of SQLite itself, not one of this package. */
export const isSqliteError = (error: unknown): boolean => resultCode(error) !== undefined

export const lockTimeout = () =>
  new StorageUnavailable('another process has held the lock on the database for too long', { written: 'no' })

/** Undefined for errors that are not about the written values. */
export function writeErrorOf(error: unknown): StorageConflict | StorageTooLarge | undefined {
  const message = error instanceof Error ? error.message : ''
  if (/(?:^|: )string or blob too big/.test(message)) return new StorageTooLarge(error)
  // Some runtimes and drivers put the result code before or after it.
  const [, subject] = /(?:^|: )UNIQUE constraint failed: (.+?)(?:: SQLITE_CONSTRAINT.*)?$/.exec(message) ?? []
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
