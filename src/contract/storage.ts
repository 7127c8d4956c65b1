/**
 * The storage contract: the interfaces that a host implements, and three errors. Nothing here reads or writes;
 * `site-api/testing` has the cases that an implementation must pass.
 *
 * Rules for every method:
 * - A method returns a value or a promise, so an embedded storage can be synchronous. A method that returns promises also
 *   reports its errors by rejecting: it never throws synchronously, because callers start several calls at once.
 * - Values are JSON: dates are ISO strings, booleans are booleans, ids are integers. Arguments and results are copies (or
 *   frozen): changing one never changes the stored value.
 * - The values of meta, options and json fields keep the order of their keys: style sheets are made in it.
 * - Ids are integers above 0, assigned in ascending order and never reused, not even after a removal.
 * - An empty list of values to match (ids, types, statuses, slugs, keys, names, roles and so on) matches nothing and
 *   writes nothing. An empty list of exclusions or of required texts is no condition.
 * - An unknown field throws, in values, conditions and orders; `id` and `version` count as unknown in values to
 *   write. A member that is undefined counts as absent.
 * - A method writes all of its changes or none. The rows of one call are written in order, each as if the previous ones were
 *   stored already. Ids without a row are skipped, except by `meta.write`.
 * - Text with a NUL character (U+0000) throws before anything is written, also within JSON values.
 * - Text is compared by code point. Search and the orders by `title`, `name`, `login`, `email` and
 *   `displayName` compare `fold(text)` of contract/text-fold.ts, names are found by its `identityFold(text)`, so that all storages agree.
 *   Everything else is matched and ordered as stored.
 * - Every order ends in id, in the same direction, so that pages never overlap. `total` is 0 unless the query requests it.
 */

import type { postFields } from './fields/posts.ts'
import type { ValuesOf } from './fields/stored-field.ts'
import type { TermStore } from './terms.ts'
import type { UserStore } from './users.ts'
import type { Json, MaybePromise, Paging } from './values.ts'

export { StorageConflict, StorageRetry, StorageTooLarge, StorageUnavailable } from './errors.ts'
export type { Term, TermQuery, TermStore, TermValues } from './terms.ts'
export type { CapabilityGrant, User, UserQuery, UserStore, UserValues } from './users.ts'
export type { Json, MaybePromise, Paging } from './values.ts'

/**
 * Tokens of the writes so far, which differ after each such write.
 *
 * ```ts
 * import type { Changes } from 'site-api/storage'
 *
 * export const unchanged: Changes = { all: 0, options: 0 }
 * ```
 */
export interface Changes {
  /** The token of all writes. */
  readonly all: number | string
  /** The options alone have this token; without it, that of everything counts. */
  readonly options?: number | string
  /**
   * How many writing transactions the storage has committed, of all processes. With it, a process that knows what each of them has
   * touched ends nothing else. It is of the same state as the tokens.
   */
  readonly position?: number
  /** Another text after writes that `position` does not count, such as those of another program. */
  readonly history?: string
}

/**
 * Storages for single requests, and a header by which a client carries what it has written from one request to the next.
 *
 * ```ts
 * import type { RequestStorages, Storage } from 'site-api/storage'
 *
 * export const readingStorage = async (requests: RequestStorages, sent?: string): Promise<Storage> =>
 *   (await requests.choose(sent)).storage
 * ```
 */
export interface RequestStorages {
  /** The name of the header. A response to a write has it, and the client sends it with its next requests, to any process. */
  readonly header: string
  /** The header of the response to a write, after its commit; undefined: it has none. */
  value(): string | undefined
  /**
   * The storage of a request that only reads, and its token, in one round trip: none of its reads is older than the token, nor than what
   * this process has written and chosen before, nor than the header that the client has sent. Its writes and its `atomic` are those
   * of the storage itself.
   */
  choose(sent?: string): MaybePromise<{ readonly storage: Storage; readonly changes: Changes }>
}

/** How a storage may run a transaction. */
export interface AtomicOptions {
  /**
   * The transaction may share its commit with others that come at the same time, which costs less than a commit of each. It is answered
   * after that commit, and still undone alone when it fails; only a failure of the commit itself concerns them all. A storage may
   * ignore it. Default: false.
   */
  readonly groupCommit?: boolean
  /** The id of the user whose request it is, for those who observe the storage. A storage ignores it. Default: none. */
  readonly author?: number
}

