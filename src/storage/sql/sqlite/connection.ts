/** A connection to a SQLite database: opened as this storage needs it, and with its statements kept prepared. */

import { dropOldest, type Row, type SqlValue } from '../engine/statements.ts'
import { type Connection, type Open, type Prepared, resultCode } from './driver.ts'
import { keepSearchIndex, migrate } from './migrate.ts'

export interface OpeningOptions {
  readonly open: Open
  readonly durability: 'full' | 'normal'
  readonly searchIndex: boolean
}

/** While opening, where nothing else can run anyway. */
const OPENING_MS = 5_000
/** How long a statement blocks the process for another one that writes; a transaction then waits without blocking. */
const BLOCKING_MS = 20
const RETRY_MS = 10

/** KiB of pages that a connection keeps: the inner pages of a million posts fit in, for which the 2 MB of SQLite are too few. */
const CACHE_KIB = 16 * 1024
/**
 * Bytes of the file that are read where they lie, as much as SQLite takes. Its own pages a reader forgets with each commit,
 * these it does not: among a million posts one by id takes half the time (measured on Node 24).
 */
const MAPPED_BYTES = 2 ** 31 - 2 ** 16

const MOST_PREPARED = 500
const SQLITE_BUSY = 5

export function isInMemory(file: string): boolean {
  return file === ':memory:' || file === ''
}

/** The connection that writes; brings the schema up to date. */
export function openWriter(file: string, { open, durability, searchIndex }: OpeningOptions): PreparedConnection {
  const connection = open(file, { busyMs: OPENING_MS })
  try {
    if (!isInMemory(file)) switchToWal(connection)
    connection.exec(`pragma synchronous = ${durability === 'full' ? 'full' : 'normal'}`)
    connection.exec('pragma foreign_keys = on')
    connection.exec(`pragma cache_size = -${CACHE_KIB}`)
    migrate(connection)
    keepSearchIndex(connection, { isWanted: searchIndex })
    connection.exec(`pragma busy_timeout = ${BLOCKING_MS}`)
    return new PreparedConnection(connection)
  } catch (error) {
    connection.close()
    throw error
  }
}

export function openReader(file: string, { open }: OpeningOptions): PreparedConnection {
  const connection = open(file, { busyMs: OPENING_MS })
  connection.exec('pragma query_only = on')
  connection.exec(`pragma cache_size = -${CACHE_KIB}`)
  connection.exec(`pragma mmap_size = ${MAPPED_BYTES}`)
  return new PreparedConnection(connection)
}

/** True when another process has the lock that a statement asked for. */
export function isBusy(error: unknown): boolean {
  // The primary code is the low byte of the extended one.
  return ((resultCode(error) ?? 0) & 0xff) === SQLITE_BUSY
}

/** A connection that keeps what it has prepared. */
export class PreparedConnection {
  readonly #connection: Connection
  readonly #prepared = new Map<string, Prepared>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  all(sql: string, parameters: readonly SqlValue[]): Row[] {
    return this.#statement(sql).all(parameters)
  }

  run(sql: string, parameters: readonly SqlValue[]): { readonly changes: number; readonly lastId: number } {
    return this.#statement(sql).run(parameters)
  }

  exec(sql: string): void {
    this.#connection.exec(sql)
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction
  }

  close(): void {
    this.#prepared.clear()
    this.#connection.close()
  }

  #statement(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    if (this.#prepared.size >= MOST_PREPARED) dropOldest(this.#prepared)
    const prepared = this.#connection.prepare(sql)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** SQLite doesn't wait for its lock here when two processes switch a new file at once, so we do. */
function switchToWal(connection: Connection): void {
  const deadline = Date.now() + OPENING_MS
  for (;;) {
    try {
      connection.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}
