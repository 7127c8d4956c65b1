/** What of a `pg` pool is used, and one connection of it at a time: its statements one after another, prepared by name. */

import type { Row, SqlValue } from '../engine/statements.ts'
import { breaksConnection, isRetryable, postgresConflict } from './errors.ts'
import type { Bound, ServerStatement } from './statements.ts'

/** The pool of `pg`, as far as it is used here. */
export interface PostgresPool {
  connect(callback: (error: Error | undefined, client: PostgresPoolClient | undefined) => void): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface PostgresPoolClient {
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

/** A server keeps what is prepared as long as the connection lives; shapes beyond this number are not prepared. */
const MOST_PREPARED = 400
const prepared = new WeakMap<PostgresPoolClient, Set<string>>()

/**
 * A pool listens to the clients that are idle, and we to those in use. One that was given back because it is lost may tell
 * of its end once more, and then nobody else listens.
 */
const guarded = new WeakSet<PostgresPoolClient>()
const ignored = (): void => undefined

export class PostgresConnection {
  readonly #client: PostgresPoolClient
  readonly #options: ConnectionOptions
  #last: Promise<unknown> = Promise.resolve()
  #isBroken = false
  /** The error with which the server asks to run the whole transaction again. */
  rerun: unknown

  /** Listens as soon as the pool has let go of the client: the server may tell of its end with the bytes that let it in. */
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
    // A lost connection that nobody is asking anything would otherwise end the process.
    client.on('error', this.#onLost)
    if (!guarded.has(client)) client.on('error', ignored)
    guarded.add(client)
  }

  readonly #onLost = (): void => {
    this.#isBroken = true
  }

  /** Back to the pool, or away with it. */
  release(): void {
    this.#client.removeListener('error', this.#onLost)
    this.#client.release(this.#isBroken)
  }

  execute(statement: ServerStatement, values: readonly SqlValue[]): Promise<Result> {
    return this.#inTurn(() => this.#execute(statement, statement.bind(values)))
  }

  /** Inside a transaction: when the statement breaks a promise of uniqueness, the transaction goes on without it. */
  executeGuarded(statement: ServerStatement, values: readonly SqlValue[], guard: Guard): Promise<Result> {
    const bound = statement.bind(values)
    return this.#inTurn(async () => {
      await this.#script(
        guard.isSet ? `release savepoint ${guard.name}; savepoint ${guard.name}` : `savepoint ${guard.name}`,
      )
      guard.isSet = true
      try {
        return await this.#execute(statement, bound)
      } catch (error) {
        if (postgresConflict(error) !== undefined) await this.#script(`rollback to savepoint ${guard.name}`)
        throw error
      }
    })
  }

  /** Statements without parameters; answers what the last of them did. */
  script(text: string): Promise<string> {
    return this.#inTurn(() => this.#script(text))
  }

  /** The same for what goes back: it is done even where the server has asked for another run. */
  undo(text: string): Promise<unknown> {
    return this.#inTurn(() => this.#send({ text }))
  }

  /** A statement of another kind than those that are kept. */
  async ask(text: string, values: Bound = []): Promise<readonly Row[]> {
    const { rows } = await this.#inTurn(() => this.#ask({ text, values, rowMode: 'array', types }))
    return rows
  }

  /** One task at a time: a client has no queue of its own. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }

  async #script(text: string): Promise<string> {
    return (await this.#ask({ text })).command
  }

  #execute({ text, name }: ServerStatement, values: Bound): Promise<Result> {
    this.#options.onStatement?.(text)
    const query = { text, values, rowMode: 'array', types }
    return this.#ask(this.#isPrepared(name) ? { ...query, name } : query)
  }

  async #ask(query: object): Promise<Result> {
    if (this.rerun !== undefined) throw this.rerun
    return this.#send(query)
  }

  async #send(query: object): Promise<Result> {
    try {
      // The cast: `pg` answers one statement with a result, and a text of several with a list of them.
      const results = (await this.#client.query(query)) as Result | [Result, ...Result[]]
      return Array.isArray(results) ? (results.at(-1) as Result) : results
    } catch (error) {
      if (breaksConnection(error)) this.#isBroken = true
      if (isRetryable(error)) this.rerun = error
      throw error
    }
  }

  #isPrepared(name: string): boolean {
    if (!this.#options.prepares) return false
    const names = prepared.get(this.#client) ?? new Set()
    if (names.size === 0) prepared.set(this.#client, names)
    if (names.size < MOST_PREPARED) names.add(name)
    return names.has(name)
  }
}

/** A savepoint that moves along with the statements of one frame. */
export interface Guard {
  readonly name: string
  isSet: boolean
}

/** Numbers as numbers, true as 1; all else, JSON too, as the text that it is. */
const types = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? asItIs,
}
const asItIs = (text: string): SqlValue => text
const parsers = new Map<number, (text: string) => SqlValue>([
  [16, (text) => (text === 't' ? 1 : 0)],
  ...[20, 21, 23, 700, 701, 1700].map((oid): [number, (text: string) => SqlValue] => [oid, Number]),
])
