/**
 * The session of a PostgreSQL database. Reads run in parallel on the connections of a pool. Writing transactions of all
 * processes run one at a time, under an advisory lock of the schema: what a transaction has read stays true until it ends, so
 * slugs, watermarks and counters need no other locks. READ COMMITTED, so that each statement sees everything that was
 * committed before the lock was granted.
 */
import type { Changes } from '../../../contract/storage.ts'
import { SqlClient } from '../engine/client.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Fragment, Row } from '../engine/fragments.ts'
import type { BeginOptions, SqlSession, SqlTransaction, Written } from '../engine/sql-session.ts'
import { type ConnectionOptions, PostgresConnection, type PostgresPool } from './connection.ts'
import { ensureIndexes } from './migrate.ts'
import { pipelinedTransaction } from './pipelined.ts'
import { createCached, readTokens } from './read-tokens.ts'
import { ServerPool, type ServerPoolOptions } from './server-pool.ts'
import type { ReadServer } from './standbys/replica.ts'
import { createServerStatements, type ServerStatements } from './statements.ts'
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

export class PostgresClient implements SqlSession {
  readonly isAsync = true
  readonly #options: PostgresClientOptions
  readonly #statements: ServerStatements
  readonly #server: ServerPool
  readonly cached = createCached((statement) => this.all(statement))
  /** The stores' side of the session. */
  readonly sql: SqlClient
  readonly primary: ReadServer
  #watcher: PositionWatcher | undefined
  /** The transactions whose end was sent and not answered yet. */
  readonly #ending = new Set<Promise<void>>()
  #mayFlush = false
  #texts: TransactionTexts
  readonly #isIdle = Promise.withResolvers<void>()
  #closing: Promise<void> | undefined

  constructor(options: PostgresClientOptions) {
    this.#options = options
    this.#statements = createServerStatements(options.quotedSchema)
    this.#texts = transactionTexts(options)
    this.#server = new ServerPool(options.primary, options, (pool) => this.#prepare(pool))
    this.sql = new SqlClient({ dialect: options.dialect, session: this })
    this.primary = { session: this.sql.session(), readChanges: () => this.readChanges() }
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

  /** Transactions that are running have so long to end before they are cut. */
  closing(): void {
    this.#closing ??= this.#server.close(async (end) => {
      await this.#isIdle.promise
      end()
      await Promise.allSettled(this.#ending)
    })
  }

  async close(): Promise<void> {
    this.#isIdle.resolve()
    await this.#closing
  }

  async all({ text, values }: Fragment): Promise<readonly Row[]> {
    return this.#server.read(this.#statements.of(text), values)
  }

  /** The tokens of the last transactions that have written anything, and options. */
  async readChanges(): Promise<Changes> {
    const heard = this.#watcher?.ask()
    const [row] = await this.all(readTokens)
    heard?.(Number(row?.[2]))
    return { all: String(row?.[0]), options: String(row?.[1]), position: Number(row?.[2]) }
  }

  /** The patience counts from the arrival of the write, whether it waits in this process or for others. */
  async begin({ askedAt }: BeginOptions): Promise<SqlTransaction> {
    const deadline = askedAt + this.#options.timeouts.lockMs
    if (Date.now() > deadline) throw lockTimeout()
    const connection = await this.#server.connect()
    const { script, state } = this.#texts
    const end = this.#isFlushedLater(connection) ? flushedLater : ''
    const transaction = new ServerTransaction(connection, { script: script + end, state }, deadline)
    return pipelinedTransaction(transaction, {
      statements: this.#statements,
      sequences: this.#texts.sequences,
      forgetSequences: () => {
        this.#texts = transactionTexts(this.#options)
      },
      createIndexes: (statements) => this.#createIndexes(connection, statements),
      commit: (written) => this.#commitAndRelease(transaction, written),
      rollback: async () => {
        await transaction.rollback()
        this.#server.release(connection)
      },
    })
  }

  async #createIndexes(connection: PostgresConnection, statements: readonly string[]): Promise<void> {
    // The index of a long list takes longer than any other statement. Nothing flushes it later, and the process remembers it.
    await connection.script('set local statement_timeout = 0; set local synchronous_commit to default')
    await ensureIndexes(connection, statements, { ...this.#options, timeoutMs: SCHEMA_CHANGE_MS })
    await connection.script(`set local statement_timeout = ${this.#options.timeouts.queryMs}`)
  }

  #isFlushedLater(connection: PostgresConnection): boolean {
    return this.#mayFlush && connection.isPipelined
  }

  /**
   * In pipeline mode it ends when the commit is sent: the next transaction waits for the lock meanwhile. The result settles when what
   * was written is safe.
   */
  async #commitAndRelease(
    transaction: ServerTransaction,
    written: Written,
  ): Promise<{ readonly settled: Promise<void> }> {
    await transaction.ready()
    const committed = this.#commit(transaction, written)
    if (!transaction.connection.isPipelined) await committed
    const settled: Promise<void> = this.#endOf(transaction, committed).finally(() => this.#ending.delete(settled))
    settled.catch(() => undefined)
    this.#ending.add(settled)
    return { settled }
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

  async #commit(transaction: ServerTransaction, { anything, options }: Written): Promise<void> {
    const heard = anything ? this.#watcher?.ask() : undefined
    const { marks } = this.#texts
    const mark = options ? marks.options : marks.others
    try {
      const row = await transaction.commit({
        mark: anything ? mark : undefined,
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
