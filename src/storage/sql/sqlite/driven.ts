/**
 * A SQLite database behind the session of a host: adds to it the schema and its migrations, the search index with its pending texts,
 * and the tokens of changes. Where results are promises, it sends one statement at a time.
 */
import { andThen, catchError, isPromise } from '../../../contract/maybe-promise.ts'
import { type MaybePromise, StorageUnavailable } from '../../../contract/storage.ts'
import type { SqlClient } from '../engine/client.ts'
import type { Extent, Row } from '../engine/fragments.ts'
import { Turns } from '../engine/one-by-one.ts'
import type {
  BeginOptions,
  SqlResult,
  SqlSession,
  SqlStatement,
  SqlTransaction,
  Written,
} from '../engine/sql-session.ts'
import { each, rowsOf, runSteps, type Steps } from '../engine/steps.ts'
import { sqliteDialect } from './dialect.ts'
import { isBusy, LOCK_TIMEOUT_MS, lockTimeout, sqliteFailure, writeErrorOf } from './failures.ts'
import { assertKnownVersion, migrating, pendingMigrations, syncingSearchIndex } from './migrate.ts'
import { BackgroundIndexing, hasSearchIndex, indexBatch, isBatchPending } from './search-index.ts'

export interface DrivenOptions {
  readonly searchIndex: boolean
  readonly onStatement?: ((sql: string) => void) | undefined
}

/** The pause between two attempts to get the lock. */
const RETRY_MS = 10

type Ordered = <T>(work: () => MaybePromise<T>) => MaybePromise<T>

export class DrivenSqlite implements SqlSession {
  readonly isAsync: boolean
  readonly hasOneConnection: boolean
  readonly dialect
  /** Absent where the session does not know of the commits of others. */
  readonly changes: (() => string) | undefined
  readonly #driver: SqlSession
  readonly #options: DrivenOptions
  readonly #indexing: BackgroundIndexing
  #client: SqlClient | undefined
  #opening: Promise<void> | undefined
  #isOpen = false
  #isClosed = false
  #commits = 0

  constructor(driver: SqlSession, options: DrivenOptions) {
    this.#driver = driver
    this.#options = options
    this.isAsync = driver.isAsync ?? true
    this.hasOneConnection = driver.hasOneConnection === true
    this.dialect = sqliteDialect({ hasSearchIndex: options.searchIndex })
    if (driver.changes !== undefined) this.changes = () => `${this.#commits}.${driver.changes?.()}`
    this.#indexing = new BackgroundIndexing({ isWanted: options.searchIndex, indexPending: () => this.#indexPending() })
  }

  /** Texts are indexed in its transactions, between those of the stores. */
  indexWith(client: SqlClient): void {
    this.#client = client
  }

  /** After a failure the next use tries again. */
  open(): MaybePromise<void> {
    if (this.#isClosed) throw new StorageUnavailable('this storage is closed', { written: 'no' })
    if (this.#isOpen) return
    if (this.#opening !== undefined) return this.#opening
    const opening = catchError(
      () =>
        andThen(this.#open(), () => {
          this.#isOpen = true
          this.#indexing.schedule()
        }),
      (error) => {
        this.#opening = undefined
        throw sqliteFailure(error)
      },
    )
    if (isPromise(opening)) this.#opening = opening
    return opening
  }

  #open(): MaybePromise<void> {
    const isWanted = this.#options.searchIndex
    return andThen(this.#driver.open?.(), () =>
      andThen(this.#perform(pendingMigrations()), (pending) =>
        andThen(pending.length === 0 ? undefined : this.#performAll(migrating(false)), () =>
          andThen(this.#perform(hasSearchIndex()), (has) =>
            has === isWanted ? undefined : this.#performAll(syncingSearchIndex(isWanted)),
          ),
        ),
      ),
    )
  }

  /** Steps that read. */
  #perform<T>(steps: Steps<T>): MaybePromise<T> {
    return runSteps(steps, (statement) => this.#driver.all(statement))
  }

  /** Steps that write, in one transaction. */
  #performAll(steps: Steps<unknown>): MaybePromise<void> {
    return andThen(this.#driver.begin({ askedAt: Date.now(), isShared: false }), (transaction) =>
      catchError(
        () =>
          andThen(
            runSteps(steps, (statement) => transaction.all(statement)),
            () => transaction.commit({ anything: true, options: true }),
          ),
        (error) => failing(transaction, error),
      ),
    )
  }

