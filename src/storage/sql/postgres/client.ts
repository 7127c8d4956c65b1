/**
 * A PostgreSQL database as sessions. Reads run side by side on the connections of a pool. Of all that write, in all
 * processes, one transaction runs at a time, under an advisory lock of the schema: what it has read stays true until it ends,
 * so that slugs, watermarks and counters need no locks of their own. READ COMMITTED, because each statement then sees what
 * was committed before the lock was given.
 */
import { type MaybePromise, StorageRetry } from '../../contract.ts'
import { ReadCache } from '../engine/read-cache.ts'
import type { Session } from '../engine/session.ts'
import type { Row, SqlValue, Statement } from '../engine/statements.ts'
import { enqueue, type Frame, type FrameActions, newFrame, refuseEnded, runFrame } from '../../transaction-stack.ts'
import { type ConnectionOptions, type Guard, PostgresConnection, type PostgresPool } from './connection.ts'
import { postgresConflict } from './errors.ts'
import { ensureIndex, lockOf } from './migrate.ts'
import { createServerStatements, type ServerStatements } from './statements.ts'

export interface PostgresClientOptions extends ConnectionOptions {
  readonly pool: () => MaybePromise<PostgresPool>
  readonly ownsPool: boolean
  readonly schema: string
  readonly quotedSchema: string
  /** Whether indexes of records may be made. */
  readonly migrate: boolean
  /** Brings the schema up to date, or refuses it. */
  readonly prepare: (connection: PostgresConnection) => Promise<void>
}

/** A process that stands still in the middle of a transaction loses it after this long; others wait longer than that. */
const IDLE_MS = 30_000
const WAITING_MS = 60_000
const MOST_RERUNS = 3
/** Rows of one insert: few sizes, so that few statements are prepared. */
const insertSizes = [256, 32, 4, 1] as const

/** What a frame needs on a server. */
interface Transaction {
  readonly connection: PostgresConnection
  readonly guards: Map<number, Guard>
}

export class PostgresClient {
  readonly #options: PostgresClientOptions
  readonly #statements: ServerStatements
  readonly #begin: string
  readonly #commitChanges: string
  readonly #root: Frame = newFrame()
  readonly #actions: FrameActions
  readonly #remembered = new ReadCache()
  #transaction: Transaction | undefined
  #pool: PostgresPool | undefined
  #opening: Promise<PostgresPool> | undefined
  #isClosed = false

