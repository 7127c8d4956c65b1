/** `bun:sqlite` behind the driver interface. Its types are stated here, so that nobody needs those of Bun. */

import type { Row, SqlValue } from '../engine/statements.ts'
import type { Connection, Open, Prepared } from './driver.ts'

interface BunStatement {
  values(...parameters: SqlValue[]): Row[]
  run(...parameters: SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number }
  finalize(): void
}

interface BunDatabase {
  prepare(sql: string): BunStatement
  run(sql: string): unknown
  readonly inTransaction: boolean
  close(): void
}

interface BunSqlite {
  readonly Database: new (file: string) => BunDatabase
}

export const openBun: Open = (file, { busyMs }) => {
  // The cast: the types of Node know its own modules only.
  const sqlite = process.getBuiltinModule?.('bun:sqlite') as BunSqlite | undefined
  if (sqlite === undefined) throw new Error('the SQLite storage needs a Bun with process.getBuiltinModule')
  const opened = connection(new sqlite.Database(file))
  opened.exec(`pragma busy_timeout = ${busyMs}`)
  return opened
}

/** Above the number that a connection keeps prepared. */
const MANY_STATEMENTS = 2000

function connection(database: BunDatabase): Connection {
  // Bun 1.4: a database stays open, its files with it, until each of its statements is finalized.
  const statements = new Set<WeakRef<BunStatement>>()
  return {
    prepare: (sql) => {
      if (statements.size > MANY_STATEMENTS) forgetCollected(statements)
      const statement = database.prepare(sql)
      statements.add(new WeakRef(statement))
      return prepared(statement)
    },
    exec: (sql) => void database.run(sql),
    get inTransaction() {
      return database.inTransaction
    },
    close: () => {
      for (const statement of statements) statement.deref()?.finalize()
      statements.clear()
      database.close()
    },
  }
}

function prepared(statement: BunStatement): Prepared {
  return {
    all: (parameters) => statement.values(...parameters),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { changes, lastId: lastInsertRowid }
    },
  }
}

function forgetCollected(statements: Set<WeakRef<BunStatement>>): void {
  for (const statement of statements) if (statement.deref() === undefined) statements.delete(statement)
}
