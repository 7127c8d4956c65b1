/**
 * Group commit: transactions that arrive in one turn of the event loop share a commit. Each is a savepoint, so one that fails undoes
 * its own writes only, and none is answered before the commit.
 */
import { andThen, catchError } from '../contract/maybe-promise.ts'
import { type MaybePromise, StorageUnavailable } from '../contract/storage.ts'
import { enqueue, runInScope, type TransactionActions, type TransactionScope } from './transaction-stack.ts'

/** More begin another transaction: one blocks other processes, and its first member waits for the last. */
const MAX_MEMBERS = 32

interface GroupOptions {
  readonly root: TransactionScope
  /** The actions of a transaction that is requested now. */
  readonly actions: () => TransactionActions
  /** Some errors, such as a full disk, end the transaction, not the savepoint alone. */
  readonly isAlive: () => boolean
}

type Work<T> = (scope: TransactionScope) => MaybePromise<T>

export class GroupCommit {
  readonly #options: GroupOptions
  #open: Group | undefined

  constructor(options: GroupOptions) {
    this.#options = options
  }

  /** Runs `work` in a savepoint of the shared transaction; settles after its commit. */
  run<T>(work: Work<T>): Promise<T> {
    if (!this.#open?.isJoinable) this.#open = new Group(this.#options)
    return this.#open.run(work)
  }
}

class Group {
  readonly #actions: TransactionActions
  readonly #isAlive: () => boolean
  readonly #begun = Promise.withResolvers<TransactionScope>()
  readonly #finished = Promise.withResolvers<void>()
  /** Rejects when the transaction does not begin, or is not committed. */
  readonly #ended: Promise<void>
  #scope: TransactionScope | undefined
  #members = 0
  #running = 0
  #isSealed = false

  constructor({ root, actions, isAlive }: GroupOptions) {
    const now = actions()
    this.#actions = now
    this.#isAlive = isAlive
    this.#ended = toPromise(() => enqueue(root, () => runInScope(root, now, (scope) => this.#begin(scope))))
    this.#ended.catch((error) => {
      this.#isSealed = true
      this.#begun.reject(error)
    })
    this.#begun.promise.catch(() => undefined)
  }

  /** True also while it waits for the transaction before it. */
  get isJoinable(): boolean {
    return !this.#isSealed && this.#members < MAX_MEMBERS
  }

  #begin(scope: TransactionScope): Promise<void> {
    this.#scope = scope
    this.#begun.resolve(scope)
    // After the requests that have arrived together.
    setImmediate(() => this.#seal())
    return this.#finished.promise
  }

  /** Commits when the last of its members is done. */
  #seal(): void {
    this.#isSealed = true
    if (this.#running === 0) this.#finished.resolve()
  }

  /** Members are answered in the order in which they were done, which is that of their events. */
  run<T>(work: Work<T>): Promise<T> {
    this.#members++
    this.#running++
    return new Promise<T>((resolve, reject) => {
      const done = (answer: () => void) => {
        this.#running--
        if (this.#isSealed) this.#seal()
        this.#ended.then(answer, reject)
      }
      const written = (value: T) => done(() => resolve(value))
      catchError(
        () => andThen(this.#inSavepoint(work), written),
        // Waits too: writes of other members that are not committed yet may be its cause.
        (error) => {
          if (this.#scope !== undefined && !this.#isAlive()) this.#finished.reject(error)
          done(() => reject(error))
        },
      )
    })
  }

  #inSavepoint<T>(work: Work<T>): MaybePromise<T> {
    return andThen(this.#scope ?? this.#begun.promise, (scope) =>
      enqueue(scope, () => {
        if (!this.#isAlive()) throw endedEarly()
        return runInScope(scope, this.#actions, work)
      }),
    )
  }
}

async function toPromise(work: () => MaybePromise<void>): Promise<void> {
  await work()
}

const endedEarly = () => new StorageUnavailable('a write that shared the transaction has ended it', { written: 'no' })
