/** The connections to one server: opened on first use, and cut when the storage closes and they do not end in time. */
import { type MaybePromise, StorageUnavailable } from '../../../contract/storage.ts'
import type { Row, SqlValue } from '../engine/fragments.ts'
import { type ConnectionOptions, PostgresConnection, type PostgresPool } from './connection.ts'
import type { ServerStatement } from './statements.ts'

export interface ServerPoolOptions {
  readonly pool: () => MaybePromise<PostgresPool>
  /** False for a pool of the host, which stays open. */
  readonly ownsPool: boolean
}

export class ServerPool {
  readonly #options: ServerPoolOptions
  readonly #connectionOptions: ConnectionOptions
  /** Runs once, before anything else. */
  readonly #prepare: (pool: PostgresPool) => MaybePromise<void>
  /** The connections that are in use. */
  readonly #connections = new Set<PostgresConnection>()
  #pool: PostgresPool | undefined
  #opening: Promise<PostgresPool> | undefined
  #isClosed = false

  constructor(
    options: ServerPoolOptions,
    connectionOptions: ConnectionOptions,
    prepare: (pool: PostgresPool) => MaybePromise<void> = () => undefined,
  ) {
    this.#options = options
    this.#connectionOptions = connectionOptions
    this.#prepare = prepare
  }

  /** After a failure the next use tries again. */
  async open(): Promise<PostgresPool> {
    if (this.#isClosed) throw new StorageUnavailable('this storage is closed', { written: 'no' })
    if (this.#pool !== undefined) return this.#pool
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<PostgresPool> {
    const pool = await this.#options.pool()
    await this.#prepare(pool)
    if (this.#isClosed && this.#options.ownsPool) await pool.end()
    this.#pool = pool
    return pool
  }

  async connect(): Promise<PostgresConnection> {
    const connection = await PostgresConnection.from(await this.open(), this.#connectionOptions)
    this.#connections.add(connection)
    return connection
  }

  release(connection: PostgresConnection): void {
    this.#connections.delete(connection)
    connection.release()
  }

  /** The rows of a statement outside of any transaction. */
  async read(statement: ServerStatement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    const connection = await this.connect()
    try {
      return (await connection.execute(statement, values)).rows
    } finally {
      this.release(connection)
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** `atEnd` calls back when what runs has ended; what does not end in time is cut. */
  async close(atEnd: (end: () => void) => MaybePromise<void> = (end) => end()): Promise<void> {
    const { closeMs } = this.#connectionOptions.timeouts
    const cut = setTimeout(() => {
      for (const connection of this.#connections) connection.cut('the storage closes')
    }, closeMs)
    await atEnd(() => {
      this.#isClosed = true
    })
    const pool = this.#pool
    this.#pool = undefined
    // A silent server does not answer the farewell of a connection.
    if (this.#options.ownsPool && pool) await settledWithin(pool.end(), closeMs)
    clearTimeout(cut)
  }
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
