/** The changes of a transaction, row by row, and their observers. Types only. */

import type {
  Json,
  MaybePromise,
  MetaOwner,
  Post,
  Storage,
  StoredRecord,
  TermValues,
  User,
} from '../../contract/storage.ts'

/** A term as it is stored. Its count follows from the posts and their assignments, so no change lists it. */
export interface StoredTerm extends TermValues {
  readonly id: number
}

/** `before` is absent for a new row, `after` for one that is removed. */
interface Images<T> {
  readonly before?: T
  readonly after?: T
}

/** Null: there is no value. */
interface Values<T> {
  readonly before: T
  readonly after: T
}

/** One row that a transaction changes. Several writes of one row are one change; a row that ends as it began has none. */
export type RowChange =
  | ({ readonly store: 'posts'; readonly id: number } & Images<Post>)
  | ({ readonly store: 'terms'; readonly id: number } & Images<StoredTerm>)
  | ({ readonly store: 'users'; readonly id: number } & Images<User>)
  | ({ readonly store: 'records'; readonly collection: string; readonly id: number } & Images<StoredRecord>)
  | ({ readonly store: 'meta'; readonly owner: MetaOwner; readonly id: number; readonly key: string } & Values<Json>)
  /** The ids of the terms of one taxonomy, ascending. */
  | ({ readonly store: 'assignments'; readonly post: number; readonly taxonomy: string } & Values<readonly number[]>)
  | ({ readonly store: 'options'; readonly name: string } & Values<Json>)

export type ChangedStore = RowChange['store']

/** The changes of one transaction, in the order in which their rows were written first. */
export interface ChangeSet {
  readonly changes: readonly RowChange[]
  /** The transaction changes more rows than the observer takes: anything may have changed, and `changes` is empty. */
  readonly overflow: boolean
  /** The collections that were written, and '' for any other store: also what no observer wants, and what ends as it began. */
  readonly written: ReadonlySet<string>
}

/** Gets the changes of each transaction. */
export interface ChangeObserver {
  /** `name`: the collection of records, the owner of meta, the name of an option. Asked once for each. */
  wants(store: ChangedStore, name?: string): boolean
  /**
   * It gets each transaction that has written anything, also where no change is wanted or left; with `writes`, also each write outside of
   * one.
   */
  readonly takesAll?: 'transactions' | 'writes'
  /** The most rows of one transaction that it takes. Default: 5000. */
  readonly limit?: number
  /**
   * Runs once at the end of the outermost transaction, inside it, if there are changes. `author`: whose request it is; undefined: the program's. It may write to `transaction`, which no observer
   * sees; its error rolls everything back.
   */
  readonly beforeCommit?: (changes: ChangeSet, transaction: Storage, author?: number) => MaybePromise<void>
  /** Runs after the commit, before the caller has the result. It must not throw. */
  readonly afterCommit?: (changes: ChangeSet) => void
}

/** The rows that a recorder is asked for. */
export interface RecorderOptions {
  readonly wants: (store: ChangedStore, name?: string) => boolean
  /** True: each write is put in a transaction, whoever wants it. */
  readonly takesAll?: boolean
  /** The most rows that are recorded: after one more, recording ends with an overflow. */
  readonly limit: number
  /** All types of posts of the site. Only with them the posts of a removed term are found. */
  readonly postTypes: () => readonly string[]
}
