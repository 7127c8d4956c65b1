/**
 * Transactions of the memory storage. Each write runs in a new child of the scope that it was called on; `atomic`
 * keeps a scope open while its work runs.
 */
import type { MaybePromise } from '../../contract/storage.ts'
import {
  assertActive,
  createScope,
  enqueue,
  runInScope,
  type TransactionActions,
  type TransactionScope,
} from '../transaction-stack.ts'

/** Data that can commit or roll back the changes of a scope. */
export interface Transactional {
  /** Hands the changes of the scope at this depth to its parent. */
  commit(depth: number): void
  rollback(depth: number): void
}

/** How a store reads and writes. `depth` selects the visible state: changes of deeper scopes are hidden. */
export interface Access {
  read<T>(work: (depth: number) => T): T
  write<T>(work: (depth: number) => T): MaybePromise<T>
}

export class Transactions {
  readonly root: TransactionScope = createScope()
  commits = 0
  #current: TransactionScope = this.root
  /** By depth: the tables that the open scope at this depth has changed. */
  readonly #changed: Set<Transactional>[] = [new Set()]
  readonly #actions: TransactionActions = {
    begin: (scope) => this.#begin(scope),
    commit: (scope) => this.#commit(scope),
    rollback: (scope) => this.#rollback(scope),
  }

  access(scope: TransactionScope): Access {
    return {
      read: (work) => {
        assertActive(scope)
        return work(scope.depth)
      },
      write: (work) => this.atomic(scope, (child) => work(child.depth)),
    }
  }

  atomic<T>(scope: TransactionScope, work: (child: TransactionScope) => MaybePromise<T>): MaybePromise<T> {
    return enqueue(scope, () => runInScope(scope, this.#actions, work))
  }

  /** Notes that the current scope changes a table; returns the depth of that scope. */
  recordChange(table: Transactional): number {
    const { depth } = this.#current
    this.#changed[depth]?.add(table)
    return depth
  }

  #begin(scope: TransactionScope): void {
    this.#current = scope
    this.#changed[scope.depth] = new Set()
  }

  #commit(scope: TransactionScope): void {
    const { depth } = scope
    const parentTables = this.#changed[depth - 1]
    for (const table of this.#changed[depth] ?? []) {
      table.commit(depth)
      parentTables?.add(table)
    }
    if (depth === 1 && parentTables !== undefined && parentTables.size > 0) {
      this.commits++
      parentTables.clear()
    }
    this.#current = scope.parent ?? this.root
  }

  #rollback(scope: TransactionScope): void {
    for (const table of this.#changed[scope.depth] ?? []) table.rollback(scope.depth)
    this.#current = scope.parent ?? this.root
  }
}
