/**
 * The sessions of the database of a Durable Object, which has one connection. Single calls of a store are synchronous; a
 * transaction of the caller is asynchronous, because the runtime begins and ends transactions by functions that take the work.
 */
import { isPromise } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
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
import type { Fragment, Row } from '../engine/fragments.ts'
import { insertOrUndo } from '../engine/insertion.ts'
import { postChanges, ReadCache } from '../engine/read-cache.ts'
import type { Insertion, InsertOptions, Session } from '../engine/session.ts'
import type { Connection } from '../sqlite/driver.ts'
import { writeErrorOf } from '../sqlite/failures.ts'
import { migrate, syncSearchIndex } from '../sqlite/migrate.ts'
import { indexStatements } from '../sqlite/search-index.ts'
import { type DurableObjectDatabase, durableObjectConnection } from './driver.ts'

interface ClientOptions {
  readonly dialect: Dialect
  readonly searchIndex: boolean
  readonly onStatement?: ((sql: string) => void) | undefined
}

export interface DurableObjectSession extends Session {
  /** Like `atomic`, for work that may be asynchronous. */
  transaction<T>(work: (inside: DurableObjectSession) => MaybePromise<T>): MaybePromise<T>
}

/** An open transaction of the runtime: it ends when `end` is settled, and `ended` tells the outcome. */
interface RunningTransaction {
  readonly end: { resolve(): void; reject(reason: unknown): void }
  readonly ended: Promise<void>
}

/** Posts to index after a commit. */
const INDEXED_PER_COMMIT = 100

class RolledBack extends Error {}

