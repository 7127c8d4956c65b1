/**
 * Where statements run. Stores are written once against this: on SQLite everything is answered at once, on a server it is
 * promised.
 */
import type { MaybePromise } from '../../contract.ts'
import type { Row, SqlValue, Statement } from './statements.ts'

export interface Session {
  /** True: every answer is a promise. */
  readonly answersLater: boolean
  /** The rows of a statement that reads. */
  all(statement: Statement, values: readonly SqlValue[]): MaybePromise<readonly Row[]>
  /** Runs a statement that writes; answers how many rows it changed. */
  run(statement: Statement, values: readonly SqlValue[]): MaybePromise<number>
  /** Runs an insert once for each list of values; answers the new ids. Several are all or nothing within `atomic`. */
  insert(statement: Statement, rows: readonly (readonly SqlValue[])[]): MaybePromise<number[]>
  /** All or nothing; within another one a savepoint. The session that `work` gets ends with it. */
  atomic<T>(work: (inside: Session) => MaybePromise<T>): MaybePromise<T>
  /**
   * Makes sure that a change of the schema was made once in the life of this storage. What is ensured in a transaction
   * that fails is forgotten with it.
   */
  ensure(name: string, ddl: () => readonly string[]): MaybePromise<void>
  /** What was read before, as long as nobody has written since. A transaction reads each time and has no such method. */
  remember?<T>(key: string, read: () => MaybePromise<T>): MaybePromise<T>
}
