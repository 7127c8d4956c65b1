/** The little that a SQLite binding has to offer; `node:sqlite` has it, and `bun:sqlite` as well. */
import type { Row, SqlValue } from './statements.ts'

export interface Connection {
  prepare(sql: string): Prepared
  /** Runs a script without parameters. */
  exec(sql: string): void
  readonly inTransaction: boolean
  close(): void
}

export interface Prepared {
  all(parameters: readonly SqlValue[]): Row[]
  run(parameters: readonly SqlValue[]): { readonly changes: number; readonly lastId: number }
}

/** Opens a database file; `busyMs` is how long a statement may block while another process writes. */
export type Open = (file: string, options: { readonly busyMs: number }) => Connection
