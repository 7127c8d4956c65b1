/** The driver on `node:sqlite`. The module is loaded when a storage opens, so a bundle also works on other runtimes. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Row } from '../engine/fragments.ts'
import type { Connection, OpenConnection, PreparedStatement } from './driver.ts'

export const openNode: OpenConnection = (file, { busyMs, readOnly = false }) => {
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite === undefined) throw new Error('the SQLite storage needs node:sqlite, which Node has from 22.16 on')
  return createConnection(new sqlite.DatabaseSync(file, { timeout: busyMs, readOnly }))
}

function createConnection(database: DatabaseSync): Connection {
  return {
    prepare: (sql) => preparedStatement(database.prepare(sql)),
    exec: (sql) => database.exec(sql),
    get inTransaction() {
      return database.isTransaction
    },
    close: () => database.close(),
  }
}

function preparedStatement(statement: StatementSync): PreparedStatement {
  // Rows as arrays take half the time of rows as objects (measured on Node 24).
  statement.setReturnArrays(true)
  return {
    // The cast: with `setReturnArrays` rows are arrays, which the types lack; no column has a blob or a bigint.
    all: (parameters) => statement.all(...parameters) as unknown as Row[],
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    },
  }
}
