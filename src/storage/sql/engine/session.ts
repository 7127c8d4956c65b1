/** The interface on which the stores run statements: synchronous on SQLite, asynchronous on a server. */
import type { AtomicOptions, MaybePromise } from '../../../contract/storage.ts'
import type { Dialect } from './dialect.ts'
import type { Extent, Fragment, Row, SqlValue } from './fragments.ts'

export interface Session {
  readonly dialect: Dialect
  /** True when every result is a promise. */
  readonly isAsync: boolean
  /** True when some results are promises although nothing else is running. */
  readonly mayWait?: boolean
  /** The rows of a statement that reads. The extent is absent for reads that are bounded: of rows by their keys, and of counters. */
  all(statement: Fragment, extent?: Extent): MaybePromise<readonly Row[]>
  /** Runs a statement that writes; returns the number of changed rows. */
  run(statement: Fragment): MaybePromise<number>
  /**
   * Runs a statement that writes and, with `count`, has to change so many rows. In a transaction on a server it is sent without waiting for
   * the answer. If it fails, so does the transaction: the next statement that is waited for throws the error, and the commit at the latest.
   */
  send(statement: Fragment, count?: number): MaybePromise<unknown>
  /** Inserts rows; returns the new ids, in order. */
  insert(insertion: Insertion, options?: InsertOptions): MaybePromise<number[]>
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
   * Returns the cached result, or reads and caches it until the next write; with `types`, until the next one that changes their rows of
   * `post_changes`: to posts of these types, to their terms, or to a collection that is searched. Absent in a transaction, which always reads.
   */
  cached?<T>(key: string, read: () => MaybePromise<T>, types?: readonly string[]): MaybePromise<T>
  /**
   * The rows that a transaction on a server has read. It holds the lock for writes, so only its own writes change them. Absent where each
   * statement is answered at once.
   */
  readonly known?: KnownRows | undefined
  /** In a transaction: its number among those that write, of all processes. */
  readonly position?: (() => MaybePromise<number>) | undefined
}

export interface Insertion {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
}

export interface InsertOptions {
  /** True: no row can violate uniqueness, so the insert is sent like `send` where the ids are known before. */
  readonly isSure?: boolean
  /** Makes several rows all or nothing outside of `atomic`: a statement that removes them. */
  readonly undo?: (ids: readonly number[]) => Fragment
}

/** Whether a statement writes options, which have a separate version. */
export const writesOptions = (text: string): boolean => /^(?:insert into|update|delete from) options /.test(text)

/** Tables whose next id a transaction knows, because it holds the lock for writes. */
export type CountedTable = 'posts' | 'records'

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
