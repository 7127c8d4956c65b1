/**
 * A connection from a `pg` pool: statements run in the order of the calls, prepared by name. A client in pipeline mode sends
 * each at once, so that several take one round trip; any other client gets one at a time. Declares the parts of `pg` that it
 * uses.
 */

import { StorageUnavailable } from '../../../contract/storage.ts'
import type { Row, SqlValue } from '../engine/fragments.ts'
import { breaksConnection, isRetryable, postgresConflict, postgresFailure } from './errors.ts'
import { parserOf } from './parsers.ts'
import type { ServerStatement, ServerValue } from './statements.ts'

/** The part of the `Pool` of `pg` that the storage uses. */
export interface PostgresPool {
  connect(callback: (error: Error | undefined, client: PostgresPoolClient | undefined) => void): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

interface PostgresPoolClient {
  /** Uses members of `pg`: ends a connection whose other side is silent, and holds back its output. */
  readonly connection?: { readonly stream?: { destroy(): void; cork?(): void; uncork?(): void } }
  /** Of `pg`: sends a query without waiting for the answer to the one before. */
  readonly pipeline?: boolean
  query(query: object): Promise<unknown>
  release(error?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

export interface Result {
  readonly rows: readonly Row[]
  readonly rowCount: number | null
  readonly command: string
}

/** How long the storage waits for a server that is silent. */
export interface PostgresTimeouts {
  /** Limits the wait for a connection of the pool, new or free. Default: 4000. */
  readonly connectMs?: number
  /** Limits the wait for the response to a statement, and for the next statement of a transaction. Default: 4000. */
  readonly queryMs?: number
  /** Limits the wait for other transactions, from the arrival of a write. Default: 15,000. */
  readonly lockMs?: number
  /** The wait for running transactions when the storage closes. Default: 4000. */
  readonly closeMs?: number
}

export const defaultTimeouts: Required<PostgresTimeouts> = {
  connectMs: 4000,
  queryMs: 4000,
  lockMs: 15_000,
  closeMs: 4000,
}

export interface ConnectionOptions {
  readonly timeouts: Required<PostgresTimeouts>
  readonly onStatement?: ((sql: string) => void) | undefined
  /** False behind a proxy that gives each transaction another connection. */
  readonly prepares: boolean
}

/** A server stores prepared statements until the connection closes; beyond this number none are prepared. */
const MAX_PREPARED = 400
const preparedNames = new WeakMap<PostgresPoolClient, Set<string>>()

/**
 * Clients with a permanent error listener. A pool listens to idle clients, PostgresConnection to those in use; a lost client
 * that was released may emit another error, which without a listener ends the process.
 */
const clientsWithListener = new WeakSet<PostgresPoolClient>()
const ignoreError = (): void => undefined

export class PostgresConnection {
  readonly #client: PostgresPoolClient
  readonly #options: ConnectionOptions
  /** The end of the last task that has the connection for itself. */
  #turn: Promise<unknown> | undefined
  #isBroken = false
  #isCorked = false
  /** From here on, a connection that ends says nothing about the outcome of its transaction. */
  #isCommitSent = false
  #loss = Promise.withResolvers<never>()
  /** The error with which the server requests a retry of the transaction. */
  retryError: unknown

  /**
   * Uses the callback, so that the listener is added in the same turn: a server may close a connection as it accepts
   * it.
   */
  static from(pool: PostgresPool, options: ConnectionOptions): Promise<PostgresConnection> {
    const { connectMs } = options.timeouts
    return new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(new StorageUnavailable(`PostgreSQL gave no connection within ${connectMs} ms`, { written: 'no' }))
      }, connectMs)
      pool.connect((error, client) => {
        clearTimeout(timer)
        if (!client) reject(postgresFailure(error))
        else if (isLate) client.release()
        else resolve(new PostgresConnection(client, options))
      })
    })
  }

  constructor(client: PostgresPoolClient, options: ConnectionOptions) {
    this.#client = client
    this.#options = options
    // Without a listener, the loss of a connection between two statements would end the process.
    client.on('error', this.#onLost)
    if (!clientsWithListener.has(client)) client.on('error', ignoreError)
    clientsWithListener.add(client)
    this.#loss.promise.catch(() => undefined)
  }

  readonly #onLost = (error: unknown): void => {
    this.#isBroken = true
    this.#loss.reject(this.#failure(error))
  }

  #failure(error: unknown): unknown {
    return postgresFailure(error, { isCommitSent: this.#isCommitSent })
  }

  /** Rejects when the connection ends, also while no statement runs. */
  get lost(): Promise<never> {
    return this.#loss.promise
  }

  /** Ends the connection without waiting for the other side. */
  cut(reason: string): void {
    this.#onLost(new StorageUnavailable(reason, { written: this.#isCommitSent ? 'perhaps' : 'no' }))
    this.#client.connection?.stream?.destroy()
  }

  /** Returns the client to the pool, or discards it if it is broken. */
  release(): void {
    this.#client.removeListener('error', this.#onLost)
    this.#client.release(this.#isBroken)
  }

  get isPipelined(): boolean {
    return this.#client.pipeline === true
  }

  execute(statement: ServerStatement, values: readonly SqlValue[]): Promise<Result> {
    const bound = statement.bind(values)
    return this.#enqueue(() => this.#execute(statement, bound))
  }

  /**
   * Runs a statement after a savepoint, so that the transaction survives a violation of uniqueness. Statements that are asked
   * for meanwhile wait, because the transaction runs none between a violation and its rollback.
   */
  executeWithSavepoint(
    statement: ServerStatement,
    values: readonly SqlValue[],
    savepoint: StatementSavepoint,
  ): Promise<Result> {
    const bound = statement.bind(values)
    const run = async () => {
      const { name } = savepoint
      const begin = savepoint.isSet ? `release savepoint ${name}; savepoint ${name}` : `savepoint ${name}`
      savepoint.isSet = true
      try {
        return await this.#after(begin, () => this.#execute(statement, bound))
      } catch (error) {
        if (postgresConflict(error) !== undefined) await this.#script(`rollback to savepoint ${name}`)
        throw error
      }
    }
    return this.#enqueue(run, true)
  }

  /** Runs statements without parameters; returns the command tag of the last one. `timeoutMs` is for those that may take long. */
  script(text: string, timeoutMs?: number): Promise<string> {
    return this.#enqueue(() => this.#script(text, timeoutMs))
  }

  /** Like `script`, of several texts in one round trip. */
  scripts(texts: readonly string[], timeoutMs?: number): Promise<string> {
    return this.script(texts.join('\n'), timeoutMs)
  }

  /** Ends a transaction after a statement. Returns the command tag of the commit and the row of the statement. */
  async commit(statement: ServerStatement): Promise<{ readonly command: string; readonly row: Row | undefined }> {
    if (!this.isPrepared) {
      const results = await this.#ending({ text: `${statement.text}; commit` })
      return { command: lastOf(results).command, row: results[0]?.rows[0] }
    }
    const [stated, ended] = await Promise.allSettled([
      this.#enqueue(() => this.#query(this.#queryOf(statement, []))),
      this.#ending({ text: 'commit' }),
    ])
    if (ended.status === 'rejected') throw ended.reason
    // Then the commit has rolled back.
    if (stated.status === 'rejected') throw stated.reason
    return { command: lastOf(ended.value).command, row: stated.value.rows[0] }
  }

  /** A statement after the commit, without which a server that fails may forget it. */
  async flush(statement: ServerStatement): Promise<void> {
    try {
      await this.#ending(this.#queryOf(statement, []))
    } catch (cause) {
      throw new StorageUnavailable('PostgreSQL has not confirmed a commit', { written: 'perhaps', cause })
    }
  }

  /** Sends a query that ends the transaction, unless the connection has ended: then it is never sent. */
  #ending(query: object): Promise<readonly Result[]> {
    return this.#enqueue(async () => {
      if (this.#isBroken) return this.lost
      this.#isCommitSent = true
      try {
        return await this.#answers({ rowMode: 'array', types, ...query })
      } catch (error) {
        throw this.#failure(error)
      }
    })
  }

  /** Runs statements without parameters, then one that returns rows. */
  async begin(script: string, statement: ServerStatement): Promise<readonly Row[]> {
    if (!this.isPrepared) {
      const text = `${script}; ${statement.text}`
      return (await this.#enqueue(() => this.#query({ text, rowMode: 'array', types }))).rows
    }
    const [begun, stated] = await Promise.allSettled([
      this.script(script),
      this.#enqueue(() => this.#query(this.#queryOf(statement, []))),
    ])
    if (begun.status === 'rejected') throw begun.reason
    if (stated.status === 'rejected') throw stated.reason
    return stated.value.rows
  }

  /** Whether a prepared statement costs no round trip. A script is parsed and planned each time. */
  get isPrepared(): boolean {
    return this.isPipelined && this.#options.prepares
  }

  /** Like `script`, but runs even after the server has requested a retry. */
  rollback(text: string): Promise<unknown> {
    return this.#enqueue(() => this.#send({ text }))
  }

  /** The rows of a statement that is not prepared. */
  async query(text: string, values: readonly ServerValue[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#enqueue(() => this.#query({ text, values, rowMode: 'array', types }))
    return rows
  }

  /** In order. A task that is alone ends before the next one begins; without pipeline mode each one is. */
  #enqueue<T>(task: () => Promise<T>, isAlone = !this.isPipelined): Promise<T> {
    const result = this.#turn === undefined ? task() : this.#turn.then(task)
    if (!isAlone) return result
    const turn: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (this.#turn === turn) this.#turn = undefined
      })
    this.#turn = turn
    return result
  }

  /** Where `text` fails, the statement fails too: the transaction is lost. */
  async #after(text: string, run: () => Promise<Result>): Promise<Result> {
    const before = this.#script(text)
    before.catch(() => undefined)
    if (!this.isPipelined) await before
    return run()
  }

  async #script(text: string, timeoutMs?: number): Promise<string> {
    return (await this.#query({ text }, timeoutMs)).command
  }

  #execute(statement: ServerStatement, values: ServerValue[]): Promise<Result> {
    this.#options.onStatement?.(statement.text)
    return this.#query(this.#queryOf(statement, values))
  }

  #queryOf({ text, name }: ServerStatement, values: ServerValue[]): object {
    const query = { text, values, rowMode: 'array', types }
    return this.#mayPrepare(name) ? { ...query, name } : query
  }

  async #query(query: object, timeoutMs?: number): Promise<Result> {
    if (this.retryError !== undefined) throw this.retryError
    return this.#send(query, timeoutMs)
  }

  async #send(query: object, timeoutMs?: number): Promise<Result> {
    try {
      return lastOf(await this.#answers(query, timeoutMs))
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** Throws the error of the server, and the loss of the connection. */
  async #answers(query: object, timeoutMs = this.#options.timeouts.queryMs): Promise<readonly Result[]> {
    const timer = setTimeout(() => this.cut(`PostgreSQL gave no answer within ${timeoutMs} ms`), timeoutMs)
    this.#cork()
    const answer = this.#client.query(query)
    // After a loss it has no reader.
    answer.catch(() => undefined)
    try {
      // The cast: `pg` returns a result for one statement and a list of results for several.
      const results = (await Promise.race([answer, this.lost])) as Result | readonly Result[]
      return Array.isArray(results) ? results : [results as Result]
    } catch (error) {
      if (breaksConnection(error)) this.#onLost(error)
      if (isRetryable(error)) this.retryError = error
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Statements that are sent in one turn are one write to the socket: each write takes as long as making the statement. */
  #cork(): void {
    const stream = this.#client.connection?.stream
    if (this.#isCorked || !this.isPipelined || !stream?.cork || !stream.uncork) return
    this.#isCorked = true
    stream.cork()
    // After all promises that are settled now: what waits for them is sent with it.
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork?.()
    })
  }

  #mayPrepare(name: string): boolean {
    if (!this.#options.prepares) return false
    const names = preparedNames.get(this.#client) ?? new Set()
    if (names.size === 0) preparedNames.set(this.#client, names)
    if (names.size < MAX_PREPARED) names.add(name)
    return names.has(name)
  }
}

/** The cast: each statement has a result. */
const lastOf = (results: readonly Result[]): Result => results.at(-1) as Result

/** The savepoint before the last statement of a scope; moves forward with each statement. */
export interface StatementSavepoint {
  readonly name: string
  isSet: boolean
}

const types = { getTypeParser: parserOf }
