/**
 * The sessions of a PostgreSQL database. Reads run in parallel on the connections of a pool. Writing transactions of all
 * processes run one at a time, under an advisory lock of the schema: what a transaction has read stays true until it ends, so
 * slugs, watermarks and counters need no other locks. READ COMMITTED, so that each statement sees everything that was
 * committed before the lock was granted.
 */
import { type MaybePromise, StorageRetry } from '../../contract.ts'
import {
  assertActive,
  createScope,
  enqueue,
  isEnsured,
  runInScope,
  type TransactionActions,
  type TransactionScope,
} from '../../transaction-stack.ts'
import { ReadCache } from '../engine/read-cache.ts'
import type { Session } from '../engine/session.ts'
import type { Row, SqlValue, Statement } from '../engine/statements.ts'
import { type ConnectionOptions, PostgresConnection, type PostgresPool, type StatementSavepoint } from './connection.ts'
import { postgresConflict } from './errors.ts'
import { advisoryLockKeys, assertKnownVersion, ensureIndex } from './migrate.ts'
import { createServerStatements, type ServerStatement, type ServerStatements } from './statements.ts'

interface PostgresClientOptions extends ConnectionOptions {
  readonly pool: () => MaybePromise<PostgresPool>
  readonly ownsPool: boolean
  readonly schema: string
  readonly quotedSchema: string
  /** Whether the indexes of collections may be created. */
  readonly migrate: boolean
  /** Migrates the schema, or throws if its version does not fit. */
  readonly prepare: (connection: PostgresConnection) => Promise<void>
}

/** The server ends a transaction that is idle for this long. Other processes wait longer for the lock. */
const IDLE_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 60_000
const MAX_RETRIES = 3
/** The numbers of rows of one insert: few sizes, so that few statements are prepared. */
const insertSizes = [256, 32, 4, 1] as const

/** The open transaction on the server. */
interface ServerTransaction {
  readonly connection: PostgresConnection
  /** By the depth of the scope. */
  readonly savepoints: Map<number, StatementSavepoint>
}

export class PostgresClient {
  readonly #options: PostgresClientOptions
  readonly #statements: ServerStatements
  readonly #begin: string
  readonly #commitChanges: string
  readonly #root: TransactionScope = createScope()
  readonly #actions: TransactionActions
  readonly #readCache = new ReadCache()
  #transaction: ServerTransaction | undefined
  #pool: PostgresPool | undefined
  #opening: Promise<PostgresPool> | undefined
  #isClosed = false