  constructor(options: PostgresClientOptions) {
    this.#options = options
    this.#statements = createServerStatements(options.quotedSchema)
    this.#begin = [
      'begin isolation level read committed read write',
      `set local idle_in_transaction_session_timeout = ${IDLE_MS}`,
      `set local lock_timeout = ${WAITING_MS}`,
      `select pg_advisory_xact_lock(${lockOf(options.schema)})`,
    ].join('; ')
    // All that write stand in line, so nobody waits for this row.
    this.#commitChanges = `update ${options.quotedSchema}.changes set version = version + 1; commit`
    this.#actions = {
      begin: (frame) => this.#beginFrame(frame),
      commit: (frame) => this.#commitFrame(frame),
      rollback: (frame) => this.#rollbackFrame(frame),
    }
  }

  async open(): Promise<void> {
    await this.#opened()
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

  /** The session outside of any transaction. Its own transactions, which write nothing elsewhere, run again where they have to. */
  session(): Session {
    return this.#sessionOn(this.#root)
  }

  /** A transaction of the host, which alone knows whether it may run again. */
  atomic<T>(work: (inside: Session) => MaybePromise<T>): Promise<T> {
    return this.#transact((frame) => work(this.#sessionOn(frame)), 0)
  }

  #sessionOn(frame: Frame): Session {
    return {
      answersLater: true,
      all: (statement, values) => this.#read(frame, statement, values),
      run: (statement, values) => this.#write(frame, (inner) => this.#run(inner, statement, values)),
      insert: (statement, rows) => this.#write(frame, (inner) => this.#insert(inner, statement, rows)),
      atomic: (work) =>
        frame === this.#root
          ? this.#transact((inner) => work(this.#sessionOn(inner)))
          : enqueue(frame, () => runFrame(frame, this.#actions, (inner) => work(this.#sessionOn(inner)))),
      ensure: (name, ddl) => this.#ensure(frame, name, ddl),
      remember: frame === this.#root ? (key, read) => this.#remember(key, read) : undefined,
    }
  }

  async #read(frame: Frame, statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    const form = this.#statements.of(statement)
    if (frame !== this.#root) {
      refuseEnded(frame)
      return enqueue(frame, async () => (await this.#current().execute(form, values)).rows)
    }
    const connection = await PostgresConnection.from(await this.#opened(), this.#options)
    try {
      return (await connection.execute(form, values)).rows
    } finally {
      connection.release()
    }
  }

  /** The version is read first: what is read afterwards is at least as new. */
  async #remember<T>(key: string, read: () => MaybePromise<T>): Promise<T> {
    const [row] = await this.#read(this.#root, readVersion, [])
    return this.#remembered.get(row?.[0], key, read)
  }

  /** One statement is all or nothing by itself, so inside of a transaction it needs no frame of its own. */
  #write<T>(frame: Frame, work: (frame: Frame) => Promise<T>): MaybePromise<T> {
    return frame === this.#root ? this.#transact(work) : enqueue(frame, () => work(frame))
  }

  /**
   * A transaction, and again when the server asks for that: another one, of the host's own statements perhaps, stood in its
   * way. What `work` itself said about it does not count, for a refused transaction answers nothing true.
   */
  async #transact<T>(work: (frame: Frame) => MaybePromise<T>, reruns = MOST_RERUNS): Promise<T> {
    let connection: PostgresConnection | undefined
    try {
      return await enqueue(this.#root, () =>
        runFrame(this.#root, this.#actions, (frame) => {
          connection = this.#current()
          return work(frame)
        }),
      )
    } catch (error) {
      if (connection?.rerun === undefined) throw error
      if (reruns === 0) throw new StorageRetry(connection.rerun)
      return this.#transact(work, reruns - 1)
    }
  }

  async #run(frame: Frame, statement: Statement, values: readonly SqlValue[]): Promise<number> {
    const form = this.#statements.of(statement)
    const { rowCount } = await this.#execute(frame, form, values)
    if (rowCount) frame.hasWritten = true
    return rowCount ?? 0
  }

  async #insert(frame: Frame, statement: Statement, rows: readonly (readonly SqlValue[])[]): Promise<number[]> {
    frame.hasWritten = true
    const ids: number[] = []
    for (let from = 0; from < rows.length; ) {
      const left = rows.length - from
      const size = insertSizes.find((each) => each <= left) ?? 1
      const form = this.#statements.insertOf(statement, size)
      const { rows: made } = await this.#execute(frame, form, rows.slice(from, from + size).flat())
      for (const [id] of made) ids.push(Number(id))
      from += size
    }
    return ids
  }

  async #execute(frame: Frame, form: ReturnType<ServerStatements['of']>, values: readonly SqlValue[]) {
    const { connection, guards } = this.#transaction as Transaction
    try {
      if (!form.mayConflict) return await connection.execute(form, values)
      return await connection.executeGuarded(form, values, guardOf(guards, frame.depth))
    } catch (error) {
      throw postgresConflict(error) ?? error
    }
  }

  #ensure(frame: Frame, name: string, ddl: () => readonly string[]): MaybePromise<void> {
    for (let at: Frame | undefined = frame; at !== undefined; at = at.below) if (at.ensured.has(name)) return
    return this.#write(frame, async (inner) => {
      for (const text of ddl()) await ensureIndex(this.#current(), text, this.#options)
      inner.ensured.add(name)
    })
  }

  #current(): PostgresConnection {
    // The cast: whoever asks stands in a frame, which has begun.
    return (this.#transaction as Transaction).connection
  }

  async #beginFrame(frame: Frame): Promise<void> {
    if (frame.depth > 1) {
      await this.#current().script(`savepoint s${frame.depth}`)
      return
    }
    const connection = await PostgresConnection.from(await this.#opened(), this.#options)
    this.#transaction = { connection, guards: new Map() }
    await connection.script(this.#begin)
  }

  async #commitFrame(frame: Frame): Promise<void> {
    const { connection, guards } = this.#transaction as Transaction
    if (frame.depth > 1) {
      await connection.script(`release savepoint s${frame.depth}`)
      guards.delete(frame.depth)
      return
    }
    // A server answers a commit after an error that nobody minded with a rollback, and with no error.
    if ((await connection.script(frame.hasWritten ? this.#commitChanges : 'commit')) !== 'COMMIT') {
      throw new Error('a statement of this transaction has failed; nothing was written')
    }
    this.#leave()
  }

  async #rollbackFrame(frame: Frame): Promise<void> {
    if (this.#transaction === undefined) return
    const { connection, guards } = this.#transaction
    guards.delete(frame.depth)
    try {
      if (frame.depth > 1)
        await connection.undo(`rollback to savepoint s${frame.depth}; release savepoint s${frame.depth}`)
      else await connection.undo('rollback')
    } catch {
      // A connection that can't even do that is broken, and the server has taken everything back.
    }
    if (frame.depth === 1) this.#leave()
  }

  #leave(): void {
    this.#transaction?.connection.release()
    this.#transaction = undefined
  }

  /** Opens with the first use; after a failure the next use tries again. */
  async #opened(): Promise<PostgresPool> {
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

function guardOf(guards: Map<number, Guard>, depth: number): Guard {
  const guard = guards.get(depth) ?? { name: `g${depth}`, isSet: false }
  guards.set(depth, guard)
  return guard
}
