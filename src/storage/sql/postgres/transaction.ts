/**
 * An open transaction on the server. Its statements go out in order without waiting for one another, from the one that begins
 * it to the one that commits it: only who needs a result waits for it.
 */
import { type MaybePromise, StorageUnavailable } from '../../../contract/storage.ts'
import { KnownReads } from '../engine/known-reads.ts'
import type { CountedTable } from '../engine/session.ts'
import type { Row, SqlValue } from '../engine/statements.ts'
import type { PostgresConnection, Result, StatementSavepoint } from './connection.ts'
import { isLockTimeout, onlyReads } from './errors.ts'
import { assertKnownVersion } from './migrate.ts'
import { type PendingGroup, type PendingWrite, PendingWrites } from './pending-writes.ts'
import type { ServerStatement } from './statements.ts'
import { type Beginning, countedTables } from './transaction-texts.ts'

/** A statement that nobody waits for. */
interface Sent {
  /** Of the scope that it belongs to. */
  depth: number
  failure: { readonly error: unknown } | undefined
  answered: Promise<void>
  hasSucceeded: boolean
}

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
  readonly #pending = new PendingWrites()
  #sent: Sent[] = []
  #unanswered = 0
  #flushed: Promise<unknown> = Promise.resolve()
  readonly #nextIds = new Map<string, number>()
  readonly known = new KnownReads()
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

  /** Perhaps in a savepoint that was rolled back. */
  hasWrittenOptions = false

  async execute(statement: ServerStatement, values: readonly SqlValue[], depth: number): Promise<Result> {
    try {
      return await this.#execute(statement, values, depth)
    } catch (error) {
      throw (await this.#failure()) ?? error
    }
  }

  #execute(
    statement: ServerStatement,
    values: readonly SqlValue[],
    depth: number,
    control = this.#sendPending(),
  ): Promise<Result> {
    this.hasWrittenOptions ||= statement.writesOptions
    return this.#perform(() =>
      statement.mayConflict
        ? this.connection.executeWithSavepoint(statement, values, this.#savepointOf(depth), control)
        : this.connection.execute(statement, values, control),
    )
  }

  /**
   * Does not wait, unless many others have no answer yet. Its error, as `errorOf` names it, is thrown by the next statement and by
   * the commit.
   */
  send(
    statement: ServerStatement,
    values: readonly SqlValue[],
    depth: number,
    errorOf: (error: unknown) => unknown = (error) => error,
    control = this.#sendPending(),
  ): MaybePromise<void> {
    const sent: Sent = { depth, failure: undefined, answered: Promise.resolve(), hasSucceeded: false }
    // An import sends many.
    if (this.#sent.length >= 2 * maxUnanswered) this.#sent = this.#sent.filter(({ hasSucceeded }) => !hasSucceeded)
    this.#sent.push(sent)
    this.#unanswered += 1
    const settled = this.#execute(statement, values, depth, control).then(
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

  /** Sends it with others of its kind, before the next statement and with the commit at the latest. */
  gather(write: PendingWrite, depth: number): MaybePromise<void> {
    this.#pending.add(write, depth)
    if (!this.#pending.isFull) return
    const control = this.#sendPending()
    if (control.length > 0) return this.#perform(() => this.connection.script(control.join('; '))).then(() => undefined)
    if (this.#unanswered >= maxUnanswered)
      return Promise.all(this.#sent.map(({ answered }) => answered)).then(() => undefined)
  }

  /** Returns the texts that begin and end savepoints before what follows. */
  #sendPending(): string[] {
    let control: string[] = []
    for (const part of this.#pending.take()) {
      if (typeof part === 'string') control.push(part)
      else {
        this.#sendGroup(part, control)
        control = []
      }
    }
    return control
  }

  #sendGroup({ writes, depth }: PendingGroup, control: string[]): void {
    const statements = writes[0]?.toStatements(writes.map(({ row }) => row)) ?? []
    for (const [at, { statement, values, errorOf }] of statements.entries()) {
      this.send(statement, values, depth, errorOf, at === 0 ? control : [])
    }
  }

  /** The ids that the next rows of a table will get; undefined where the role may not read them. */
  async nextIds(table: CountedTable, count: number): Promise<number[] | undefined> {
    await this.#hasBegun()
    const first = this.#nextIds.get(table)
    if (first === undefined) return undefined
    this.#nextIds.set(table, first + count)
    return Array.from({ length: count }, (_, at) => first + at)
  }

  /** Of the last rows, which were not sent: the server has not taken their ids. */
  returnIds(table: CountedTable, first: number): void {
    if (this.#nextIds.has(table)) this.#nextIds.set(table, first)
  }

  /** Where rows are inserted otherwise, the ids that follow are not known. */
  forgetIds(): void {
    this.#nextIds.clear()
  }

  /** Runs statements on the connection itself, when all before have been sent. */
  async direct<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const control = this.#sendPending()
    if (control.length > 0) await this.#perform(() => this.connection.script(control.join('; ')))
    await this.#hasBegun()
    return work(this.connection)
  }

  beginSavepoint(depth: number): void {
    this.#pending.beginSavepoint(depth)
  }

  releaseSavepoint(depth: number): void {
    this.#pending.releaseSavepoint(depth)
    this.#savepoints.delete(depth)
    for (const sent of this.#sent) sent.depth = Math.min(sent.depth, depth - 1)
  }

  rollbackToSavepoint(depth: number): void {
    this.#pending.rollbackToSavepoint(depth)
    for (const inner of this.#savepoints.keys()) if (inner >= depth) this.#savepoints.delete(inner)
    this.#sent = this.#sent.filter((sent) => sent.depth < depth)
    this.known.clear()
  }

  /** When what was committed is safe: at once, unless `commit` was given a `flush`. */
  get flushed(): Promise<unknown> {
    return this.#flushed
  }

  /** Until it has the lock for writes. */
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

  /** The end of a connection leaves open what is stored only where something was written. */
  async #end(mark: ServerStatement | undefined): ReturnType<PostgresConnection['commit']> {
    if (mark !== undefined) return this.connection.commit(this.#sendPending(), mark)
    return { command: await this.connection.script('commit'), row: undefined }
  }

  async rollback(): Promise<void> {
    try {
      await this.connection.rollback('rollback')
    } catch {
      // The connection is broken, so the server has rolled back.
    }
  }

  /** The first failure of a statement that nobody waited for: the server refuses all that follow. */
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
