/**
 * A connection from a `pg` pool: runs statements one at a time, prepared by name. Declares the parts of `pg` that it
 * uses.
 */
import type { Row, SqlValue } from '../engine/statements.ts'
import { breaksConnection, isRetryable, postgresConflict } from './errors.ts'
import type { ServerStatement, ServerValue } from './statements.ts'

/** The part of the `Pool` of `pg` that the storage uses. */
export interface PostgresPool {
  connect(callback: (error: Error | undefined, client: PostgresPoolClient | undefined) => void): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

interface PostgresPoolClient {
  query(query: object): Promise<unknown>
  release(error?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

interface Result {
  readonly rows: readonly Row[]
  readonly rowCount: number | null
  readonly command: string
}

export interface ConnectionOptions {
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
  #last: Promise<unknown> = Promise.resolve()
  #isBroken = false
  /** The error with which the server requests a retry of the transaction. */
  retryError: unknown

  /**
   * Uses the callback, so that the listener is added in the same turn: a server may close a connection as it accepts
   * it.
   */
  static from(pool: PostgresPool, options: ConnectionOptions): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      pool.connect((error, client) => {
        if (client) resolve(new PostgresConnection(client, options))
        else reject(error)
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
  }

  readonly #onLost = (): void => {
    this.#isBroken = true
  }

  /** Returns the client to the pool, or discards it if it is broken. */
  release(): void {
    this.#client.removeListener('error', this.#onLost)
    this.#client.release(this.#isBroken)
  }

  execute(statement: ServerStatement, values: readonly SqlValue[]): Promise<Result> {
    return this.#enqueue(() => this.#execute(statement, statement.bind(values)))
  }

  /** Runs a statement after a savepoint, so that the transaction survives a violation of uniqueness. */
  executeWithSavepoint(
    statement: ServerStatement,
    values: readonly SqlValue[],
    savepoint: StatementSavepoint,
  ): Promise<Result> {
    const bound = statement.bind(values)
    return this.#enqueue(async () => {
      await this.#script(
        savepoint.isSet
          ? `release savepoint ${savepoint.name}; savepoint ${savepoint.name}`
          : `savepoint ${savepoint.name}`,
      )
      savepoint.isSet = true
      try {
        return await this.#execute(statement, bound)
      } catch (error) {
        if (postgresConflict(error) !== undefined) await this.#script(`rollback to savepoint ${savepoint.name}`)
        throw error
      }
    })
  }

  /** Runs statements without parameters; returns the command tag of the last one. */
  script(text: string): Promise<string> {
    return this.#enqueue(() => this.#script(text))
  }

  /** The same; returns the rows of the last one. */
  async scriptRows(text: string): Promise<readonly Row[]> {
    return (await this.#enqueue(() => this.#query({ text, rowMode: 'array', types }))).rows
  }

  /** Like `script`, but runs even after the server has requested a retry. */
  rollback(text: string): Promise<unknown> {
    return this.#enqueue(() => this.#send({ text }))
  }

  /** The rows of a statement that is not prepared. */
  async query(text: string, values: ServerValue[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#enqueue(() => this.#query({ text, values, rowMode: 'array', types }))
    return rows
  }

  /** Runs one task at a time, because a client has no queue. */
  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }

  async #script(text: string): Promise<string> {
    return (await this.#query({ text })).command
  }

  #execute({ text, name }: ServerStatement, values: ServerValue[]): Promise<Result> {
    this.#options.onStatement?.(text)
    const query = { text, values, rowMode: 'array', types }
    return this.#query(this.#isPrepared(name) ? { ...query, name } : query)
  }

  async #query(query: object): Promise<Result> {
    if (this.retryError !== undefined) throw this.retryError
    return this.#send(query)
  }

  async #send(query: object): Promise<Result> {
    try {
      // The cast: `pg` returns a result for one statement and a list of results for several.
      const results = (await this.#client.query(query)) as Result | [Result, ...Result[]]
      return Array.isArray(results) ? (results.at(-1) as Result) : results
    } catch (error) {
      if (breaksConnection(error)) this.#isBroken = true
      if (isRetryable(error)) this.retryError = error
      throw error
    }
  }

  #isPrepared(name: string): boolean {
    if (!this.#options.prepares) return false
    const names = preparedNames.get(this.#client) ?? new Set()
    if (names.size === 0) preparedNames.set(this.#client, names)
    if (names.size < MAX_PREPARED) names.add(name)
    return names.has(name)
  }
}

/** The savepoint before the last statement of a scope; moves forward with each statement. */
export interface StatementSavepoint {
  readonly name: string
  isSet: boolean
}

/** Numbers as numbers, true as 1, everything else as text, JSON too. */
const types = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? asText,
}
const asText = (text: string): SqlValue => text
const parsers = new Map<number, (text: string) => SqlValue>([
  [16, (text) => (text === 't' ? 1 : 0)],
  ...[20, 21, 23, 700, 701, 1700].map((oid): [number, (text: string) => SqlValue] => [oid, Number]),
])
