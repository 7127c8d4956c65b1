/**
 * The sessions of a SQLite database. One connection writes, one transaction at a time; another reads committed data. A
 * database in memory has one connection, so its reads wait while a transaction is open.
 */
import { andThen } from '../../../contract/maybe-promise.ts'
import { type AtomicOptions, type Changes, type MaybePromise, StorageUnavailable } from '../../../contract/storage.ts'
import { GroupCommit } from '../../group-commit.ts'
import {
  assertActive,
  createScope,
  enqueue,
  isEnsured,
  runInScope,
  type TransactionActions,
  type TransactionScope,
} from '../../transaction-stack.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Extent, Fragment, Row, SqlValue } from '../engine/fragments.ts'
import { postChanges, ReadCache } from '../engine/read-cache.ts'
import { type Insertion, type InsertOptions, insertOrUndo, type Session, writesOptions } from '../engine/session.ts'
import {
  isInMemory,
  type OpenOptions,
  openReader,
  openWriter,
  type PreparedConnection,
  type UndoPlace,
} from './connection.ts'
import { sqliteFailure } from './errors.ts'
import { commitsOf, newCommits } from './file-commits.ts'
import { type FileIdentity, identityOf } from './file-identity.ts'
import { assertKnownVersion } from './migrate.ts'
import { BackgroundIndexing, indexBatch, isBatchPending } from './search-index.ts'
import { writeErrorOf } from './write-errors.ts'

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
  bytes(): number
  /** Throws once the file was deleted or replaced. */
  assertSame(): void
  /** Runs a statement on the connection of the process. */
  all(statement: Fragment): readonly Row[]
  onStatement(sql: string): void
}

/** How long a transaction waits for the lock of another process. */
const LOCK_TIMEOUT_MS = 10_000
const IDENTITY_CHECK_MS = 1000

export class SqliteClient {
  readonly #file: string
  readonly #options: SqliteClientOptions
  readonly #root: TransactionScope = createScope()
  readonly #actions: Omit<TransactionActions, 'begin'>
  readonly #groupCommit: GroupCommit
  readonly #onStatement: ((sql: string) => void) | undefined
  #writer: PreparedConnection | undefined
  #reader: PreparedConnection | undefined
  #sideReader: SideReader | undefined
  #isClosed = false
  /** True: used since the last call of `closeUnlessUsed`. */
  #isUsed = false
  /** The commits of this process on the file, as soon as it is open. */
  #commits = newCommits()
  /** Whether the open transaction writes options. */
  #areOptionsWritten = false
  /** The number changes with the commits of other connections; it is read at most once per event of the loop. */
  #dataVersion: SqlValue = 0
  #isDataVersionFresh = false
  /** The commits of this process when the number was read. */
  #dataVersionCommits = 0
  readonly #readCache = new ReadCache()
  readonly #indexing: BackgroundIndexing
  #identity: FileIdentity | undefined
  #identityCheckedAt = 0
  /** SQLite's counter of schema changes, when the version of the schema was last found to be known. */
  #schemaCounter: SqlValue = -1

