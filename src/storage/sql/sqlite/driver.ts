/** The little that a SQLite binding has to offer: what `node:sqlite` and `bun:sqlite` have in common. */
import type { Row, SqlValue } from '../engine/statements.ts'

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

/** The result code of SQLite in an error, extended as both give it: `errcode` on Node, `errno` on Bun. */
export function resultCode(error: unknown): number | undefined {
  const { errcode, errno } = error as { readonly errcode?: unknown; readonly errno?: unknown }
  const code = errcode ?? errno
  return typeof code === 'number' ? code : undefined
}
