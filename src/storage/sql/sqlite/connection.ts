/** Opens connections to a SQLite database with the settings of the storage, and caches their prepared statements. */
import type { MaybePromise } from '../../../contract/storage.ts'
import { evictOldest, type Row, type SqlValue } from '../engine/fragments.ts'
import { type Connection, inTransaction, type OpenConnection, type PreparedStatement, perform } from './driver.ts'
import { SqliteOpenError } from './errors.ts'
import { isBusy, isSqliteError, lockTimeout, sqliteFailure } from './failures.ts'
import { assertOurs, ForeignDatabase } from './identity.ts'
import { migrate, syncSearchIndex } from './migrate.ts'
import { schemaProblems } from './schema-check.ts'

export interface OpenOptions {
  readonly open: OpenConnection
  readonly durability: 'full' | 'normal'
  readonly searchIndex: boolean
}

/** How long opening may block the process for a lock. */
const OPEN_BUSY_MS = 5_000
/** How long a statement may block the process for a lock; after that, a transaction waits without blocking. */
const BUSY_MS = 20
/** The pause between two attempts to begin a transaction while another process holds the lock. */
const RETRY_MS = 10
/** How long each of these attempts may block the process: reads go on for most of the time. */
const RETRY_BUSY_MS = 1

/**
 * The page cache of a connection in KiB. It fits the inner pages of a million posts; SQLite's default of 2 MB does not. The file is not
 * mapped into memory: after each commit of another connection the first read of a page would be a page fault, which takes ten times as
 * long as a read from the file (measured on Node 24), and a read error in mapped memory ends the process.
 */
const CACHE_KIB = 16 * 1024
/** The pragmas of each connection that only reads. */
export const readerPragmas: readonly string[] = ['pragma query_only = on', `pragma cache_size = -${CACHE_KIB}`]

const MAX_PREPARED = 500

export function isInMemory(file: string): boolean {
  return file === ':memory:' || file === ''
}

/** Opens the connection that writes, and migrates the schema. */
export function openWriter(file: string, { open, durability, searchIndex }: OpenOptions): PreparedConnection {
  const connection = openFile(file, open)
  try {
    assertOurs(connection)
    if (!isInMemory(file)) switchToWal(connection)
    connection.exec(`pragma synchronous = ${durability === 'full' ? 'full' : 'normal'}`)
    connection.exec('pragma foreign_keys = on')
    connection.exec(`pragma cache_size = -${CACHE_KIB}`)
    migrate(connection)
    assertSchema(connection)
    syncSearchIndex(connection, { isWanted: searchIndex })
    connection.exec(`pragma busy_timeout = ${BUSY_MS}`)
    return new PreparedConnection(connection)
  } catch (error) {
    connection.close()
    throw openError(file, error)
  }
}

const isOpenProblem = (error: unknown) =>
  isSqliteError(error) || error instanceof ForeignDatabase || error instanceof DamagedSchema

/** Another program has changed the schema. */
class DamagedSchema extends Error {
  readonly code = 'storage_damaged'
}

function assertSchema(connection: Connection): void {
  const [first, ...others] = inTransaction(connection, 'read', () => perform(connection, schemaProblems()))
  if (!first) return
  const more = others.length === 0 ? '' : ` and ${others.length} more problems`
  throw new DamagedSchema(
    `${first.text}${more}: another program has changed its schema; site-api check puts back indexes and triggers, else restore a backup`,
  )
}

function openFile(file: string, open: OpenConnection) {
  try {
    return open(file, { busyMs: OPEN_BUSY_MS })
  } catch (error) {
    throw openError(file, error)
  }
}

/** A locked file may be free at the next attempt; with any other problem somebody has to do something. */
function openError(file: string, error: unknown): unknown {
  if (isBusy(error)) return sqliteFailure(error)
  return isOpenProblem(error) ? new SqliteOpenError(file, error) : error
}

export function openReader(file: string, { open }: OpenOptions): PreparedConnection {
  const connection = openFile(file, open)
  for (const pragma of readerPragmas) connection.exec(pragma)
  return new PreparedConnection(connection)
}

/**
 * Where a write keeps the pages that it may have to undo. From 64 KiB on, which a post with its indexes reaches, SQLite puts them into a
 * file that it makes and removes for each statement, unless they stay in memory.
 */
type UndoPlace = 'memory' | 'file'

/** A connection with a cache of prepared statements. */
export class PreparedConnection {
  readonly #connection: Connection
  readonly #prepared = new Map<string, PreparedStatement>()
  #undo: UndoPlace = 'file'

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

  /** Applies from the next transaction on. */
  keepUndoIn(place: UndoPlace): void {
    if (place === this.#undo) return
    this.exec(`pragma temp_store = ${place}`)
    this.#undo = place
  }

  /** Begins a transaction that may write; throws `storage_unavailable` if another process keeps the lock until the deadline. */
  begin(deadline: number): MaybePromise<void> {
    return this.#tryBegin() ? undefined : this.#retryBegin(deadline)
  }

  /** Waits without blocking, because another storage of this process may hold the lock. */
  async #retryBegin(deadline: number): Promise<void> {
    this.exec(`pragma busy_timeout = ${RETRY_BUSY_MS}`)
    try {
      do {
        if (Date.now() > deadline) throw lockTimeout()
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      } while (!this.#tryBegin())
    } finally {
      this.exec(`pragma busy_timeout = ${BUSY_MS}`)
    }
  }

  #tryBegin(): boolean {
    try {
      this.run('begin immediate', [])
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw sqliteFailure(error)
    }
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction
  }

  close(): void {
    this.#prepared.clear()
    this.#connection.close()
  }

  #statement(sql: string): PreparedStatement {
    const cached = this.#prepared.get(sql)
    if (cached !== undefined) return cached
    if (this.#prepared.size >= MAX_PREPARED) evictOldest(this.#prepared)
    const prepared = this.#connection.prepare(sql)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** Retries, because SQLite does not wait for the lock when two processes switch a new file to WAL at once. */
function switchToWal(connection: Connection): void {
  const deadline = Date.now() + OPEN_BUSY_MS
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
