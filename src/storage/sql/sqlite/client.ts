/**
 * The session of a SQLite database. One connection writes, one transaction at a time; another reads committed data. A
 * database in memory has one connection, so its reads wait while a transaction is open.
 */
import { andThen } from '../../../contract/maybe-promise.ts'
import { type Changes, type MaybePromise, StorageUnavailable } from '../../../contract/storage.ts'
import { SqlClient } from '../engine/client.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Extent, Fragment, Row, SqlValue } from '../engine/fragments.ts'
import type { BeginOptions, SqlResult, SqlSession, SqlTransaction, Written } from '../engine/sql-session.ts'
import { runSteps } from '../engine/steps.ts'
import { ChangeTokens, countCommit, countIndexing } from './change-tokens.ts'
import {
  isInMemory,
  type OpenOptions,
  openReader,
  openWriter,
  type PreparedConnection,
  readerPragmas,
} from './connection.ts'
import { LOCK_TIMEOUT_MS, sqliteFailure, writeErrorOf } from './failures.ts'
import { commitsOf, newCommits } from './file-commits.ts'
import { type FileIdentity, identityOf } from './file-identity.ts'
import { assertKnownVersion } from './migrate.ts'
import { BackgroundIndexing, indexBatch, isBatchPending } from './search-index.ts'

interface SqliteClientOptions extends OpenOptions {
  readonly dialect: Dialect
  readonly onStatement?: ((sql: string) => void) | undefined
}

/** Another connection for reads outside transactions. */
export interface SideReader {
  /** Undefined: the statement is to run on the connection of the process. */
  read(statement: Fragment, extent: Extent | undefined): MaybePromise<readonly Row[]> | undefined
  readonly isBusy: boolean
  /** The next read opens it again. */
  close(): MaybePromise<void>
}

/** The file as a SideReader sees it. */
export interface ReadFile {
  readonly file: string
  /** Run by each connection that only reads. */
  readonly pragmas: readonly string[]
  bytes(): number
  /** Throws once the file was deleted or replaced. */
  assertSame(): void
  /** Runs a statement on the connection of the process. */
  all(statement: Fragment): readonly Row[]
  onStatement(sql: string): void
  /** The error of a statement, as callers can handle it. */
  failureOf(error: unknown): unknown
}

const IDENTITY_CHECK_MS = 1000

