/** A transaction of a host's session: one statement at a time, and a savepoint before each that may conflict. */
import { type Row, raw } from '../engine/fragments.ts'
import { Turns } from '../engine/one-by-one.ts'
import type { SqlResult, SqlStatement, SqlTransaction, Written } from '../engine/sql-session.ts'
import { isLockTimeout, isRetryable, postgresConflict, postgresFailure } from './errors.ts'
import { lockTimeout } from './transaction.ts'

export class DrivenTransaction {
  readonly #transaction: SqlTransaction
  readonly #turns = new Turns()
  /** After it the server refuses all statements until the rollback, and rolls back on commit without an error. */
  #failure: { readonly error: unknown } | undefined
  #retryError: unknown
  #hasEnded = false

  constructor(transaction: SqlTransaction) {
    this.#transaction = transaction
  }

  get lost(): Promise<never> | undefined {
    return this.#transaction.lost
  }

  /** The error with which the server requests a retry. */
  get retryError(): unknown {
    return this.#retryError ?? this.#transaction.retryError
  }

  all(statement: SqlStatement, mayConflict = false): Promise<readonly Row[]> {
    return this.#turns.run(() => this.#run(async () => this.#transaction.all(statement), mayConflict))
  }

  run(statement: SqlStatement, mayConflict = false): Promise<SqlResult> {
    return this.#turns.run(() => this.#run(async () => this.#transaction.run(statement), mayConflict))
  }

  readonly savepoints = {
    begin: (depth: number) => this.#control([`savepoint s${depth}`]),
    release: (depth: number) => this.#control([`release savepoint s${depth}`]),
    rollback: (depth: number) => {
      const texts = [`rollback to savepoint s${depth}`, `release savepoint s${depth}`]
      return this.#control(texts).then(() => {
        this.#failure = undefined
      })
    },
  }

  /** Throws the error of a statement that failed unnoticed: then nothing is written. */
  commit(written: Written): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#failure !== undefined) throw this.#failure.error
      try {
        await this.#transaction.commit(written)
        this.#hasEnded = true
      } catch (error) {
        throw postgresFailure(error, { isCommitSent: true })
      }
    })
  }

  rollback(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#hasEnded) return
      this.#hasEnded = true
      try {
        await this.#transaction.rollback()
      } catch {
        // The connection is broken, so the server has rolled back.
      }
    })
  }

  #control(texts: readonly string[]): Promise<void> {
    return this.#turns.run(async () => {
      for (const text of texts) await this.#attempt(async () => this.#transaction.run(raw(text)))
    })
  }

  async #run<T>(work: () => Promise<T>, mayConflict: boolean): Promise<T> {
    if (!mayConflict) return this.#attempt(work)
    await this.#attempt(async () => this.#transaction.run(raw('savepoint g')))
    try {
      const result = await work()
      await this.#attempt(async () => this.#transaction.run(raw('release savepoint g')))
      return result
    } catch (error) {
      const conflict = postgresConflict(error)
      if (conflict === undefined) throw this.#failed(error)
      await this.#attempt(async () => this.#transaction.run(raw('rollback to savepoint g')))
      await this.#attempt(async () => this.#transaction.run(raw('release savepoint g')))
      throw conflict
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): unknown {
    if (isRetryable(error)) this.#retryError = error
    const failure = postgresConflict(error) ?? (isLockTimeout(error) ? lockTimeout() : postgresFailure(error))
    this.#failure ??= { error: failure }
    return failure
  }
}
