/**
 * The sessions of a PostgreSQL database. Reads run in parallel on the connections of a pool. Writing transactions of all
 * processes run one at a time, under an advisory lock of the schema: what a transaction has read stays true until it ends, so
 * slugs, watermarks and counters need no other locks. READ COMMITTED, so that each statement sees everything that was
 * committed before the lock was granted.
 */
import { type Changes, type MaybePromise, StorageRetry } from '../../../contract/storage.ts'
import {
  assertActive,
  createScope,
  enqueue,
  isEnsured,
  runInScope,
  type TransactionActions,
  type TransactionScope,
} from '../../transaction-stack.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Fragment, Row, SqlValue } from '../engine/fragments.ts'
import type { CountedTable, Insertion, Session } from '../engine/session.ts'
import { type ConnectionOptions, PostgresConnection, type PostgresPool } from './connection.ts'
import { postgresConflict } from './errors.ts'
import { ensureIndexes } from './migrate.ts'
import { createCached, readTokens } from './read-tokens.ts'
import { ServerPool, type ServerPoolOptions } from './server-pool.ts'
import type { ReadServer } from './standbys/replica.ts'
import {
  countError,
  createServerStatements,
  failedChecks,
  insertParts,
  type ServerStatement,
  type ServerStatements,
} from './statements.ts'
import { lockTimeout, ServerTransaction } from './transaction.ts'
import {
  flush,
  flushedLater,
  mayFlush,
  readSequences,
  type TransactionTexts,
  transactionTexts,
} from './transaction-texts.ts'

interface PostgresClientOptions extends ConnectionOptions {
  readonly dialect: Dialect
  readonly primary: ServerPoolOptions
  readonly schema: string
  readonly quotedSchema: string
  /** Whether the indexes of collections may be created. */
  readonly migrate: boolean
  /** Migrates the schema, or throws if its version does not fit. */
  readonly prepare: (connection: PostgresConnection) => Promise<void>
}

/** Hears the position of the primary: the number of its last writing transaction. */
interface PositionWatcher {
  /** Called before the primary is asked; the result takes its position. */
  ask(): (position: number) => void
  /** The primary may have more than it has answered. */
  forget(): void
}

/** For indexes of collections and for migrations, which may read whole tables. */
const SCHEMA_CHANGE_MS = 30 * 60_000
const MAX_RETRIES = 3
/** An insert of more rows is waited for, so that an import does not fill the memory with unsent rows. */
const maxPipelinedRows = 32

export class PostgresClient {
  readonly #options: PostgresClientOptions
  readonly #statements: ServerStatements
  readonly #root: TransactionScope = createScope()
  readonly #actions: TransactionActions
  readonly #cached = createCached((statement) => this.#read(this.#root, statement))
  readonly #server: ServerPool
  /** Outside transactions. It retries its own transactions, which have no other effects. */
  readonly primary: ReadServer
  #watcher: PositionWatcher | undefined
  #transaction: ServerTransaction | undefined
  /** The transactions whose end was sent and not answered yet. */
  readonly #ending = new Map<ServerTransaction, Promise<void>>()
  #mayFlush = false
  #texts: TransactionTexts

  constructor(options: PostgresClientOptions) {
    this.#options = options
    this.primary = { session: this.#sessionOn(this.#root), readChanges: () => this.#readChanges() }
    this.#statements = createServerStatements(options.quotedSchema)
    this.#texts = transactionTexts(options)
    this.#server = new ServerPool(options.primary, options, (pool) => this.#prepare(pool))
    this.#actions = {
      begin: ({ depth }) => this.#current().beginSavepoint(depth),
      commit: (scope) => this.#commitScope(scope),
      rollback: (scope) => this.#rollbackScope(scope),
    }
  }

  async open(): Promise<void> {
    await this.#server.open()
  }