  close(): MaybePromise<void> {
    this.#isClosed = true
    return this.#driver.close?.()
  }

  all(statement: SqlStatement, extent?: Extent): MaybePromise<readonly Row[]> {
    return andThen(this.open(), () => {
      this.#options.onStatement?.(statement.text)
      return namingFailures(() => this.#driver.all(statement, extent))
    })
  }

  begin(options: BeginOptions): MaybePromise<SqlTransaction> {
    return andThen(this.open(), () => andThen(this.#beginOn(options), (transaction) => this.#begun(transaction)))
  }

  /** Waits without blocking while another process, or another storage of this one, holds the lock. */
  #beginOn(options: BeginOptions): MaybePromise<SqlTransaction> {
    return catchError(
      () => this.#driver.begin(options),
      async (error): Promise<SqlTransaction> => {
        if (!isBusy(error)) throw writeErrorOf(error) ?? sqliteFailure(error)
        if (Date.now() > options.askedAt + LOCK_TIMEOUT_MS) throw lockTimeout()
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        return this.#beginOn(options)
      },
    )
  }

  /** A newer version of the package may have migrated the database since it was opened here; then this process writes no more. */
  #begun(transaction: SqlTransaction): MaybePromise<SqlTransaction> {
    return catchError(
      () =>
        andThen(
          runSteps(assertKnownVersion(), (statement) => transaction.all(statement)),
          () => this.#ordered(transaction),
        ),
      (error) => failing(transaction, error),
    )
  }

  #ordered(transaction: SqlTransaction): SqlTransaction {
    const turns = new Turns()
    const inOrder: Ordered = this.isAsync ? (work) => turns.run(async () => work()) : (work) => work()
    const noted = (statement: SqlStatement) => this.#options.onStatement?.(statement.text)
    const control = (texts: readonly string[]) => inOrder(() => runSteps(each(texts), (text) => transaction.all(text)))
    return {
      get isAlive() {
        return transaction.isAlive ?? true
      },
      all: (statement) => {
        noted(statement)
        return inOrder(() => namingFailures(() => transaction.all(statement)))
      },
      run: (statement): MaybePromise<SqlResult> => {
        noted(statement)
        return inOrder(() => namingFailures(() => transaction.run(statement)))
      },
      createIndexes: (statements) => control(statements),
      savepoints: {
        begin: (depth) => control([`savepoint s${depth}`]),
        release: (depth) => control([`release s${depth}`]),
        rollback: (depth) => control([`rollback to s${depth}`, `release s${depth}`]),
      },
      commit: (written) => inOrder(() => this.#commit(transaction, written)),
      rollback: () => inOrder(() => rolledBack(transaction)),
    }
  }

  #commit(transaction: SqlTransaction, written: Written): MaybePromise<void> {
    return andThen(
      namingFailures(() => transaction.commit(written), { isCommit: true }),
      () => {
        if (!written.anything) return
        this.#commits++
        this.#indexing.schedule()
      },
    )
  }

  #indexPending(): MaybePromise<void> {
    if (this.#isClosed) return
    return andThen(this.#perform(rowsOf(isBatchPending)), ([row]) => {
      if (row?.[0] !== 1) return
      return this.#client?.transact((transaction) =>
        andThen(
          runSteps(each(indexBatch), (statement) => transaction.all(statement)),
          () => this.#indexing.schedule(),
        ),
      )
    })
  }
}

/** A rollback fails where the connection is lost, which has undone the transaction. */
const rolledBack = (transaction: SqlTransaction): MaybePromise<void> =>
  catchError(
    () => transaction.rollback(),
    () => undefined,
  )

const failing = (transaction: SqlTransaction, error: unknown): MaybePromise<never> =>
  andThen(rolledBack(transaction), () => {
    throw error
  })

/** The errors of the database, as callers can handle them. */
function namingFailures<T>(work: () => MaybePromise<T>, { isCommit = false } = {}): MaybePromise<T> {
  return catchError<T, never>(work, (error) => {
    throw writeErrorOf(error) ?? sqliteFailure(error, { isCommit })
  })
}
