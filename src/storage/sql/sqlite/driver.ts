/** The driver interface: what the storage needs of `node:sqlite` and `bun:sqlite`. */
import type { Row, SqlValue } from '../engine/statements.ts'

export interface Connection {
  prepare(sql: string): PreparedStatement
  /** Runs a script without parameters. */
  exec(sql: string): void
  readonly inTransaction: boolean
  close(): void
}

export interface PreparedStatement {
  all(parameters: readonly SqlValue[]): Row[]
  run(parameters: readonly SqlValue[]): { readonly changes: number; readonly lastId: number }
}

/** Opens a database file; `busyMs` is how long a statement may block the process while another one writes. */
export type OpenConnection = (file: string, options: { readonly busyMs: number }) => Connection