  /** The result hears the position of the primary from now on. */
  createReplicas<R extends PositionWatcher>(create: (parts: ReplicaParts) => R): R {
    const { timeouts } = this.#options
    const replicas = create({
      statements: this.#statements,
      primary: this.primary,
      connectMs: timeouts.connectMs,
      createPool: (server) => new ServerPool(server, this.#options),
    })
    this.#watcher = replicas
    return replicas
  }

  close(): MaybePromise<void> {
    if (this.#server.isClosed) return
    return this.#close()
  }

  /** Waits for the running transaction. */
  async #close(): Promise<void> {
    const atEnd = async (end: () => void) => {
      await enqueue(this.#root, end)
      await Promise.allSettled(this.#ending.values())
    }
    await this.#server.close(atEnd)
  }

  /** A transaction of the caller, which decides about retries. */
  atomic<T>(work: (transaction: Session) => MaybePromise<T>): Promise<T> {
    return this.#transact((scope) => work(this.#sessionOn(scope)), 0)
  }

  #sessionOn(scope: TransactionScope): Session {
    return {
      dialect: this.#options.dialect,
      isAsync: true,
      all: (statement) => this.#read(scope, statement),
      run: (statement) => this.#write(scope, (writing) => this.#run(writing, statement)),
      send: (statement, count) =>
        this.#write(scope, (writing) => this.#send(writing, this.#current(), statement, count)),
      insert: (insertion, { isSure = false } = {}) =>
        isSure && scope !== this.#root
          ? this.#insertPipelined(scope, insertion)
          : this.#write(scope, (writing) => this.#insert(writing, insertion)),
      atomic: (work) =>
        scope === this.#root
          ? this.#transact((child) => work(this.#sessionOn(child)))
          : enqueue(scope, () => runInScope(scope, this.#actions, (child) => work(this.#sessionOn(child)))),
      ensure: (name, indexes) => this.#ensure(scope, name, indexes),
      cached: scope === this.#root ? this.#cached : undefined,
      known: scope === this.#root ? undefined : this.#current().known,
    }
  }

  async #send(
    scope: TransactionScope,
    transaction: ServerTransaction,
    { text, values }: Fragment,
    count: number | undefined,
  ): Promise<void> {
    scope.hasWritten = true
    return count === undefined
      ? transaction.send(this.#statements.of(text), values, scope.depth)
      : transaction.send(this.#statements.countedOf(text), [...values, count], scope.depth, countError)
  }

  async #read(scope: TransactionScope, { text, values }: Fragment): Promise<readonly Row[]> {
    const converted = this.#statements.of(text)
    if (scope !== this.#root) {
      assertActive(scope)
      return enqueue(scope, async () => (await this.#current().execute(converted, values, scope.depth)).rows)
    }
    return this.#server.read(converted, values)
  }

  /** The tokens of the last transactions that have written anything, and options. */
  async #readChanges(): Promise<Changes> {
    const heard = this.#watcher?.ask()
    const [row] = await this.#read(this.#root, readTokens)
    heard?.(Number(row?.[2]))
    return { all: String(row?.[0]), options: String(row?.[1]) }
  }

  /** A single statement is atomic, so within a transaction it needs no savepoint. */
  #write<T>(scope: TransactionScope, work: (scope: TransactionScope) => Promise<T>): MaybePromise<T> {
    return scope === this.#root ? this.#transact(work) : enqueue(scope, () => work(scope))
  }

  /**
   * Runs a transaction, and retries it when the server requests that, for example after a deadlock with statements of the
   * host. Then the error of `work` is ignored: results of a failed transaction are not reliable.
   */
  async #transact<T>(work: (scope: TransactionScope) => MaybePromise<T>, retries = MAX_RETRIES): Promise<T> {
    const deadline = Date.now() + this.#options.timeouts.lockMs
    let transaction: ServerTransaction | undefined
    const actions = { ...this.#actions, begin: () => this.#beginTransaction(deadline) }
    try {
      const result = await enqueue(this.#root, () =>
        runInScope(this.#root, actions, (scope) => {
          transaction = this.#current()
          // Work that waits for something else must not hold the others up when its transaction is lost.
          return Promise.race([work(scope), transaction.connection.lost])
        }),
      )
      // The next transaction has begun meanwhile: the server makes several durable at once.
      if (transaction) await this.#ending.get(transaction)
      return result
    } catch (error) {
      const retryError = transaction?.connection.retryError
      if (retryError === undefined) throw error
      if (retries === 0) throw new StorageRetry(retryError)
      return this.#transact(work, retries - 1)
    }
  }

  async #run(scope: TransactionScope, { text, values }: Fragment): Promise<number> {
    const { rowCount } = await this.#execute(scope, this.#statements.of(text), values)
    if (rowCount) scope.hasWritten = true
    return rowCount ?? 0
  }

  async #insertPipelined(scope: TransactionScope, insertion: Insertion): Promise<number[]> {
    const transaction = this.#current()
    const { rows } = insertion
    // The cast: other tables have no known sequence.
    const table = insertion.table as CountedTable
    const sequence = this.#texts.sequences.get(table)
    const isCounted = sequence !== undefined && rows.length <= maxPipelinedRows
    const ids = isCounted ? await enqueue(scope, () => transaction.nextIds(table, rows.length)) : undefined
    if (ids === undefined) return enqueue(scope, () => this.#insert(scope, insertion))
    // Rows that something else inserts take ids too: then the transaction runs again, and waits for the server's ids from now on.
    const errorOf = (error: unknown) => {
      if ((error as { readonly code?: unknown }).code !== failedChecks.id) return error
      this.#texts = transactionTexts(this.#options)
      transaction.connection.retryError = error
      return error
    }
    scope.hasWritten = true
    const values = rows.flatMap((row, at) => [...row, ids[at] as number])
    const converted = this.#statements.insertOf(insertion, sequence)
    await enqueue(scope, () => transaction.send(converted, values, scope.depth, errorOf))
    return ids
  }

  async #insert(scope: TransactionScope, insertion: Insertion): Promise<number[]> {
    scope.hasWritten = true
    this.#current().forgetIds()
    const ids: number[] = []
    const converted = this.#statements.insertOf(insertion)
    for (const part of insertParts(insertion.rows)) {
      const inserted = await this.#execute(scope, converted, part.flat())
      for (const [id] of inserted.rows) ids.push(Number(id))
    }
    return ids
  }

  async #execute(scope: TransactionScope, statement: ServerStatement, values: readonly SqlValue[]) {
    try {
      return await this.#current().execute(statement, values, scope.depth)
    } catch (error) {
      throw postgresConflict(error) ?? error
    }
  }

