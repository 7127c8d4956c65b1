/**
 * An open transaction on the server. Its statements go out in order without waiting for one another, from the one that begins
 * it to the one that commits it: only a caller that needs a result waits for it.
 */
import { type MaybePromise, StorageUnavailable } from '../../../contract/storage.ts'
import type { Row, SqlValue } from '../engine/fragments.ts'
import { type CountedTable, KnownRows } from '../engine/session.ts'
import type { PostgresConnection, Result, StatementSavepoint } from './connection.ts'
import { isLockTimeout, onlyReads } from './errors.ts'
import { assertKnownVersion } from './migrate.ts'
import type { ServerStatement } from './statements.ts'
import { countedTables, type TransactionTexts } from './transaction-texts.ts'

/** A statement whose answer no caller waits for. */
interface Sent {
  /** The depth of the scope that it belongs to. */
  depth: number
  failure: { readonly error: unknown } | undefined
  answered: Promise<void>
  hasSucceeded: boolean
}

type Beginning = Pick<TransactionTexts, 'script' | 'state'>

interface CommitOptions {
  /** Absent where nothing was written. */
  readonly mark: ServerStatement | undefined
  /** Makes the commit durable, where the transaction has begun so. */
  readonly flush: ServerStatement | undefined
}

/** A deadline counts from when a statement is sent: few enough that those before it take no time worth mentioning. */
const maxUnanswered = 256

export class ServerTransaction {
  readonly connection: PostgresConnection
  readonly #beginning: Beginning
  /** When the patience for the lock ends, in milliseconds of `Date.now()`. */
  readonly #deadline: number
  /** The savepoints before statements that may conflict, by the depth of the scope. */
  readonly #savepoints = new Map<number, StatementSavepoint>()
  #sent: Sent[] = []
  #unanswered = 0
  #flushed: Promise<unknown> = Promise.resolve()
  readonly #nextIds = new Map<CountedTable, number>()
  /** Tables whose next ids are not known any more, whatever the server answers when the transaction has begun. */
  readonly #uncounted = new Set<string>()
  #position = Number.NaN
  readonly known = new KnownRows()
  /** 1, or the depth of the innermost open savepoint: no statement runs in an outer one. */
  #depth = 1
  /** False when the transaction has begun anew: what was sent before has to be sent again. */
  #begun: Promise<boolean>
  /**
   * While it begins anew: settles when all that was sent before has been answered. Until then `pg` takes for prepared what the
   * server refused to prepare.
   */
  #ended: Promise<boolean> | undefined

  constructor(connection: PostgresConnection, beginning: Beginning, deadline: number) {
    this.connection = connection
    this.#beginning = beginning
    this.#deadline = deadline
    this.#begun = this.#begin()
  }

  async execute(statement: ServerStatement, values: readonly SqlValue[]): Promise<Result> {
    try {
      return await this.#execute(statement, values, this.#depth)
    } catch (error) {
      throw (await this.#failure()) ?? error
    }
  }

  #execute(statement: ServerStatement, values: readonly SqlValue[], depth: number): Promise<Result> {
    return this.#perform(() =>
      statement.mayConflict
        ? this.connection.executeWithSavepoint(statement, values, this.#savepointOf(depth))
        : this.connection.execute(statement, values),
    )
  }

  /**
   * Does not wait, unless many others have no answer yet. Its error, as `errorOf` names it, is thrown by the next statement and by
   * the commit.
   */
  send(
    statement: ServerStatement,
    values: readonly SqlValue[],
    errorOf?: (error: unknown) => unknown,
  ): MaybePromise<void> {
    const depth = this.#depth
    return this.#send(() => this.#execute(statement, values, depth), depth, errorOf)
  }

