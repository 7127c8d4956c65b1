/** The driver interface has the members of `node:sqlite`, `bun:sqlite` and a Durable Object that the storage needs. */
import type { Row, SqlValue } from '../engine/fragments.ts'
import { runSteps, type Steps } from '../engine/steps.ts'

export interface Connection {
  prepare(sql: string): PreparedStatement
  /** Runs a script without parameters. */
  exec(sql: string): void
  readonly inTransaction: boolean
  /** Present where statements can not begin and end transactions. */
  transaction?<T>(work: () => T): T
  close(): void
}

/**
 * Runs synchronous work in one transaction. One that only reads sees one state of the file: between two statements without a transaction
 * another process may commit.
 */
export function inTransaction<T>(connection: Connection, kind: 'read' | 'write', work: () => T): T {
  if (connection.transaction !== undefined) return connection.transaction(work)
  connection.exec(kind === 'write' ? 'begin immediate' : 'begin')
  try {
    const value = work()
    connection.exec('commit')
    return value
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  }
}

/** Runs the statements of `steps`. */
export const perform = <T>(connection: Connection, steps: Steps<T>): T =>
  // The cast: a connection answers at once.
  runSteps(steps, ({ text, values }) => connection.prepare(text).all(values)) as T

export interface PreparedStatement {
  all(parameters: readonly SqlValue[]): Row[]
  run(parameters: readonly SqlValue[]): { readonly changes: number; readonly lastId: number }
}

/** Opens a database file; `busyMs` is how long a statement may block the process while another one writes. */
export type OpenConnection = (
  file: string,
  options: { readonly busyMs: number; readonly readOnly?: boolean },
) => Connection