export class DurableObjectClient {
  readonly #database: DurableObjectDatabase
  readonly #connection: Connection
  readonly #options: ClientOptions
  readonly #root: TransactionScope = createScope()
  readonly #running = new WeakMap<TransactionScope, RunningTransaction>()
  readonly #readCache = new ReadCache()
  #isOpen = false
  #commits = 0
  readonly #actions: TransactionActions = {
    begin: (scope) => this.#begin(scope),
    commit: (scope) => this.#commit(scope),
    rollback: (scope) => this.#rollback(scope),
  }

  constructor(database: DurableObjectDatabase, options: ClientOptions) {
    this.#database = database
    this.#connection = durableObjectConnection(database)
    this.#options = options
  }

  open(): void {
    if (this.#isOpen) return
    // The runtime refuses most pragmas; a database in a Durable Object has no other user.
    migrate(this.#connection, { isMarked: false })
    syncSearchIndex(this.#connection, { isWanted: this.#options.searchIndex })
    this.#isOpen = true
  }

  /** Nothing else writes to the database while the object lives. */
  changes(): number {
    return this.#commits
  }

  session(): DurableObjectSession {
    return this.#sessionOn(this.#root)
  }

  #sessionOn(scope: TransactionScope): DurableObjectSession {
    return {
      dialect: this.#options.dialect,
      isAsync: false,
      all: (statement) => this.#enqueue(scope, () => this.#all(statement)),
      run: (statement) => this.#write(scope, (writing) => this.#run(writing, statement)),
      send: (statement) => this.#write(scope, (writing) => this.#run(writing, statement)),
      insert: (insertion, options) => this.#write(scope, (writing) => this.#insert(writing, insertion, options)),
      atomic: (work) => this.#write(scope, (writing) => this.#runNow(writing, work)),
      together: (work) => this.#write(scope, (writing) => this.#runNow(writing, work)),
      ensure: (name, indexes) => this.#ensure(scope, name, indexes),
      cached:
        scope === this.#root
          ? (key, read, types) => this.#readCache.get({ all: this.#commits, types: this.#readTypes }, key, read, types)
          : undefined,
      transaction: (work) =>
        this.#enqueue(scope, () => runInScope(scope, this.#actions, (child) => work(this.#sessionOn(child)))),
    }
  }

  readonly #readTypes = () => this.#enqueue(this.#root, () => this.#all(postChanges))

  #enqueue<T>(scope: TransactionScope, work: () => MaybePromise<T>): MaybePromise<T> {
    assertActive(scope)
    if (!this.#isOpen) this.open()
    return enqueue(scope, work)
  }

  #write<T>(scope: TransactionScope, work: (scope: TransactionScope) => T): MaybePromise<T> {
    return this.#enqueue(scope, () => {
      this.#root.hasWritten = false
      const result = work(scope)
      if (scope === this.#root) this.#countCommit(scope)
      return result
    })
  }

  /** The stores' own transactions: their work is synchronous. */
  #runNow<T>(parent: TransactionScope, work: (session: Session) => MaybePromise<T>): T {
    const scope = createScope(parent)
    try {
      const result = this.#database.transactionSync(() => {
        const value = work(this.#sessionOn(scope))
        if (isPromise(value)) throw new Error('the work of a store can not wait in a Durable Object')
        return value
      })
      inherit(parent, scope)
      return result
    } finally {
      scope.hasEnded = true
    }
  }

  #all({ text, values }: Fragment): Row[] {
    this.#options.onStatement?.(text)
    return this.#connection.prepare(text).all(values)
  }

  #run(scope: TransactionScope, statement: Fragment): number {
    const { changes } = this.#execute(statement)
    if (changes > 0) scope.hasWritten = true
    return changes
  }

  #insert(scope: TransactionScope, insertion: Insertion, options: InsertOptions = {}): number[] {
    scope.hasWritten = true
    return insertOrUndo(insertion, options, {
      dialect: this.#options.dialect,
      execute: (statement) => this.#execute(statement),
      isAlive: () => true,
    })
  }

  #execute({ text, values }: Fragment): { readonly changes: number; readonly lastId: number } {
    this.#options.onStatement?.(text)
    try {
      return this.#connection.prepare(text).run(values)
    } catch (error) {
      throw writeErrorOf(error) ?? error
    }
  }

  #ensure(scope: TransactionScope, name: string, indexes: () => readonly string[]): MaybePromise<void> {
    if (isEnsured(scope, name)) return
    return this.#enqueue(scope, () => {
      for (const sql of indexes()) this.#connection.exec(sql)
      scope.ensured.add(name)
    })
  }

  #begin(scope: TransactionScope): Promise<void> {
    const end = Promise.withResolvers<void>()
    // The runtime hears of a rejection unless it could not begin.
    end.promise.catch(() => undefined)
    return new Promise((begun, failed) => {
      const ended = this.#database.transaction(() => {
        begun()
        return end.promise
      })
      this.#running.set(scope, { end, ended })
      ended.catch(failed)
    })
  }

  async #commit(scope: TransactionScope): Promise<void> {
    const running = this.#running.get(scope)
    running?.end.resolve()
    await running?.ended
    if (scope.depth === 1) this.#countCommit(scope)
  }

  async #rollback(scope: TransactionScope): Promise<void> {
    const running = this.#running.get(scope)
    running?.end.reject(new RolledBack())
    await running?.ended.catch(() => undefined)
  }

  #countCommit(scope: TransactionScope): void {
    if (!scope.hasWritten) return
    this.#commits++
    if (this.#options.searchIndex) this.#indexPending()
  }

  /** The write is stored already: if indexing fails, searches read the pending posts. */
  #indexPending(): void {
    try {
      if (this.#connection.prepare('select 1 from search_pending limit 1').all([]).length === 0) return
      this.#database.transactionSync(() => {
        for (const sql of indexStatements(INDEXED_PER_COMMIT)) this.#connection.exec(sql)
      })
    } catch {
      // The next commit tries again.
    }
  }
}

function inherit(parent: TransactionScope, scope: TransactionScope): void {
  for (const name of scope.ensured) parent.ensured.add(name)
  if (scope.hasWritten) parent.hasWritten = true
}