  #ensure(scope: TransactionScope, name: string, indexes: () => readonly string[]): MaybePromise<void> {
    if (isEnsured(scope, name)) return
    return this.#write(scope, async (writing) => {
      await this.#current().direct(async (connection) => {
        // The index of a long list takes longer than any other statement. Nothing flushes it later, and the process remembers it.
        await connection.script('set local statement_timeout = 0; set local synchronous_commit to default')
        await ensureIndexes(connection, indexes(), { ...this.#options, timeoutMs: SCHEMA_CHANGE_MS })
        await connection.script(`set local statement_timeout = ${this.#options.timeouts.queryMs}`)
      })
      writing.ensured.add(name)
    })
  }

  #current(): ServerTransaction {
    // The cast: only called in a scope that has begun.
    return this.#transaction as ServerTransaction
  }

  /** The patience counts from the arrival of the write, whether it waits in this process or for others. */
  async #beginTransaction(deadline: number): Promise<void> {
    if (Date.now() > deadline) throw lockTimeout()
    const connection = await this.#server.connect()
    const { script, state } = this.#texts
    const end = this.#isFlushedLater(connection) ? flushedLater : ''
    this.#transaction = new ServerTransaction(connection, { script: script + end, state }, deadline)
  }

  #isFlushedLater(connection: PostgresConnection): boolean {
    return this.#mayFlush && connection.isPipelined
  }

  /** In pipeline mode it ends when the commit is sent: the next transaction waits for the lock meanwhile. */
  async #commitScope(scope: TransactionScope): Promise<void> {
    const transaction = this.#current()
    if (scope.depth > 1) return transaction.releaseSavepoint(scope.depth)
    await transaction.ready()
    const committed = this.#commit(transaction, scope.hasWritten)
    // Values that a failed transaction has ensured must not be remembered.
    if (!transaction.connection.isPipelined || scope.ensured.size > 0) await committed
    this.#transaction = undefined
    const ended = this.#endOf(transaction, committed).finally(() => this.#ending.delete(transaction))
    ended.catch(() => undefined)
    this.#ending.set(transaction, ended)
  }

  /** Until what it has written is safe. */
  async #endOf(transaction: ServerTransaction, committed: Promise<void>): Promise<void> {
    try {
      await committed
    } catch (error) {
      await transaction.rollback()
      this.#server.release(transaction.connection)
      throw error
    }
    try {
      await transaction.flushed
    } finally {
      this.#server.release(transaction.connection)
    }
  }

  async #commit(transaction: ServerTransaction, hasWritten: boolean): Promise<void> {
    const heard = hasWritten ? this.#watcher?.ask() : undefined
    const { marks } = this.#texts
    const mark = transaction.hasWrittenOptions ? marks.options : marks.others
    try {
      const row = await transaction.commit({
        mark: hasWritten ? mark : undefined,
        flush: this.#isFlushedLater(transaction.connection) ? flush : undefined,
      })
      heard?.(Number(row?.[0]))
    } catch (error) {
      // Perhaps it is stored.
      this.#watcher?.forget()
      throw error
    }
    transaction.flushed.catch(() => this.#watcher?.forget())
  }

  async #rollbackScope({ depth }: TransactionScope): Promise<void> {
    if (this.#transaction === undefined) return
    if (depth > 1) return this.#transaction.rollbackToSavepoint(depth)
    await this.#transaction.rollback()
    this.#releaseConnection()
  }

  #releaseConnection(): void {
    if (this.#transaction) this.#server.release(this.#transaction.connection)
    this.#transaction = undefined
  }

  async #prepare(pool: PostgresPool): Promise<void> {
    const timeouts = { ...this.#options.timeouts, queryMs: SCHEMA_CHANGE_MS }
    const connection = await PostgresConnection.from(pool, { ...this.#options, timeouts })
    try {
      await this.#options.prepare(connection)
      this.#mayFlush = await mayFlush(connection)
      this.#texts = transactionTexts(this.#options, await readSequences(connection, this.#options))
    } finally {
      connection.release()
    }
  }
}

/** Given to a storage that reads on other servers too. */
interface ReplicaParts {
  readonly statements: ServerStatements
  readonly primary: ReadServer
  readonly connectMs: number
  createPool(server: ServerPoolOptions): ServerPool
}