  #send(
    work: () => Promise<unknown>,
    depth: number,
    errorOf: (error: unknown) => unknown = (error) => error,
  ): MaybePromise<void> {
    const sent: Sent = { depth, failure: undefined, answered: Promise.resolve(), hasSucceeded: false }
    // An import sends many.
    if (this.#sent.length >= 2 * maxUnanswered) this.#sent = this.#sent.filter(({ hasSucceeded }) => !hasSucceeded)
    this.#sent.push(sent)
    this.#unanswered += 1
    const settled = work().then(
      () => {
        sent.hasSucceeded = true
      },
      (error: unknown) => {
        sent.failure = { error: errorOf(error) }
      },
    )
    sent.answered = settled.then(() => {
      this.#unanswered -= 1
    })
    if (this.#unanswered >= maxUnanswered) return sent.answered
  }

  /** A statement without parameters and result. */
  #sendText(text: string, depth: number): MaybePromise<void> {
    return this.#send(() => this.#perform(() => this.connection.script(text)), depth)
  }

  /** The number that it has among all writing transactions. */
  async position(): Promise<number> {
    await this.#hasBegun()
    return this.#position
  }

  /**
   * The ids that the next rows of a table will get, for an insert that is sent at once. Undefined before the transaction has begun, and
   * where the ids are not known: the role may not read them, or rows were inserted otherwise.
   */
  takeIds(table: CountedTable, count: number): number[] | undefined {
    const first = this.#uncounted.has(table) ? undefined : this.#nextIds.get(table)
    if (first === undefined) return undefined
    this.#nextIds.set(table, first + count)
    return Array.from({ length: count }, (_, at) => first + at)
  }

  /** An insert that takes ids of the server precedes those that follow; it may have been sent before the transaction has begun. */
  forgetIds(table: string): void {
    this.#uncounted.add(table)
  }

  /** Runs statements on the connection itself, when all before have been sent. */
  async direct<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    await this.#hasBegun()
    return work(this.connection)
  }

  beginSavepoint(depth: number): MaybePromise<void> {
    this.#depth = depth
    return this.#sendText(`savepoint s${depth}`, depth)
  }

  releaseSavepoint(depth: number): MaybePromise<void> {
    this.#depth = depth - 1
    this.#savepoints.delete(depth)
    for (const sent of this.#sent) sent.depth = Math.min(sent.depth, depth - 1)
    return this.#sendText(`release savepoint s${depth}`, depth - 1)
  }

  rollbackToSavepoint(depth: number): MaybePromise<void> {
    this.#depth = depth - 1
    for (const inner of this.#savepoints.keys()) if (inner >= depth) this.#savepoints.delete(inner)
    this.#sent = this.#sent.filter((sent) => sent.depth < depth)
    // An insert that the server has refused has not taken its id.
    for (const table of countedTables) this.forgetIds(table)
    this.known.clear()
    return this.#sendText(`rollback to savepoint s${depth}; release savepoint s${depth}`, depth - 1)
  }

  /** When what was committed is safe: at once, unless `commit` was given a `flush`. */
  get flushed(): Promise<unknown> {
    return this.#flushed
  }

  /** Until it has the lock for writes, and knows its position and the next ids. */
  async ready(): Promise<void> {
    await this.#hasBegun()
  }

  /** Throws the error of a statement that failed unnoticed: then nothing is written. Returns the row of `mark`. */
  async commit({ mark, flush }: CommitOptions): Promise<Row | undefined> {
    // A server that only reads, or a newer version of the schema, must not be written to.
    await this.#hasBegun()
    const committed = this.#end(mark)
    if (mark !== undefined && flush !== undefined) {
      this.#flushed = this.connection.flush(flush)
      this.#flushed.catch(() => undefined)
    }
    const { command, row } = await committed.catch(async (error: unknown) => {
      throw (await this.#failure()) ?? error
    })
    if (command === 'COMMIT') return row
    // After an error that was ignored, the server rolls back on commit and reports no error.
    throw (await this.#failure()) ?? new Error('a statement of this transaction has failed; nothing was written')
  }

  /** The end of a connection leaves the outcome unknown only where something was written. */
  async #end(mark: ServerStatement | undefined): ReturnType<PostgresConnection['commit']> {
    if (mark !== undefined) return this.connection.commit(mark)
    return { command: await this.connection.script('commit'), row: undefined }
  }

  async rollback(): Promise<void> {
    try {
      await this.connection.rollback('rollback')
    } catch {
      // The connection is broken, so the server has rolled back.
    }
  }

  /** The first failure of a statement without a waiting caller: the server refuses all that follow. */
  async #failure(): Promise<unknown> {
    await Promise.all(this.#sent.map(({ answered }) => answered))
    return this.#sent.find(({ failure }) => failure !== undefined)?.failure?.error
  }

  /** Sends at once, and again when the transaction has begun anew. */
  async #perform<T>(send: () => Promise<T>): Promise<T> {
    if (this.#ended !== undefined) await this.#ended
    const begun = this.#begun
    const answer = send()
    answer.catch(() => undefined)
    return (await begun) ? answer : this.#perform(send)
  }

  async #hasBegun(): Promise<void> {
    if (!(await this.#begun)) await this.#hasBegun()
  }

  #begin(): Promise<boolean> {
    const { script, state } = this.#beginning
    const begun: Promise<boolean> = this.connection.begin(script, state).then(
      ([row]) => {
        if (row?.[1] === 'on') throw onlyReads()
        // A newer version of the package may have migrated the schema since; then this process writes no more.
        assertKnownVersion(Number(row?.[0] ?? 0))
        this.#position = Number(row?.[countedTables.length + 2]) + 1
        for (const [at, table] of countedTables.entries()) {
          const next = row?.[at + 2]
          if (typeof next === 'number') this.#nextIds.set(table, next)
        }
        return true
      },
      (error: unknown) => {
        if (!isLockTimeout(error)) throw error
        if (Date.now() > this.#deadline) throw lockTimeout()
        this.#savepoints.clear()
        const rolledBack = this.connection.rollback('rollback').catch(() => undefined)
        this.#ended = begun
        this.#begun = this.#begin()
        return rolledBack.then(() => {
          this.#ended = undefined
          return false
        })
      },
    )
    begun.catch(() => undefined)
    return begun
  }

  #savepointOf(depth: number): StatementSavepoint {
    const savepoint = this.#savepoints.get(depth) ?? { name: `g${depth}`, isSet: false }
    this.#savepoints.set(depth, savepoint)
    return savepoint
  }
}

export const lockTimeout = () =>
  new StorageUnavailable('other transactions have held the lock for writes for too long', { written: 'no' })
