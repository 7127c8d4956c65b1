import { DatabaseSync } from 'node:sqlite'
import { type Row, type SqlSession, type SqlStatement, type SqlTransaction, sqlStorage } from 'site-api/storage/sql'

/** A session on one connection of `node:sqlite`. */
export function sessionOn(database: DatabaseSync): SqlSession {
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    statement.setReturnArrays(true)
    return statement
  }
  // The cast: with `setReturnArrays` rows are arrays.
  const all = ({ text, values }: SqlStatement) => prepare(text).all(...values) as unknown as Row[]
  const transaction: SqlTransaction = {
    all,
    run: ({ text, values }) => {
      const { changes, lastInsertRowid } = prepare(text).run(...values)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    },
    commit: () => database.exec('commit'),
    rollback: () => {
      if (database.isTransaction) database.exec('rollback')
    },
  }
  return {
    isAsync: false,
    hasOneConnection: true,
    all,
    begin: () => {
      database.exec('begin immediate')
      return transaction
    },
    // Nothing else writes to this database.
    changes: () => 0,
    close: () => database.close(),
  }
}

export const ownStorage = () => sqlStorage({ dialect: 'sqlite', session: sessionOn(new DatabaseSync(':memory:')) })
