/** The interface on which the stores run statements: synchronous on SQLite, asynchronous on a server. */
import type { MaybePromise } from '../../contract.ts'
import type { Row, SqlValue, Statement } from './statements.ts'

export interface Session {
  /** True when every result is a promise. */
  readonly isAsync: boolean
  /** The rows of a statement that reads. */
  all(statement: Statement, values: readonly SqlValue[]): MaybePromise<readonly Row[]>
  /** Runs a statement that writes; returns the number of changed rows. */
  run(statement: Statement, values: readonly SqlValue[]): MaybePromise<number>
  /**
   * Runs an insert once per list of values; returns the new ids. Several rows are all or nothing only within `atomic`.
   */
  insert(statement: Statement, rows: readonly (readonly SqlValue[])[]): MaybePromise<number[]>
  /** A transaction, or a savepoint within one. The session that `work` receives ends with it. */
  atomic<T>(work: (transaction: Session) => MaybePromise<T>): MaybePromise<T>
  /** Makes a schema change at most once per storage. A rollback forgets what its transaction ensured. */
  ensure(name: string, ddl: () => readonly string[]): MaybePromise<void>
  /**
   * Returns the cached result, or reads and caches it until the next write. Absent in a transaction, which always
   * reads.
   */
  cached?<T>(key: string, read: () => MaybePromise<T>): MaybePromise<T>
}
