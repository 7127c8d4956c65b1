/** The engine needs little of a database: that it reads, and runs one writing transaction at a time. */
import type { Changes, MaybePromise } from '../../../contract/storage.ts'
import type { Extent, Row, SqlValue } from './fragments.ts'
import type { Insertion, InsertOptions, KnownRows, Session } from './session.ts'

/** A statement as its database reads it: with `?` on SQLite, with `$1` and qualified tables on PostgreSQL. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** The same for the same text: the name of a prepared statement. Absent on SQLite, where the text is the name. */
  readonly name?: string
}

/** The result of a statement that writes. */
export interface SqlResult {
  /** The number of changed rows. */
  readonly changes: number
  /** The id of the last inserted row, which SQLite knows. */
  readonly lastId?: number
}

/** Says whether a transaction has written anything, and options. */
export interface Written {
  readonly anything: boolean
  readonly options: boolean
}

/** Says how a transaction begins. */
export interface BeginOptions {
  /** `Date.now()` when the transaction was asked for: the patience for other processes counts from then. */
  readonly askedAt: number
  /** True: several transactions of the callers share this one, each as a savepoint. */
  readonly isShared: boolean
}

/**
 * A running transaction. Statements run in the order of the calls. A savepoint is a statement, `savepoint s2`, unless `savepoints` is there.
 */
export interface SqlTransaction {
  /** The rows of a statement, also of one that writes and returns rows. */
  all(statement: SqlStatement): MaybePromise<readonly Row[]>
  run(statement: SqlStatement): MaybePromise<SqlResult>
  /** Rejects if nothing was written, or with `written: 'perhaps'` of StorageUnavailable if that is unknown. */
  commit(written: Written): MaybePromise<void>
  /** Never throws: the error that was its cause is reported. */
  rollback(): MaybePromise<void>

  /** False once an error has ended the transaction: then there is nothing to roll back. Default: true until it ends. */
  readonly isAlive?: boolean
  /** Pipelining: sends a statement without waiting for its answer. If it fails, a later statement or the commit throws its error. */
  send?(statement: SqlStatement, count?: number): MaybePromise<unknown>
  /** Inserts several rows at once; returns the new ids. `inOrder` runs work when no savepoint is open. */
  insert?(insertion: Insertion, options: InsertOptions, inOrder: InOrder): MaybePromise<number[]>
  readonly savepoints?: {
    begin(depth: number): MaybePromise<void>
    release(depth: number): MaybePromise<void>
    rollback(depth: number): MaybePromise<void>
  }
  /** Creates indexes unless they exist. Default: runs the statements. */
  createIndexes?(statements: readonly string[]): MaybePromise<void>
  readonly known?: KnownRows
  /** Its number among the transactions of all processes that write. Absent: they are not counted. */
  position?(): MaybePromise<number>
  /** Rejects when the connection ends, so that work that waits for something else ends too. */
  readonly lost?: Promise<never>
  /** The error with which the database asks to run the transaction again. */
  readonly retryError?: unknown
  /** Settles when a commit that the next transaction need not wait for is safe. */
  readonly settled?: Promise<void>
}

export type InOrder = <T>(work: () => MaybePromise<T>) => MaybePromise<T>

/** A database. */
export interface SqlSession {
  /** The rows of a statement outside of transactions: what was committed last. */
  all(statement: SqlStatement, extent?: Extent): MaybePromise<readonly Row[]>
  /** Begins a transaction that may write. The engine asks for one at a time; those of other processes wait for its end. */
  begin(options: BeginOptions): MaybePromise<SqlTransaction>
  /** False: every result is a value, not a promise. Default: true, and every result is a promise. */
  readonly isAsync?: boolean
  /** True: a read outside of a transaction would be part of the one that is running, so it waits for its end. Default: false. */
  readonly hasOneConnection?: boolean

  /** Connects. Called before the first use. */
  open?(): MaybePromise<void>
  /** Called when the storage begins to close, `close` when no transaction is running any more. */
  closing?(): void
  close?(): MaybePromise<void>
  /** A token that differs after every commit of the database, also after those of others. */
  changes?(): number | string
  /** The same, for a database that has to be asked: in one round trip. */
  readChanges?(): MaybePromise<Changes>
  /** Keeps results of reads while they stay the same. */
  readonly cached?: Session['cached']

  /** True: transactions that come at the same time share a commit, which waits for a disk. */
  readonly sharesCommits?: boolean
  /** True: some reads are promises although others are not. */
  readonly mayWait?: boolean
}
