/**
 * A SQLite database as sessions. One connection writes, one transaction at a time; another one reads and sees only what is
 * committed. A database in memory has a single connection, so there a reader waits while a transaction is open.
 */

import { catchError } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise } from '../../contract.ts'
import { sqliteConflict } from './errors.ts'
import { ReadCache } from '../engine/read-cache.ts'
import type { Session } from '../engine/session.ts'
import { parametersOf, type Row, type SqlValue, type Statement } from '../engine/statements.ts'
import { enqueue, type Frame, type FrameActions, newFrame, refuseEnded, runFrame } from '../../transaction-stack.ts'
import {
  isBusy,
  isInMemory,
  type OpeningOptions,
  openReader,
  openWriter,
  type PreparedConnection,
} from './connection.ts'
import { indexSome, manyPending } from './search-index.ts'

export interface SqliteClientOptions extends OpeningOptions {
  readonly onStatement?: (sql: string) => void
}

/** How long a transaction waits between two tries for a lock that another process has. */
const RETRY_MS = 10
/** After this long the other process is taken to be stuck. */
const PATIENCE_MS = 10_000

export class SqliteClient {
  readonly #file: string
  readonly #options: SqliteClientOptions
  readonly #root: Frame = newFrame()
  readonly #actions: FrameActions
  readonly #onStatement: ((sql: string) => void) | undefined
  #writer: PreparedConnection | undefined
  #reader: PreparedConnection | undefined
  #isClosed = false
  #commits = 0
  /** What other processes have committed, as asked once per turn of the event loop. */
  #othersVersion: SqlValue = 0
  #isVersionFresh = false
  readonly #remembered = new ReadCache()
  #isIndexing = false

