/** Says why a SQLite file can not be opened. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

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