  constructor(options: PostgresClientOptions) {
    this.#options = options
    this.#statements = createServerStatements(options.quotedSchema)
    this.#begin = [
      'begin isolation level read committed read write',
      `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
      `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
      `select pg_advisory_xact_lock(${advisoryLockKeys(options.schema)})`,
      `select max(version) from ${options.quotedSchema}.schema_versions`,
    ].join('; ')
    // Writers run one at a time, so no transaction waits for this row.
    this.#commitChanges = `update ${options.quotedSchema}.changes set version = version + 1; commit`
    this.#actions = {
      begin: (scope) => this.#beginScope(scope),
      commit: (scope) => this.#commitScope(scope),
      rollback: (scope) => this.#rollbackScope(scope),
    }
  }

  async open(): Promise<void> {
    await this.#openedPool()
  }

  close(): MaybePromise<void> {
    if (this.#isClosed) return
    return enqueue(this.#root, async () => {
      this.#isClosed = true
      const pool = this.#pool
      this.#pool = undefined
      if (this.#options.ownsPool) await pool?.end()
    })
  }

  /** The session outside transactions. It retries its own transactions, which have no other effects. */
  session(): Session {
    return this.#sessionOn(this.#root)
  }

  /** A transaction of the caller, which decides about retries. */
  atomic<T>(work: (transaction: Session) => MaybePromise<T>): Promise<T> {
    return this.#transact((scope) => work(this.#sessionOn(scope)), 0)
  }

  #sessionOn(scope: TransactionScope): Session {
    return {
      isAsync: true,
      all: (statement, values) => this.#read(scope, statement, values),
      run: (statement, values) => this.#write(scope, (writing) => this.#run(writing, statement, values)),
      insert: (statement, rows) => this.#write(scope, (writing) => this.#insert(writing, statement, rows)),
      atomic: (work) =>
        scope === this.#root
          ? this.#transact((child) => work(this.#sessionOn(child)))
          : enqueue(scope, () => runInScope(scope, this.#actions, (child) => work(this.#sessionOn(child)))),
      ensure: (name, ddl) => this.#ensure(scope, name, ddl),
      cached: scope === this.#root ? (key, read) => this.#cached(key, read) : undefined,
    }
  }

  async #read(scope: TransactionScope, statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    const converted = this.#statements.of(statement)
    if (scope !== this.#root) {
      assertActive(scope)
      return enqueue(scope, async () => (await this.#connection().execute(converted, values)).rows)
    }
    const connection = await PostgresConnection.from(await this.#openedPool(), this.#options)
    try {
      return (await connection.execute(converted, values)).rows
    } finally {
      connection.release()
    }
  }

  /** Reads the version first: the result is at least as new. */
  async #cached<T>(key: string, read: () => MaybePromise<T>): Promise<T> {
    const [row] = await this.#read(this.#root, readVersion, [])
    return this.#readCache.get(row?.[0], key, read)
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
    let connection: PostgresConnection | undefined
    try {
      return await enqueue(this.#root, () =>
        runInScope(this.#root, this.#actions, (scope) => {
          connection = this.#connection()
          return work(scope)
        }),
      )
    } catch (error) {
      if (connection?.retryError === undefined) throw error
      if (retries === 0) throw new StorageRetry(connection.retryError)
      return this.#transact(work, retries - 1)
    }
  }

  async #run(scope: TransactionScope, statement: Statement, values: readonly SqlValue[]): Promise<number> {
    const { rowCount } = await this.#execute(scope, this.#statements.of(statement), values)
    if (rowCount) scope.hasWritten = true
    return rowCount ?? 0
  }

  async #insert(
    scope: TransactionScope,
    statement: Statement,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<number[]> {
    scope.hasWritten = true
    const ids: number[] = []
    for (let from = 0; from < rows.length; ) {
      const remaining = rows.length - from
      const size = insertSizes.find((rowCount) => rowCount <= remaining) ?? 1
      const converted = this.#statements.insertOf(statement, size)
      const inserted = await this.#execute(scope, converted, rows.slice(from, from + size).flat())
      for (const [id] of inserted.rows) ids.push(Number(id))
      from += size
    }
    return ids
  }

  async #execute(scope: TransactionScope, statement: ServerStatement, values: readonly SqlValue[]) {
    const { connection, savepoints } = this.#transaction as ServerTransaction
    try {
      if (!statement.mayConflict) return await connection.execute(statement, values)
      return await connection.executeWithSavepoint(statement, values, savepointOf(savepoints, scope.depth))
    } catch (error) {
      throw postgresConflict(error) ?? error
    }
  }

  #ensure(scope: TransactionScope, name: string, ddl: () => readonly string[]): MaybePromise<void> {
    if (isEnsured(scope, name)) return
    return this.#write(scope, async (writing) => {
      for (const text of ddl()) await ensureIndex(this.#connection(), text, this.#options)
      writing.ensured.add(name)
    })
  }

  #connection(): PostgresConnection {
    // The cast: only called in a scope that has begun.
    return (this.#transaction as ServerTransaction).connection
  }

  async #beginScope(scope: TransactionScope): Promise<void> {
    if (scope.depth > 1) {
      await this.#connection().script(`savepoint s${scope.depth}`)
      return
    }
    const connection = await PostgresConnection.from(await this.#openedPool(), this.#options)
    this.#transaction = { connection, savepoints: new Map() }
    const [row] = await connection.scriptRows(this.#begin)
    // A newer version of the package may have migrated the schema since; then this process writes no more.
    assertKnownVersion(Number(row?.[0] ?? 0))
  }

  async #commitScope(scope: TransactionScope): Promise<void> {
    const { connection, savepoints } = this.#transaction as ServerTransaction
    if (scope.depth > 1) {
      await connection.script(`release savepoint s${scope.depth}`)
      savepoints.delete(scope.depth)
      return
    }
    // After an error that `work` ignored, the server rolls back on commit and reports no error.
    if ((await connection.script(scope.hasWritten ? this.#commitChanges : 'commit')) !== 'COMMIT') {
      throw new Error('a statement of this transaction has failed; nothing was written')
    }
    this.#releaseConnection()
  }

  async #rollbackScope(scope: TransactionScope): Promise<void> {
    if (this.#transaction === undefined) return
    const { connection, savepoints } = this.#transaction
    savepoints.delete(scope.depth)
    try {
      const text =
        scope.depth > 1 ? `rollback to savepoint s${scope.depth}; release savepoint s${scope.depth}` : 'rollback'
      await connection.rollback(text)
    } catch {
      // The connection is broken, so the server has rolled back.
    }
    if (scope.depth === 1) this.#releaseConnection()
  }

  #releaseConnection(): void {
    this.#transaction?.connection.release()
    this.#transaction = undefined
  }

  /** Opens on first use; after a failure the next use tries again. */
  async #openedPool(): Promise<PostgresPool> {
    if (this.#isClosed) throw new Error('this storage is closed')
    if (this.#pool !== undefined) return this.#pool
    this.#opening ??= this.#openPool().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #openPool(): Promise<PostgresPool> {
    const pool = await this.#options.pool()
    const connection = await PostgresConnection.from(pool, this.#options)
    try {
      await this.#options.prepare(connection)
    } finally {
      connection.release()
    }
    this.#pool = pool
    return pool
  }
}

const readVersion: Statement = { sql: 'select version from changes', parameters: [] }

function savepointOf(savepoints: Map<number, StatementSavepoint>, depth: number): StatementSavepoint {
  const savepoint = savepoints.get(depth) ?? { name: `g${depth}`, isSet: false }
  savepoints.set(depth, savepoint)
  return savepoint
}