/** A storage: what a site keeps. `site-api/testing` has the cases that one must pass. */
export interface Storage {
  readonly posts: PostStore
  readonly terms: TermStore
  readonly users: UserStore
  readonly meta: MetaStore
  readonly options: OptionStore
  readonly records: RecordStore
  /** Called once before the first use: connects and migrates. */
  open?(): MaybePromise<void>
  /**
   * Runs `work` in a transaction: commits when `work` returns or resolves; rolls back and rethrows when it throws or
   * rejects. `work` must use the storage that it receives, which has no `changes` and throws after the end of the
   * transaction; `atomic` of that storage is a savepoint. Others see nothing of the transaction before it commits, and
   * their writes never become part of it: a write from outside waits for its end, so `work` must not await one.
   * Optional. When the database asks to retry the transaction (after a deadlock, for example), the outermost `atomic` rolls
   * back and throws StorageRetry; the caller may run it again if `work` may run twice.
   */
  atomic?<T>(work: (transaction: Storage) => MaybePromise<T>, options?: AtomicOptions): MaybePromise<T>
  /**
   * A token that changes with every committed write, of other processes too, of which a storage may learn by notification. It
   * must be cheap: it is read on every request.
   * Optional. With it, options and rendered rows are cached between requests; without it they are read each time.
   */
  changes?(): number | string
  /**
   * The same, for a storage that has to ask for it: in place of `changes`, in one round trip. It is at least as new as every write
   * that was committed before the call. A storage with both has it for the token of the options: they are read again when it changes.
   */
  readChanges?(): MaybePromise<Changes>
  /**
   * Only in a transaction: the `position` after its commit. Transactions that share a commit share it. Optional, like that of
   * `readChanges`.
   */
  position?(): MaybePromise<number>
  /** Optional: the storages of requests that only read. All other reads are of what was committed last. */
  readonly requests?: RequestStorages
  /**
   * True: `insert` takes the ids of its rows, one for each. It throws StorageConflict('id') if one is taken, and ids that it
   * gives later are higher. A collection may share its ids with others. Optional: without it no site is seeded with its ids.
   */
  readonly keepsIds?: true
  /** True: each call waits for a network, so a batch runs requests that do not depend on each other side by side. Optional. */
  readonly isRemote?: true
  /**
   * Milliseconds since 1970 by a clock that all processes share, for what ends with time, such as locks.
   * Optional: without it each process takes the clock of its machine.
   */
  now?(): MaybePromise<number>
  /** Releases connections and files. */
  close?(): MaybePromise<void>
}

// ---------------------------------------------------------------- posts

/** The columns of a post without its id and version. */
export interface PostValues extends ValuesOf<typeof postFields> {}

/**
 * A post, page, medium, revision, autosave, template, component or builder document, distinguished by `type`.
 * Dates are `YYYY-MM-DDTHH:MM:SS`; `date` and `modified` are in the time zone of the site, the others in GMT.
 */
export interface Post extends PostValues {
  readonly id: number
  /** 1 for a new row, incremented by each update; callers never set it. */
  readonly version: number
}

/** The columns that a query returns; `read` returns whole rows. */
export type IdsPageEntry = Pick<Post, 'id' | 'type' | 'status' | 'author' | 'parent' | 'version'>

/** Posts of all types. */
export interface PostStore {
  /** One page of the matching posts, in order; `total` counts all matches. */
  query(query: PostQuery): MaybePromise<{ idsPage: IdsPageEntry[]; total: number }>
  /** The rows with these ids, in the order of `ids`; unknown ids are skipped, a repeated id counts once. */
  read(ids: readonly number[]): MaybePromise<Post[]>
  /**
   * Returns the new ids, in the order of `rows`. Throws StorageConflict('slug') when a slug is taken. `ids`: see `keepsIds`; the row
   * gets a version that none of its id had, also none that was removed.
   */
  insert(rows: readonly PostValues[], ids?: readonly number[]): MaybePromise<number[]>
  /**
   * Applies each update whose row exists and matches `when`, and increments `version` even if no value changes. Returns one id
   * per applied update, in order. Throws StorageConflict('slug') when a slug is taken.
   */
  update(updates: readonly PostUpdate[]): MaybePromise<number[]>
  /** Removes rows with their meta and term assignments. Their children stay. */
  remove(ids: readonly number[]): MaybePromise<void>
  /** Returns the slugs of the list that rows of this type have; with `parent`, rows with this parent. */
  takenSlugs(type: string, slugs: readonly string[], parent?: number): MaybePromise<string[]>
  /** The number and the highest id (`latest`) of the children of a type, by parent; parents without any are left out. */
  childCounts(
    type: string,
    parents: readonly number[],
  ): MaybePromise<{ parent: number; count: number; latest: number }[]>
}