  constructor(file: string, options: SqliteClientOptions) {
    this.#file = file
    this.#options = options
    this.#onStatement = options.onStatement
    this.#indexing = new BackgroundIndexing({ isWanted: options.searchIndex, indexPending: () => this.#indexPending() })
    this.#actions = {
      commit: (scope) => this.#commit(scope),
      rollback: (scope) => this.#rollback(scope),
    }
    this.#groupCommit = new GroupCommit({
      root: this.#root,
      actions: () => this.#actionsNow('memory'),
      isAlive: () => this.#writer?.inTransaction === true,
    })
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
    return enqueue(this.#root, () => {
      this.#isClosed = true
      return this.#closeConnections()
    })
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
    const isIdle = !this.#isUsed && this.#root.child === undefined && !this.#sideReader?.isBusy
    this.#isUsed = false
    if (!isIdle || this.#writer === undefined) return
    this.#closeConnections()
    this.#identity?.forgetLog()
    // Another connection counts the commits of others anew.
    this.#commits.all++
    this.#commits.options++
    this.#isDataVersionFresh = false
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
    })
  }

  /** The session outside transactions. */
  session(): Session {
    return this.#sessionOn(this.#root)
  }

  /** A token that changes with every commit, of other storages and processes too. The connection is opened before it counts. */
  changes(): string {
    this.#connection('writer')
    const { all } = this.#commits
    if (!this.#isDataVersionFresh || this.#dataVersionCommits !== all) {
      this.#checkIdentityAtTimes()
      this.#dataVersion = this.#connection('writer').all(dataVersion, [])[0]?.[0] ?? 0
      this.#isDataVersionFresh = true
      this.#dataVersionCommits = all
      // Expires before the event loop takes the next event: that may be a request of a client that another process has answered.
      process.nextTick(this.#expireDataVersion)
    }
    return `${all}.${this.#dataVersion}`
  }

  /** Returns the token of the options alone: commits of other connections may have written some. */
  readChanges(): Changes {
    return { all: this.changes(), options: `${this.#commits.options}.${this.#dataVersion}` }
  }

  readonly #expireDataVersion = (): void => {
    this.#isDataVersionFresh = false
  }

  /** Reads notice a replaced file within a second; commits notice it at once. */
  #checkIdentityAtTimes(): void {
    const now = Date.now()
    if (Math.abs(now - this.#identityCheckedAt) < IDENTITY_CHECK_MS) return
    this.#identityCheckedAt = now
    this.#identity?.assertSame()
  }

  #sessionOn(scope: TransactionScope, newPosts?: Set<number>): Session {
    return {
      dialect: this.#options.dialect,
      isAsync: false,
      newPosts,
      mayWait: scope === this.#root && this.#sideReader !== undefined,
      all: (statement, extent) => this.#read(scope, statement, extent),
      run: (statement) => this.#write(scope, (writing) => this.#run(writing, statement)),
      send: (statement) => this.#write(scope, (writing) => this.#run(writing, statement)),
      insert: (insertion, options) => this.#write(scope, (writing) => this.#insert(writing, insertion, options)),
      atomic: (work, options) =>
        this.#atomic(scope, (child) => work(this.#sessionOn(child, newPosts ?? new Set())), options),
      together: (work) =>
        scope === this.#root
          ? this.#atomic(scope, (child) => work(this.#sessionOn(child)))
          : enqueue(scope, () => work(this.#sessionOn(scope, newPosts))),
      ensure: (name, indexes) => this.#ensure(scope, name, indexes),
      cached:
        scope === this.#root
          ? (key, read, types) => this.#readCache.get({ all: this.changes(), types: this.#readTypes }, key, read, types)
          : undefined,
    }
  }

  #atomic<T>(
    scope: TransactionScope,
    work: (child: TransactionScope) => MaybePromise<T>,
    { groupCommit = false }: AtomicOptions = {},
  ): MaybePromise<T> {
    assertActive(scope)
    if (groupCommit && scope === this.#root && !this.isInMemory) return this.#groupCommit.run(work)
    const actions = this.#actionsNow()
    return enqueue(scope, () => runInScope(scope, actions, work))
  }

  readonly #readTypes = () => this.#read(this.#root, postChanges)

  #read(scope: TransactionScope, statement: Fragment, extent?: Extent): MaybePromise<readonly Row[]> {
    if (scope === this.#root && !this.isInMemory) return this.#readCommitted(statement, extent)
    assertActive(scope)
    if (scope.child === undefined) return this.#all('writer', statement)
    return enqueue(scope, () => this.#all('writer', statement))
  }

  #readCommitted(statement: Fragment, extent: Extent | undefined): MaybePromise<readonly Row[]> {
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

  /** A single statement is atomic, so within a transaction it needs no savepoint. */
  #write<T>(scope: TransactionScope, work: (scope: TransactionScope) => T): MaybePromise<T> {
    if (scope !== this.#root) return enqueue(scope, () => work(scope))
    const actions = this.#actionsNow()
    return enqueue(scope, () => runInScope(scope, actions, work))
  }

  #run(scope: TransactionScope, statement: Fragment): number {
    const { changes } = this.#execute(statement)
    if (changes > 0) scope.hasWritten = true
    if (writesOptions(statement.text)) this.#areOptionsWritten = true
    return changes
  }

  #insert(scope: TransactionScope, insertion: Insertion, options: InsertOptions = {}): number[] {
    scope.hasWritten = true
    return insertOrUndo(insertion, options, {
      dialect: this.#options.dialect,
      execute: (statement) => this.#execute(statement),
      isAlive: () => this.#writer?.inTransaction === true,
    })
  }

  #execute({ text, values }: Fragment): { readonly changes: number; readonly lastId: number } {
    this.#onStatement?.(text)
    try {
      return this.#connection('writer').run(text, values)
    } catch (error) {
      throw writeErrorOf(error) ?? sqliteFailure(error)
    }
  }

  #ensure(scope: TransactionScope, name: string, indexes: () => readonly string[]): MaybePromise<void> {
    if (isEnsured(scope, name)) return
    return this.#write(scope, (writing) => {
      for (const sql of indexes()) this.#connection('writer').exec(sql)
      writing.ensured.add(name)
    })
  }

  /**
   * The patience counts from the arrival of the write: many that wait do not wait one after another. A transaction of a host may be as
   * long as an import, so what it may have to undo is kept in files.
   */
  #actionsNow(undo: UndoPlace = 'file'): TransactionActions {
    const deadline = Date.now() + LOCK_TIMEOUT_MS
    return { ...this.#actions, begin: (scope) => this.#begin(scope, deadline, undo) }
  }

  #begin(scope: TransactionScope, deadline: number, undo: UndoPlace): MaybePromise<void> {
    if (scope.depth > 1) return this.#exec(`savepoint s${scope.depth}`)
    this.#isDataVersionFresh = false
    const writer = this.#connection('writer')
    writer.keepUndoIn(undo)
    return andThen(writer.begin(deadline), () => this.#assertKnownSchema())
  }

  /** A newer version of the package may have migrated the file since it was opened here; then this process writes no more. */
  #assertKnownSchema(): void {
    const counter = this.#connection('writer').all('pragma schema_version', [])[0]?.[0] ?? 0
    if (counter === this.#schemaCounter) return
    assertKnownVersion(this.#connection('writer'))
    this.#schemaCounter = counter
  }

  #commit(scope: TransactionScope): void {
    if (scope.depth > 1) {
      this.#exec(`release s${scope.depth}`)
      return
    }
    // Before it, so that nothing is written to a file that is gone.
    if (scope.hasWritten) this.#identity?.assertSame()
    try {
      this.#exec('commit')
    } catch (error) {
      throw sqliteFailure(error, { isCommit: true })
    }
    if (!scope.hasWritten) return
    this.#commits.all++
    if (this.#areOptionsWritten) this.#commits.options++
    this.#areOptionsWritten = false
    this.#indexing.schedule()
  }

  #indexPending(): MaybePromise<void> {
    if (this.#writer === undefined || !this.#isBatchPending()) return
    return enqueue(this.#root, () => runInScope(this.#root, this.#actionsNow(), () => this.#indexBatch()))
  }

  #isBatchPending(): boolean {
    return this.#connection('reader').all(isBatchPending, [])[0]?.[0] === 1
  }

  #indexBatch(): void {
    for (const sql of indexBatch) this.#exec(sql)
    this.#indexing.schedule()
  }

  #rollback(scope: TransactionScope): void {
    // It may not have begun, and some errors, such as a full disk, have already ended it.
    if (!this.#writer?.inTransaction) return
    if (scope.depth === 1) {
      this.#exec('rollback')
      return
    }
    this.#exec(`rollback to s${scope.depth}`)
    this.#exec(`release s${scope.depth}`)
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

const dataVersion = 'pragma data_version'
const fileSize = 'select page_count, page_size from pragma_page_count, pragma_page_size'
