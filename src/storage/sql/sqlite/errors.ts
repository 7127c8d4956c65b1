/** The meaning of SQLite's errors: locks, and files that can not be used. Refused values are in write-errors.ts. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageUnavailable } from '../../../contract/storage.ts'

const SQLITE_BUSY = 5

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
const SQLITE_IOERR = 10

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

/** The extended result code: `errcode` on Node, `errno` on Bun. */
function resultCode(error: unknown): number | undefined {
  const { errcode, errno } = error as { readonly errcode?: unknown; readonly errno?: unknown }
  const code = errcode ?? errno
  return typeof code === 'number' ? code : undefined
}

/** A file that can not be used. SQLite itself names neither the file nor the reason. */
export class SqliteOpenError extends Error {
  readonly code = 'storage_not_opened'
  readonly reason: string
  constructor(file: string, cause: unknown) {
    const path = resolve(file)
    const reason = openProblem(path) ?? (cause instanceof Error ? cause.message : String(cause))
    super(`the SQLite file ${path} can not be opened: ${reason}`, { cause })
    this.name = 'SqliteOpenError'
    this.reason = reason
  }
}

function openProblem(path: string): string | undefined {
  const folder = dirname(path)
  if (!existsSync(folder)) return `there is no folder ${folder}`
  if (!existsSync(path)) {
    return isDenied(folder, constants.W_OK) ? `this process may not create files in ${folder}` : undefined
  }
  if (statSync(path).isDirectory()) return 'it is a folder'
  return isDenied(path, constants.R_OK | constants.W_OK) ? 'this process may not read and write it' : undefined
}

function isDenied(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return false
  } catch {
    return true
  }
}

/** An error of SQLite itself, not one of this package. */
export const isSqliteError = (error: unknown): boolean => resultCode(error) !== undefined

export const lockTimeout = () =>
  new StorageUnavailable('another process has held the lock on the database for too long', { written: 'no' })