/** The columns to change. */
export interface PostUpdate {
  readonly id: number
  readonly changes: Partial<PostValues>
  /** Compare and set: the update is skipped unless the row has these values. */
  readonly when?: { readonly version?: number; readonly status?: string }
}

/** All members are joined by AND; an absent member is no condition. */
export interface PostQuery extends Paging {
  readonly types: readonly string[]
  /** OR joins these alternatives: a status, of any author or of one author. */
  readonly statuses?: readonly { readonly status: string; readonly author?: number }[]
  readonly ids?: readonly number[]
  readonly notIds?: readonly number[]
  readonly authors?: readonly number[]
  readonly notAuthors?: readonly number[]
  readonly parents?: readonly number[]
  readonly notParents?: readonly number[]
  readonly menuOrders?: readonly number[]
  readonly mimeTypes?: readonly string[]
  readonly featuredMedia?: readonly number[]
  readonly slugs?: readonly string[]
  readonly sticky?: boolean
  /** True: finds only rows with a password; false: only rows with an empty one. */
  readonly withPassword?: boolean
  /** Both bounds are exclusive; null dates never match. */
  readonly dates?: readonly {
    readonly field: 'date' | 'dateGmt' | 'modified'
    readonly after?: string
    readonly before?: string
  }[]
  readonly terms?: TermTree
  readonly search?: TextSearch
  readonly order: PostOrder
  /** With `total`: the caller shows how many pages of this many rows there are, and not the total. A storage has no use for it. */
  readonly pageSize?: number
}

/** The order of a list of posts. Ties are ordered by id. */
export type PostOrder =
  | {
      readonly by: 'date' | 'modified' | 'id' | 'author' | 'parent' | 'title' | 'slug' | 'menuOrder'
      readonly descending: boolean
    }
  /** The order of `query.ids` or `query.slugs`, without which the query throws; equal slugs by id ascending. */
  | { readonly by: 'ids' | 'slugs' }
  /** Ascending by `rank` of post-rank.ts, then descending by date and id. `phrase` and `words` are folded. */
  | { readonly by: 'relevance'; readonly phrase: string; readonly words: readonly string[] }

/** Conditions on terms. */
export type TermTree =
  | { readonly every: readonly TermTree[] }
  | { readonly some: readonly TermTree[] }
  /** Posts with any, all or none of the terms. An empty `any` matches nothing, an empty `all` or `none` everything. */
  | { readonly terms: readonly number[]; readonly has: 'any' | 'all' | 'none' }
  | { readonly formats: readonly string[] }

/** A search in texts; every character is literal. */
export interface TextSearch {
  /** Folded texts; each must match at least one of the columns. */
  readonly every: readonly string[]
  /** Folded texts; none of them may match any of the columns. */
  readonly none: readonly string[]
  readonly columns: readonly ('title' | 'content' | 'excerpt')[]
  /** The keys of texts in the meta of posts: each counts as one more column, in which only the case of ASCII letters is folded. */
  readonly meta?: readonly string[]
  /** True: a text matches a column that equals it when folded; false: a column that contains it. */
  readonly exact: boolean
}

// ---------------------------------------------------------------- meta and options

/** The owner of meta. */
export type MetaOwner = 'post' | 'user' | 'term'

/** Values by owner and key. */
export interface MetaStore {
  /** The values of these owners, ordered by id, then key; only the given keys if `keys` is present. */
  read(
    owner: MetaOwner,
    ids: readonly number[],
    keys?: readonly string[],
  ): MaybePromise<{ id: number; key: string; value: Json }[]>
  /** A null value removes the key. The last of several entries for one key wins. Ids without a row have meta like others. */
  write(
    owner: MetaOwner,
    entries: readonly { readonly id: number; readonly key: string; readonly value: Json }[],
  ): MaybePromise<void>
}

