/**
 * The order of writes: one transaction at a time, with nested savepoints. Knows when work runs, not what it writes; each
 * engine supplies begin, commit and rollback.
 */
import { andThen, catchError } from '../contract/maybe-promise.ts'
import type { MaybePromise } from '../contract/storage.ts'
import { inCallersContext } from './async-context.ts'

/** The scope is the storage itself, a transaction in it, or a savepoint in a transaction. */
export interface TransactionScope {
  /** 0 is the storage itself, 1 a transaction, 2 a savepoint in it, and so on. */
  readonly depth: number
  readonly parent: TransactionScope | undefined
  /** Work that waits for the open child to end. */
  readonly queue: (() => void)[]
  /** Names of the schema changes that were made in this scope. */
  readonly ensured: Set<string>
  child: TransactionScope | undefined
  hasWritten: boolean
  hasEnded: boolean
  /** Set while an asynchronous engine rolls the scope back. */
  rollback?: MaybePromise<void>
}

/** Begins and ends a scope in an engine. `begin` may have to wait for another process. */
export interface TransactionActions {
  begin(scope: TransactionScope): MaybePromise<void>
  commit(scope: TransactionScope): MaybePromise<void>
  /** Must not throw: the error that caused the rollback is reported. */
  rollback(scope: TransactionScope): MaybePromise<void>
}

export function createScope(parent?: TransactionScope): TransactionScope {
  return {
    depth: parent === undefined ? 0 : parent.depth + 1,
    parent,
    queue: [],
    ensured: new Set(),
    child: undefined,
    hasWritten: false,
    hasEnded: false,
  }
}

/** Runs `work` at once if the scope has no open child, otherwise after the work that was queued before. */
export function enqueue<T>(scope: TransactionScope, work: () => MaybePromise<T>): MaybePromise<T> {
  assertActive(scope)
  if (scope.child === undefined) return work()
  return new Promise<T>((resolve, reject) => {
    const start = inCallersContext(work)
    scope.queue.push(() => {
      try {
        assertActive(scope)
        resolve(start())
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** Runs `work` in a new child scope of `parent`, which must have none. */
export function runInScope<T>(
  parent: TransactionScope,
  actions: TransactionActions,
  work: (scope: TransactionScope) => MaybePromise<T>,
): MaybePromise<T> {
  const scope = createScope(parent)
  parent.child = scope
  return catchError<T, never>(
    () =>
      andThen(actions.begin(scope), () =>
        andThen(work(scope), (value) => andThen(commit(scope, parent, actions), () => value)),
      ),
    (error) =>
      andThen(rollback(scope, actions), () => {
        throw error
      }),
  )
}

/** Whether this scope or one of its parents has made the schema change. */
export function isEnsured(scope: TransactionScope, name: string): boolean {
  for (let at: TransactionScope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.ensured.has(name)) return true
  }
  return false
}

export function assertActive(scope: TransactionScope): void {
  if (scope.hasEnded) throw new Error('this transaction has ended; use the storage it was opened on')
}

function commit(scope: TransactionScope, parent: TransactionScope, actions: TransactionActions): MaybePromise<void> {
  assertActive(scope)
  if (scope.child !== undefined) {
    throw new Error('a savepoint was still running when its transaction ended; nothing was written')
  }
  scope.hasEnded = true
  return andThen(actions.commit(scope), () => {
    for (const name of scope.ensured) parent.ensured.add(name)
    if (scope.hasWritten) parent.hasWritten = true
    close(scope)
  })
}

/** Both the work of a scope and the end of its parent may request a rollback; it runs once. */
function rollback(scope: TransactionScope, actions: TransactionActions): MaybePromise<void> {
  if (scope.parent?.child !== scope) return
  scope.hasEnded = true
  scope.rollback ??= andThen(scope.child === undefined ? undefined : rollback(scope.child, actions), () =>
    andThen(actions.rollback(scope), () => close(scope)),
  )
  return scope.rollback
}

/** Rejects the work queued on the ended scope, then resumes the queue of its parent. */
function close(scope: TransactionScope): void {
  const { parent } = scope
  for (const run of scope.queue.splice(0)) run()
  if (parent === undefined) return
  parent.child = undefined
  while (parent.child === undefined && parent.queue.length > 0) parent.queue.shift()?.()
}