export class SqliteClient implements SqlSession {
  readonly #file: string
  readonly #options: SqliteClientOptions
  readonly #transaction: SqlTransaction
  readonly #onStatement: ((sql: string) => void) | undefined
  #writer: PreparedConnection | undefined
  #reader: PreparedConnection | undefined
  #sideReader: SideReader | undefined
  #isClosed = false
  /** True: used since the last call of `closeUnlessUsed`. */
  #isUsed = false
  /** The commits of this process on the file, as soon as it is open. */
  #commits = newCommits()
  readonly #tokens = new ChangeTokens({
    connection: () => this.#connection('writer'),
    commits: () => this.#commits,
    check: () => this.#checkIdentityAtTimes(),
  })
  readonly #indexing: BackgroundIndexing
  #identity: FileIdentity | undefined
  #identityCheckedAt = 0
  /** SQLite's counter of schema changes, when the version of the schema was last found to be known. */
  #schemaCounter: SqlValue = -1

  readonly isAsync = false
  readonly hasOneConnection: boolean
  readonly sharesCommits: boolean
  /** The stores' side of the session. */
  readonly sql: SqlClient

  constructor(file: string, options: SqliteClientOptions) {
    this.#file = file
    this.#options = options
    this.#onStatement = options.onStatement
    this.#indexing = new BackgroundIndexing({ isWanted: options.searchIndex, indexPending: () => this.#indexPending() })
    this.#transaction = this.#createTransaction()
    this.hasOneConnection = this.isInMemory
    this.sharesCommits = !this.isInMemory
    this.sql = new SqlClient({ dialect: options.dialect, session: this })
  }

  get isInMemory(): boolean {
    return isInMemory(this.#file)
  }

  /** Opens both connections and migrates. The first use of the storage does the same. */
  open(): void {
    if (this.#isClosed) throw new StorageUnavailable('this storage is closed', { written: 'no' })
    if (this.#writer !== undefined) return
    // Opened again after a pause: a file that is gone must not be made anew.
    this.#identity?.assertSame()
    const writer = openWriter(this.#file, this.#options)
    try {
      this.#reader = this.isInMemory ? writer : openReader(this.#file, this.#options)
    } catch (error) {
      writer.close()
      throw error
    }
    this.#writer = writer
    if (!this.isInMemory) this.#identity ??= identityOf(this.#file)
    this.#commits = commitsOf(this.#identity?.identifier) ?? this.#commits
    this.#indexing.schedule()
  }

  close(): MaybePromise<void> {
    this.#isClosed = true
    return this.#closeConnections()
  }

  #closeConnections(): MaybePromise<void> {
    const [reader, writer] = [this.#reader, this.#writer]
    this.#reader = undefined
    this.#writer = undefined
    return andThen(this.#sideReader?.close(), () => {
      if (reader !== writer) reader?.close()
      // The last connection to close removes the write-ahead log.
      writer?.close()
    })
  }

  /** Closes the connections unless they were used since the last call. The next use opens the file again. */
  closeUnlessUsed(): void {
    const isIdle = !this.#isUsed && !this.sql.isBusy && !this.#sideReader?.isBusy
    this.#isUsed = false
    if (!isIdle || this.#writer === undefined) return
    this.#closeConnections()
    this.#identity?.forgetLog()
    // Another connection counts the commits of others anew.
    this.#commits.all++
    this.#commits.options++
    this.#tokens.forget()
    this.#schemaCounter = -1
  }

  /** Sessions that begin from now on may read there; a database in memory has no other connection. */
  readAside(create: (file: ReadFile) => SideReader): void {
    if (this.isInMemory) return
    this.#sideReader = create({
      file: this.#file,
      bytes: () => {
        const [[pages, bytes] = []] = this.#connection('reader').all(fileSize, [])
        return Number(pages) * Number(bytes)
      },
      assertSame: () => this.#identity?.assertSame(),
      all: (statement) => this.#all('reader', statement),
      onStatement: (sql) => this.#onStatement?.(sql),
      pragmas: readerPragmas,
      failureOf: sqliteFailure,
    })
  }

  /** A token that changes with every commit, of other storages and processes too. The connection is opened before it counts. */
  changes(): string {
    return this.#tokens.all()
  }

  /** Returns the token of the options alone, too: commits of other connections may have written some. */
  readChanges(): Changes {
    return this.#tokens.read()
  }

  /** Reads notice a replaced file within a second; commits notice it at once. */
  #checkIdentityAtTimes(): void {
    const now = Date.now()
    if (Math.abs(now - this.#identityCheckedAt) < IDENTITY_CHECK_MS) return
    this.#identityCheckedAt = now
    this.#identity?.assertSame()
  }

  get mayWait(): boolean {
    return this.#sideReader !== undefined
  }

  all(statement: Fragment, extent?: Extent): MaybePromise<readonly Row[]> {
    if (this.isInMemory) return this.#all('writer', statement)
    // Opens the storage, or throws where it is closed.
    this.#connection('reader')
    return this.#sideReader?.read(statement, extent) ?? this.#all('reader', statement)
  }

  #all(name: 'reader' | 'writer', { text, values }: Fragment): Row[] {
    this.#onStatement?.(text)
    try {
      return this.#connection(name).all(text, values)
    } catch (error) {
      throw sqliteFailure(error)
    }
  }

  #execute({ text, values }: Fragment): SqlResult {
    this.#onStatement?.(text)
    try {
      return this.#connection('writer').run(text, values)
    } catch (error) {
      throw writeErrorOf(error) ?? sqliteFailure(error)
    }
  }

  // ---------------------------------------------------------------- transactions

  #createTransaction(): SqlTransaction {
    const isAlive = () => this.#writer?.inTransaction === true
    return {
      get isAlive() {
        return isAlive()
      },
      all: (statement) => this.#all('writer', statement),
      run: (statement) => this.#execute(statement),
      savepoints: {
        begin: (depth) => this.#exec(`savepoint s${depth}`),
        release: (depth) => this.#exec(`release s${depth}`),
        rollback: (depth) => {
          this.#exec(`rollback to s${depth}`)
          this.#exec(`release s${depth}`)
        },
      },
      createIndexes: (statements) => {
        for (const sql of statements) this.#connection('writer').exec(sql)
      },
      position: () => this.#tokens.counts().commits + 1,
      commit: (written) => this.#commit(written),
      rollback: () => {
        if (isAlive()) this.#exec('rollback')
      },
    }
  }

  /** A transaction of a host may be as long as an import, so what it may have to undo is kept in files. */
  begin({ askedAt, isShared }: BeginOptions): MaybePromise<SqlTransaction> {
    this.#tokens.expire()
    const writer = this.#connection('writer')
    writer.keepUndoIn(isShared ? 'memory' : 'file')
    return andThen(writer.begin(askedAt + LOCK_TIMEOUT_MS), () => {
      try {
        this.#assertKnownSchema()
      } catch (error) {
        this.#exec('rollback')
        throw error
      }
      return this.#transaction
    })
  }

  /** A newer version of the package may have migrated the file since it was opened here; then this process writes no more. */
  #assertKnownSchema(): void {
    const counter = this.#connection('writer').all('pragma schema_version', [])[0]?.[0] ?? 0
    if (counter === this.#schemaCounter) return
    const writer = this.#connection('writer')
    runSteps(assertKnownVersion(), ({ text, values }) => writer.all(text, values))
    this.#schemaCounter = counter
  }

  #commit(written: Written): void {
    // Before it, so that nothing is written to a file that is gone.
    if (written.anything) this.#identity?.assertSame()
    if (written.anything) this.#count()
    try {
      this.#exec('commit')
    } catch (error) {
      this.#tokens.forget()
      throw sqliteFailure(error, { isCommit: true })
    }
    if (!written.anything) return
    this.#tokens.noteCommit('commits')
    this.#commits.all++
    if (written.options) this.#commits.options++
    this.#indexing.schedule()
  }

  #count(): void {
    try {
      this.#exec(countCommit)
    } catch (error) {
      throw sqliteFailure(error)
    }
  }

  #indexPending(): MaybePromise<void> {
    if (this.#writer === undefined || !this.#isBatchPending()) return
    return this.sql.transact(() => this.#indexBatch())
  }

  #isBatchPending(): boolean {
    return this.#connection('writer').all(isBatchPending, [])[0]?.[0] === 1
  }

  #indexBatch(): void {
    for (const sql of [...indexBatch, countIndexing]) this.#exec(sql)
    this.#tokens.noteCommit('indexings')
    this.#indexing.schedule()
  }

  #exec(sql: string): void {
    this.#connection('writer').run(sql, [])
  }

  #connection(name: 'reader' | 'writer'): PreparedConnection {
    if (this.#writer === undefined) this.open()
    this.#isUsed = true
    // The cast: `open` has either set both or thrown.
    return (name === 'writer' ? this.#writer : this.#reader) as PreparedConnection
  }
}

const fileSize = 'select page_count, page_size from pragma_page_count, pragma_page_size'