/** The options of a site, by name. */
export interface OptionStore {
  /** Reads all options when `names` is absent. A missing option is absent from the result. */
  read(names?: readonly string[]): MaybePromise<{ [name: string]: Json }>
  /** A null value removes the option. */
  write(values: { readonly [name: string]: Json }): MaybePromise<void>
  /**
   * Compare and set: writes `next` (null: removes the option) if the stored value equals `expected` (null: absent) and
   * returns whether it did. Values are compared as JSON; the order of keys does not matter. Used for locks and watermarks,
   * so it must be atomic across processes.
   */
  swap(name: string, expected: Json, next: Json): MaybePromise<boolean>
}

// ---------------------------------------------------------------- records

/** Declares a set of records: notes, submissions, events, application passwords and so on. */
export interface Collection {
  readonly name: string
  readonly fields: { readonly [field: string]: 'integer' | 'number' | 'text' | 'boolean' | 'json' }
  /** Fields that queries often filter or order by; a storage may index them. */
  readonly indexed?: readonly string[]
  /**
   * The long lists: queries that name one value of each field but the last, and order by the last. A storage may index them;
   * the first that fits a query counts.
   */
  readonly orders?: readonly (readonly string[])[]
  /** True: people search its texts. A storage may keep totals and pages of its lists until one of its records is written. */
  readonly isSearched?: true
  /** Sets of fields whose combined values are unique; a row with a null in the set is exempt. */
  readonly unique?: readonly (readonly string[])[]
}

/**
 * `id` and the declared fields; a field that was never set is null, also one that was declared after the row was written. A
 * value that is not of its field's kind throws, in rows and in conditions.
 */
export type StoredRecord = { readonly id: number } & { readonly [field: string]: Json }
/** The fields of a row in a collection. */
export type RecordValues = { readonly [field: string]: Json }

/** Rows of declared collections. */
export interface RecordStore {
  /** One page of the matching records, in order; `total` counts all matches, and is 0 unless the query asks for it. */
  query(collection: Collection, query: RecordQuery): MaybePromise<{ rows: StoredRecord[]; total: number }>
  /** Returns the new ids, in the order of `rows`. Throws StorageConflict with the first field of a unique set. */
  insert(collection: Collection, rows: readonly RecordValues[], ids?: readonly number[]): MaybePromise<number[]>
  /** Applies each update whose row exists and matches `when`; returns their ids, in order. Conflicts as in `insert`. */
  update(
    collection: Collection,
    updates: readonly { readonly id: number; readonly changes: RecordValues; readonly when?: Where }[],
  ): MaybePromise<number[]>
  /** Removes the matching records and returns their number. */
  remove(collection: Collection, where: Where): MaybePromise<number>
}

/** `offset` defaults to 0; without `limit` all matching rows are returned. */
export interface RecordQuery extends Partial<Paging> {
  readonly where?: Where
  /**
   * Ends in id ascending unless `id` is named; records, unlike other rows, never reverse that last id. Null sorts first, then
   * numbers by value, texts by code point, false before true; `descending` reverses all of that.
   */
  readonly order?: readonly { readonly by: string; readonly descending?: boolean }[]
}

/** A value that conditions compare. */
export type Scalar = null | boolean | number | string

/**
 * A condition on a record. `id` counts as a field. A field of the kind 'json' in a condition or an order throws. Null compares
 * with `is` and `in` only. A condition is true or false, never unknown: a null field is not above 5, and `not` of that is
 * true. `above` and `below` are exclusive, `from` and `to` inclusive; an empty `every` is true, an empty `some` false.
 */
export type Where =
  | { readonly every: readonly Where[] }
  | { readonly some: readonly Where[] }
  | { readonly not: Where }
  | { readonly field: string; readonly is: Scalar }
  | { readonly field: string; readonly in: readonly Scalar[] }
  | {
      readonly field: string
      readonly above?: number | string
      readonly below?: number | string
      readonly from?: number | string
      readonly to?: number | string
    }
  /** True when the folded text field contains `fold(holds)`. */
  | { readonly field: string; readonly holds: string }
