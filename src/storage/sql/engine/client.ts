/** The session of the stores on a database: orders its transactions, nests them as savepoints, and runs statements in them. */
import { andThen, sequence } from '../../../contract/maybe-promise.ts'
import { type AtomicOptions, type MaybePromise, StorageRetry } from '../../../contract/storage.ts'
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
import type { Dialect } from './dialect.ts'
import { type Extent, type Fragment, type Row, raw } from './fragments.ts'
import { insertRows } from './insertion.ts'
import { postChanges, ReadCache } from './read-cache.ts'
import { type Insertion, type InsertOptions, type Session, writesOptions } from './session.ts'
import type { SqlSession, SqlTransaction } from './sql-session.ts'

interface ClientOptions {
  readonly dialect: Dialect
  readonly session: SqlSession
}

/** How often a transaction of a store runs again when the database asks for it. */
const MAX_RETRIES = 3

export class SqlClient {
  readonly #dialect: Dialect
  readonly #session: SqlSession
  readonly #root: TransactionScope = createScope()
  readonly #isAsync: boolean
  readonly #groupCommit: GroupCommit | undefined
  readonly #readCache = new ReadCache()
  #transaction: SqlTransaction | undefined
  #areOptionsWritten = false

  constructor({ dialect, session }: ClientOptions) {
    this.#dialect = dialect
    this.#session = session
    this.#isAsync = session.isAsync ?? true
    if (!session.sharesCommits) return
    this.#groupCommit = new GroupCommit({
      root: this.#root,
      actions: () => this.#actions(true),
      isAlive: () => this.#isAlive,
    })
  }

  /** The session outside transactions. It retries its own transactions, which have no other effects. */
  session(): Session {
    return this.#sessionOn(this.#root)
  }

  /** A transaction of the caller, which decides about retries. */
  atomic<T>(work: (transaction: Session) => MaybePromise<T>, options?: AtomicOptions): MaybePromise<T> {
    return this.#atomic(this.#root, (child) => work(this.#sessionOn(child, new Set())), options, 0)
  }

  /** A transaction of the session itself, without a result that a store has to know. */
  transact(work: (transaction: SqlTransaction) => MaybePromise<void>): MaybePromise<void> {
    return this.#transact(() => work(this.#current))
  }

  /** Whether a transaction is running, or waits to begin. */
  get isBusy(): boolean {
    return this.#root.child !== undefined
  }

  /** Waits for the running transaction. */
  close(): MaybePromise<void> {
    this.#session.closing?.()
    return enqueue(this.#root, () => this.#session.close?.())
  }

  #sessionOn(scope: TransactionScope, newPosts?: Set<number>): Session {
    const isRoot = scope === this.#root
    return {
      dialect: this.#dialect,
      isAsync: this.#isAsync,
      newPosts,
      mayWait: isRoot && this.#session.mayWait === true,
      all: (statement, extent) => this.#read(scope, statement, extent),
      run: (statement) => this.#write(scope, (writing) => this.#run(writing, statement)),
      send: (statement, count) => this.#write(scope, (writing) => this.#send(writing, statement, count)),
      insert: (insertion, options) => this.#insertIn(scope, insertion, options),
      atomic: (work, options) =>
        this.#atomic(scope, (child) => work(this.#sessionOn(child, newPosts ?? new Set())), options),
      ...(!this.#isAsync && {
        together: (work) =>
          isRoot
            ? this.#atomic(scope, (child) => work(this.#sessionOn(child)))
            : enqueue(scope, () => work(this.#sessionOn(scope, newPosts))),
      }),
      ensure: (name, indexes) => this.#ensure(scope, name, indexes),
      cached: isRoot ? this.#cached : undefined,
      known: isRoot ? undefined : this.#transaction?.known,
      position: isRoot ? undefined : this.#transaction?.position?.bind(this.#transaction),
    }
  }

  /** Present also where nothing is kept: its absence tells the stores that they are in a transaction. */
  readonly #cached: NonNullable<Session['cached']> = (key, read, types) => {
    const { cached, changes } = this.#session
    if (cached !== undefined) return cached(key, read, types)
    if (changes === undefined) return read()
    return this.#readCache.get({ all: this.#session.changes?.(), types: this.#readTypes }, key, read, types)
  }

  readonly #readTypes = () => this.#read(this.#root, postChanges)

  #read(scope: TransactionScope, statement: Fragment, extent?: Extent): MaybePromise<readonly Row[]> {
    const isRoot = scope === this.#root
    if (isRoot && !this.#session.hasOneConnection) return this.#session.all(statement, extent)
    assertActive(scope)
    const read = () => (isRoot ? this.#session.all(statement, extent) : this.#current.all(statement))
    return scope.child === undefined ? read() : enqueue(scope, read)
  }

  #atomic<T>(
    scope: TransactionScope,
    work: (child: TransactionScope) => MaybePromise<T>,
    { groupCommit = false }: AtomicOptions = {},
    retries?: number,
  ): MaybePromise<T> {
    assertActive(scope)
    if (scope !== this.#root) return enqueue(scope, () => runInScope(scope, this.#actions(), work))
    if (groupCommit && this.#groupCommit !== undefined) return this.#groupCommit.run(work)
    return this.#transact(work, retries)
  }

  /** A single statement is atomic, so within a transaction it needs no savepoint. */
  #write<T>(scope: TransactionScope, work: (scope: TransactionScope) => MaybePromise<T>): MaybePromise<T> {
    return scope === this.#root ? this.#transact(work) : enqueue(scope, () => work(scope))
  }

  #transact<T>(work: (scope: TransactionScope) => MaybePromise<T>, retries = MAX_RETRIES): MaybePromise<T> {
    if (this.#isAsync) return this.#transactAsync(work, retries)
    const actions = this.#actions()
    return enqueue(this.#root, () => runInScope(this.#root, actions, work))
  }

  /**
   * Runs a transaction, and retries it when the database requests that, for example after a deadlock with statements of the
   * host. Then the error of `work` is ignored: results of a failed transaction are not reliable.
   */
  async #transactAsync<T>(work: (scope: TransactionScope) => MaybePromise<T>, retries: number): Promise<T> {
    const actions = this.#actions()
    let transaction: SqlTransaction | undefined
    try {
      const result = await enqueue(this.#root, () =>
        runInScope(this.#root, actions, (scope) => {
          transaction = this.#current
          const { lost } = transaction
          // Work that waits for something else must not hold the others up when its transaction is lost.
          return lost === undefined ? work(scope) : Promise.race([work(scope), lost])
        }),
      )
      // The next transaction has begun meanwhile: the database makes several durable at once.
      await transaction?.settled
      return result
    } catch (error) {
      const retryError = transaction?.retryError
      if (retryError === undefined) throw error
      if (retries === 0) throw new StorageRetry(retryError)
      return this.#transactAsync(work, retries - 1)
    }
  }

  #run(scope: TransactionScope, statement: Fragment): MaybePromise<number> {
    this.#noteOptions(statement)
    return andThen(this.#current.run(statement), ({ changes }) => {
      if (changes > 0) scope.hasWritten = true
      return changes
    })
  }

  #send(scope: TransactionScope, statement: Fragment, count?: number): MaybePromise<unknown> {
    const transaction = this.#current
    if (transaction.send === undefined) {
      return andThen(this.#run(scope, statement), (changes) => {
        if (this.#isAsync && count !== undefined && count !== changes)
          throw new TypeError(`${changes} rows instead of ${count}`)
      })
    }
    this.#noteOptions(statement)
    scope.hasWritten = true
    return transaction.send(statement, count)
  }

  #insertIn(scope: TransactionScope, insertion: Insertion, options: InsertOptions = {}): MaybePromise<number[]> {
    return this.#write(scope, (writing) => {
      writing.hasWritten = true
      const transaction = this.#current
      if (transaction.insert !== undefined) {
        return transaction.insert(insertion, options, (work) => enqueue(writing, work))
      }
      return insertRows(transaction, insertion, options, { dialect: this.#dialect, isAsync: this.#isAsync })
    })
  }

  #noteOptions({ text }: Fragment): void {
    if (writesOptions(text)) this.#areOptionsWritten = true
  }

  #ensure(scope: TransactionScope, name: string, indexes: () => readonly string[]): MaybePromise<void> {
    if (isEnsured(scope, name)) return
    return this.#write(scope, (writing) => {
      const transaction = this.#current
      const statements = indexes()
      const created =
        transaction.createIndexes === undefined
          ? sequence(statements, (text) => transaction.run(raw(text)))
          : transaction.createIndexes(statements)
      return andThen(created, () => void writing.ensured.add(name))
    })
  }

  get #current(): SqlTransaction {
    // The cast: only called in a scope that has begun.
    return this.#transaction as SqlTransaction
  }

  get #isAlive(): boolean {
    return this.#transaction !== undefined && this.#transaction.isAlive !== false
  }

  // ---------------------------------------------------------------- begin and end

  /** The patience counts from the arrival of the write: many that wait do not wait one after another. */
  #actions(isShared = false): TransactionActions {
    const askedAt = Date.now()
    return {
      begin: ({ depth }) => {
        if (depth > 1) return this.#savepoint(depth, 'begin')
        return andThen(this.#session.begin({ askedAt, isShared }), (transaction) => {
          this.#transaction = transaction
          this.#areOptionsWritten = false
        })
      },
      commit: (scope) => (scope.depth > 1 ? this.#savepoint(scope.depth, 'release') : this.#commit(scope)),
      rollback: ({ depth }) => this.#rollback(depth),
    }
  }

  #commit({ hasWritten, ensured }: TransactionScope): MaybePromise<void> {
    const transaction = this.#current
    const written = { anything: hasWritten, options: this.#areOptionsWritten }
    return andThen(transaction.commit(written), () => {
      this.#transaction = undefined
      // Values that a failed transaction has ensured must not be remembered.
      if (ensured.size > 0) return transaction.settled
    })
  }

  #rollback(depth: number): MaybePromise<void> {
    const transaction = this.#transaction
    // It may not have begun, and some errors, such as a full disk, have already ended it.
    if (transaction === undefined) return
    if (depth > 1) return this.#isAlive ? this.#savepoint(depth, 'rollback') : undefined
    return andThen(transaction.rollback(), () => {
      this.#transaction = undefined
    })
  }

  #savepoint(depth: number, action: 'begin' | 'release' | 'rollback'): MaybePromise<void> {
    const transaction = this.#current
    if (transaction.savepoints !== undefined) return transaction.savepoints[action](depth)
    const name = `s${depth}`
    const texts = {
      begin: [`savepoint ${name}`],
      release: [`release savepoint ${name}`],
      rollback: [`rollback to savepoint ${name}`, `release savepoint ${name}`],
    }[action]
    return andThen(
      sequence(texts, (text) => transaction.run(raw(text))),
      () => undefined,
    )
  }
}
