/** The interface on which the stores run statements: synchronous on SQLite, asynchronous on a server. */
import type { AtomicOptions, MaybePromise } from '../../../contract/storage.ts'
import type { Row, SqlValue, Statement } from './statements.ts'

export interface Session {
  /** True when every result is a promise. */
  readonly isAsync: boolean
  /** True when some results are promises although nothing else is running. */
  readonly mayWait?: boolean
  /** The rows of a statement that reads. */
  all(statement: Statement, values: readonly SqlValue[]): MaybePromise<readonly Row[]>
  /** Runs a statement that writes; returns the number of changed rows. */
  run(statement: Statement, values: readonly SqlValue[]): MaybePromise<number>
  /**
   * Runs an insert once per list of values; returns the new ids. Several rows are all or nothing within `atomic`, or with `undo`: a
   * statement that removes a list of ids.
   */
  insert(statement: Statement, rows: readonly (readonly SqlValue[])[], undo?: Statement): MaybePromise<number[]>
  /** A transaction, or a savepoint within one. The session that `work` receives ends with it. */
  atomic<T>(work: (transaction: Session) => MaybePromise<T>, options?: AtomicOptions): MaybePromise<T>
  /**
   * Runs work that fails, if at all, before its first write: in a transaction, without a savepoint within one. Absent where each statement
   * is a round trip.
   */
  together?<T>(work: (transaction: Session) => MaybePromise<T>): MaybePromise<T>
  /**
   * Runs statements that create indexes unless they exist, at most once per storage. A rollback forgets what its transaction ensured.
   */
  ensure(name: string, indexes: () => readonly string[]): MaybePromise<void>
  /** The posts that this transaction has inserted and given no terms. */
  readonly newPosts?: Set<number> | undefined
  /**
   * Returns the cached result, or reads and caches it until the next write; with `types`, until the next one to posts of these
   * types or to their terms. Absent in a transaction, which always reads.
   */
  cached?<T>(key: string, read: () => MaybePromise<T>, types?: readonly string[]): MaybePromise<T>
  /** In a transaction on a server. Absent where each statement is answered at once. */
  readonly pipeline?: PipelinedWrites | undefined
}

export interface Insertion {
  readonly statement: Statement
  readonly rows: readonly (readonly SqlValue[])[]
  readonly undo: Statement | undefined
}

/** Inserts rows in order; `undo`, if present, removes those before one that fails, unless the engine has ended the transaction. */
export function insertOrUndo(
  execute: (statement: Statement, values: readonly SqlValue[]) => { readonly lastId: number },
  { statement, rows, undo }: Insertion,
  isAlive = () => true,
): number[] {
  const ids: number[] = []
  try {
    for (const values of rows) ids.push(execute(statement, values).lastId)
    return ids
  } catch (error) {
    if (undo !== undefined && ids.length > 0 && isAlive()) execute(undo, [JSON.stringify(ids)])
    throw error
  }
}

/** Tables whose next id a transaction knows, because it holds the lock for writes. */
export type CountedTable = 'posts' | 'records'

/**
 * Writes that are sent without waiting for the answer. If one fails, so does the transaction: the next statement that is waited
 * for throws the error, and the commit at the latest.
 */
export interface PipelinedWrites {
  /** The rows that the transaction has read. It holds the lock for writes, so only its own writes change them. */
  readonly known: KnownRows
  /** Runs a statement that writes, and has to change `count` rows where that is given. */
  run(statement: Statement, values: readonly SqlValue[], count?: number): MaybePromise<void>
  /** Inserts rows that can not violate uniqueness. Undefined where the ids are not known before, and for many rows. */
  insert(
    statement: Statement,
    rows: readonly (readonly SqlValue[])[],
    table: CountedTable,
  ): MaybePromise<number[]> | undefined
}

/**
 * Rows that a transaction knows to exist or to be free: an insert can not conflict and an update finds its row, so neither
 * waits for the response.
 */
export class KnownRows {
  /** The ids of posts that exist. */
  posts = new Set<number>()
  /** Slugs that no post has, as `slugKey` of posts/slugs.ts writes them. */
  freeSlugs = new Set<string>()

  /** Replaces the sets: a read that is under way adds its answer to the old ones. */
  clear(): void {
    this.posts = new Set()
    this.freeSlugs = new Set()
  }
}