  constructor(file: string, options: SqliteClientOptions) {
    this.#file = file
    this.#options = options
    this.#onStatement = options.onStatement
    this.#actions = {
      begin: (frame) => this.#begin(frame),
      commit: (frame) => this.#commit(frame),
      rollback: (frame) => this.#rollback(frame),
    }
  }

  get isInMemory(): boolean {
    return isInMemory(this.#file)
  }

  /** Opens both connections and migrates. The first use does it as well. */
  open(): void {
    if (this.#isClosed) throw new Error('this storage is closed')
    if (this.#writer !== undefined) return
    const writer = openWriter(this.#file, this.#options)
    try {
      this.#reader = this.isInMemory ? writer : openReader(this.#file, this.#options)
    } catch (error) {
      writer.close()
      throw error
    }
    this.#writer = writer
    this.#indexSoon()
  }

  close(): MaybePromise<void> {
    return enqueue(this.#root, () => {
      if (this.#reader !== this.#writer) this.#reader?.close()
      this.#writer?.close()
      this.#reader = undefined
      this.#writer = undefined
      this.#isClosed = true
    })
  }

  /** The session outside of any transaction. */
  session(): Session {
    return this.#sessionOn(this.#root)
  }

  /** Changes with every commit of anybody. */
  changes(): string {
    if (!this.#isVersionFresh) {
      this.#othersVersion = this.#connection('writer').all(othersVersion, [])[0]?.[0] ?? 0
      this.#isVersionFresh = true
      // After this turn; `unref`, because nobody waits for it.
      setImmediate(this.#forgetVersion).unref()
    }
    return `${this.#commits}.${this.#othersVersion}`
  }

  readonly #forgetVersion = (): void => {
    this.#isVersionFresh = false
  }

  #sessionOn(frame: Frame): Session {
    return {
      answersLater: false,
      all: (statement, values) => this.#read(frame, statement, values),
      run: (statement, values) => this.#write(frame, (inner) => this.#run(inner, statement, values)),
      insert: (statement, rows) =>
        this.#write(frame, (inner) => rows.map((values) => this.#insert(inner, statement, values))),
      atomic: (work) => enqueue(frame, () => runFrame(frame, this.#actions, (inner) => work(this.#sessionOn(inner)))),
      ensure: (name, ddl) => this.#ensure(frame, name, ddl),
      remember: frame === this.#root ? (key, read) => this.#remembered.get(this.changes(), key, read) : undefined,
    }
  }

  #read(frame: Frame, statement: Statement, values: readonly SqlValue[]): MaybePromise<readonly Row[]> {
    if (frame === this.#root && !this.isInMemory) return this.#all('reader', statement, values)
    refuseEnded(frame)
    if (frame.above === undefined) return this.#all('writer', statement, values)
    return enqueue(frame, () => this.#all('writer', statement, values))
  }

  #all(name: 'reader' | 'writer', statement: Statement, values: readonly SqlValue[]): Row[] {
    this.#onStatement?.(statement.sql)
    return this.#connection(name).all(statement.sql, parametersOf(statement, values))
  }

  /** One statement is all or nothing by itself, so inside of a transaction it needs no frame of its own. */
  #write<T>(frame: Frame, work: (frame: Frame) => T): MaybePromise<T> {
    return enqueue(frame, () => (frame === this.#root ? runFrame(frame, this.#actions, work) : work(frame)))
  }

  #run(frame: Frame, { sql, parameters }: Statement, values: readonly SqlValue[]): number {
    const { changes } = this.#execute({ sql, parameters }, values)
    if (changes > 0) frame.hasWritten = true
    return changes
  }

  #insert(frame: Frame, statement: Statement, values: readonly SqlValue[]): number {
    frame.hasWritten = true
    return this.#execute(statement, values).lastId
  }

  #execute(statement: Statement, values: readonly SqlValue[]): { readonly changes: number; readonly lastId: number } {
    this.#onStatement?.(statement.sql)
    try {
      return this.#connection('writer').run(statement.sql, parametersOf(statement, values))
    } catch (error) {
      throw sqliteConflict(error) ?? error
    }
  }

  #ensure(frame: Frame, name: string, ddl: () => readonly string[]): MaybePromise<void> {
    for (let at: Frame | undefined = frame; at !== undefined; at = at.below) if (at.ensured.has(name)) return
    return this.#write(frame, (inner) => {
      for (const sql of ddl()) this.#connection('writer').exec(sql)
      inner.ensured.add(name)
    })
  }

  #begin(frame: Frame): MaybePromise<void> {
    if (frame.depth > 1) return this.#control(`savepoint s${frame.depth}`)
    this.#isVersionFresh = false
    if (this.#hasBegun()) return
    return this.#beginLater(Date.now() + PATIENCE_MS)
  }

  /** Another storage of this very process may hold the lock, so waiting must not block it. */
  async #beginLater(deadline: number): Promise<void> {
    do {
      if (Date.now() > deadline) throw new Error('another process has held the lock on the database for too long')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    } while (!this.#hasBegun())
  }

  #hasBegun(): boolean {
    try {
      this.#control('begin immediate')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  #commit(frame: Frame): void {
    if (frame.depth > 1) {
      this.#control(`release s${frame.depth}`)
      return
    }
    this.#control('commit')
    if (!frame.hasWritten) return
    this.#commits++
    this.#indexSoon()
  }

  /** Indexing follows the writes when the process has time, in steps, and keeps no process alive. */
  #indexSoon(): void {
    if (this.#isIndexing || !this.#options.searchIndex) return
    this.#isIndexing = true
    setImmediate(() => {
      this.#isIndexing = false
      // What fails now, because another process writes for one, is done after the next write.
      catchError(
        () => this.#indexIfMany(),
        () => undefined,
      )
    }).unref()
  }

  #indexIfMany(): MaybePromise<void> {
    if (this.#writer === undefined || !this.#hasManyPending()) return
    return enqueue(this.#root, () => runFrame(this.#root, this.#actions, () => this.#indexSome()))
  }

  #hasManyPending(): boolean {
    return this.#connection('reader').all(manyPending, [])[0]?.[0] === 1
  }

  #indexSome(): void {
    for (const sql of indexSome) this.#control(sql)
    this.#indexSoon()
  }

  #rollback(frame: Frame): void {
    // Some errors, a full disk for one, have ended the transaction already.
    if (!this.#connection('writer').inTransaction) return
    if (frame.depth === 1) {
      this.#control('rollback')
      return
    }
    this.#control(`rollback to s${frame.depth}`)
    this.#control(`release s${frame.depth}`)
  }

  #control(sql: string): void {
    this.#connection('writer').run(sql, [])
  }

  #connection(name: 'reader' | 'writer'): PreparedConnection {
    if (this.#writer === undefined) this.open()
    // The cast: `open` has set both or thrown.
    return (name === 'writer' ? this.#writer : this.#reader) as PreparedConnection
  }
}

const othersVersion = 'pragma data_version'
