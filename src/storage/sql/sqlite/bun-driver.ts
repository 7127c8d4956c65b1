/** The driver on `bun:sqlite`. Declares the types that it uses, so that hosts need no types of Bun. */
import type { Row, SqlValue } from '../engine/fragments.ts'
import type { Connection, OpenConnection, PreparedStatement } from './driver.ts'

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
  readonly Database: new (file: string, options?: { readonly readonly: true }) => BunDatabase
}

export const openBun: OpenConnection = (file, { busyMs, readOnly = false }) => {
  // The cast: the types of Node know only its own modules.
  const sqlite = process.getBuiltinModule?.('bun:sqlite') as BunSqlite | undefined
  if (sqlite === undefined) throw new Error('the SQLite storage needs a Bun with process.getBuiltinModule')
  const database = readOnly ? new sqlite.Database(file, { readonly: true }) : new sqlite.Database(file)
  const connection = createConnection(database)
  connection.exec(`pragma busy_timeout = ${busyMs}`)
  return connection
}

/** More than a connection has prepared at once; above it, collected statements are dropped from the set. */
const CLEANUP_THRESHOLD = 2000

function createConnection(database: BunDatabase): Connection {
  // Bun 1.4: the database and its files stay open until each statement is finalized.
  const statements = new Set<WeakRef<BunStatement>>()
  return {
    prepare: (sql) => {
      if (statements.size > CLEANUP_THRESHOLD) dropCollected(statements)
      const statement = database.prepare(sql)
      statements.add(new WeakRef(statement))
      return preparedStatement(statement)
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

function preparedStatement(statement: BunStatement): PreparedStatement {
  return {
    all: (parameters) => statement.values(...parameters),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { changes, lastId: lastInsertRowid }
    },
  }
}

function dropCollected(statements: Set<WeakRef<BunStatement>>): void {
  for (const statement of statements) if (statement.deref() === undefined) statements.delete(statement)
}
