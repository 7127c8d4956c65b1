/**
 * What a storage must do. A host that implements this file gets every feature; `site-api/testing` has the cases that an
 * implementation must pass. Interfaces and one error only: nothing here reads or writes.
 *
 * Rules that hold for every method:
 * - It may answer with a value or with a promise, so that an embedded storage stays synchronous. What answers with
 *   promises fails with them too: it never throws at once, since callers ask several things at the same time.
 * - Values are JSON: ISO texts, real booleans, integers as ids. What goes in and out are copies.
 * - Ids are integers above 0, given out ascending and never again, also after a removal.
 * - An empty list of values to match (ids, types, statuses, slugs, keys, names, roles and so on) matches nothing and
 *   writes nothing; an empty list of things to leave out or to fulfil is no condition.
 * - An unknown field throws, in values, conditions and orders; `id` and `version` are unknown where values are written.
 *   A member that is undefined counts as absent.
 * - A method either does all of its work or none of it. Several rows of one call are written one after another, each as
 *   if the one before stood already. Ids without a row are passed over.
 * - Text with a NUL throws before anything is written, inside a JSON value too: not every database can keep it.
 * - Text is compared by code point. Search works on `fold(text)` of core/fold.ts, and so does the order by `title`, `name`,
 *   `login` and `displayName`: so all storages agree. Everything else is matched and ordered as it is.
 * - Every order ends in id, in the same direction, so that pages never overlap. `total` is 0 unless it was asked for.
 */

export type MaybePromise<T> = T | Promise<T>
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface Storage {
  readonly posts: PostStore
  readonly terms: TermStore
  readonly users: UserStore
  readonly meta: MetaStore
  readonly options: OptionStore
  readonly records: RecordStore
  /** Called once before the first use: connect, migrate. */
  open?(): MaybePromise<void>
  /**
   * Runs `work` all or nothing: when it throws or rejects, nothing of it stays, and the error is thrown on. `work` uses
   * the storage it is handed; `atomic` of that one is a savepoint. What others do meanwhile never becomes part of it,
   * and they see nothing of it before the end: writes from outside wait for the end, so `work` must not await one. The
   * storage that `work` is handed has no `changes`, and throws when it is used after its end. A storage without `atomic`
   * leaves the method out. Where the database asks to run a transaction again, after a deadlock for one, the outermost
   * `atomic` throws StorageRerun, and nothing of it stays: whoever knows that `work` may run twice runs it again.
   */
  atomic?<T>(work: (inside: Storage) => MaybePromise<T>): MaybePromise<T>
  /**
   * A token that changes whenever anybody (another process too) has committed a write. Cheap: it is asked on every
   * request. With it, options and rendered rows are kept in memory; a storage without it is read each time.
   */
  changes?(): number | string
  close?(): MaybePromise<void>
}

/** Thrown by a write that would break a uniqueness promise. Recognised by `code`, not by class. */
export class StorageConflict extends Error {
  readonly code = 'storage_conflict'
  readonly field: string
  constructor(field: string) {
    super(`another row has this ${field}`)
    this.field = field
  }
}

/** Thrown by `atomic` when nothing was written and another run may well succeed. Recognised by `code`, not by class. */
export class StorageRetry extends Error {
  readonly code = 'storage_rerun'
  constructor(cause: unknown) {
    super('the database asks to run this transaction again', { cause })
  }
}

// ---------------------------------------------------------------- posts

/**
 * A post, page, medium, revision, autosave, template, component or builder document, told apart by `type`.
 * Dates are `YYYY-MM-DDTHH:MM:SS`; `date` and `modified` are site time.
 */
export interface Post {
  readonly id: number
  readonly type: string
  readonly status: string
  /** Unique per type unless empty; types in `typesWithFreeSlugs` are exempt. */
  readonly slug: string
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly author: number
  readonly parent: number
  readonly date: string
  /** Null: a floating draft, dated when it is published. */
  readonly dateGmt: string | null
  readonly modified: string
  readonly modifiedGmt: string
  readonly password: string
  readonly commentStatus: string
  readonly pingStatus: string
  readonly format: string
  readonly sticky: boolean
  readonly template: string
  readonly featuredMedia: number
  readonly mimeType: string
  /** 1 for a new row, one more with each update; never set by a caller. */
  readonly version: number
}

/** Types whose rows share slugs: a revision is named after its post. */
export const typesWithFreeSlugs: readonly string[] = ['revision']

export type PostValues = Omit<Post, 'id' | 'version'>

/** What a list needs to know before it reads whole rows. */
export type PostHead = Pick<Post, 'id' | 'type' | 'status' | 'author' | 'parent' | 'version'>

export interface PostStore {
  /** The heads of one window of what the query finds, in order; `total` only on request, counted without the window. */
  query(query: PostQuery): MaybePromise<{ heads: PostHead[]; total: number }>
  /** The rows with these ids, in the order of `ids`; unknown ids are left out, a repeated id counts once. */
  read(ids: readonly number[]): MaybePromise<Post[]>
  /** Throws StorageConflict('slug') when a slug is taken. Answers the ids, in order. */
  insert(rows: readonly PostValues[]): MaybePromise<number[]>
  /**
   * Each update is applied when its row exists and `when` holds, and counts as a version even if it changes no value.
   * Answers the ids that were changed, in order: one for each update that was applied.
   */
  update(updates: readonly PostUpdate[]): MaybePromise<number[]>
  /** Removes rows with their meta and term assignments. Rows of which they are the parent stay. */
  remove(ids: readonly number[]): MaybePromise<void>
  /** Which of these slugs are taken within a type. */
  takenSlugs(type: string, slugs: readonly string[]): MaybePromise<string[]>
  /** How many rows of a type have each of these parents, and the highest id among them; parents without any are left out. */
  families(type: string, parents: readonly number[]): MaybePromise<{ parent: number; count: number; latest: number }[]>
}

export interface PostUpdate {
  readonly id: number
  readonly changes: Partial<PostValues>
  /** Compare and set: the update is left out unless the row has these values. */
  readonly when?: { readonly version?: number; readonly status?: string }
}

/** All members are joined by AND; an absent member is no condition. */
export interface PostQuery {
  readonly types: readonly string[]
  /** Branches joined by OR: a status, for everybody's rows or for those of one author. */
  readonly statuses?: readonly { readonly status: string; readonly author?: number }[]
  readonly ids?: readonly number[]
  readonly notIds?: readonly number[]
  readonly authors?: readonly number[]
  readonly notAuthors?: readonly number[]
  readonly parents?: readonly number[]
  readonly slugs?: readonly string[]
  readonly sticky?: boolean
  /** False: only rows with an empty password. */
  readonly withPassword?: boolean
  /** Both ends are exclusive; null dates never match. */
  readonly dates?: readonly {
    readonly field: 'date' | 'dateGmt' | 'modified'
    readonly after?: string
    readonly before?: string
  }[]
  readonly terms?: TermTree
  readonly search?: TextSearch
  readonly order: PostOrder
  readonly offset: number
  readonly limit: number
  readonly total?: boolean
}

export type PostOrder =
  | {
      readonly by: 'date' | 'modified' | 'id' | 'author' | 'parent' | 'title' | 'slug'
      readonly descending: boolean
    }
  /** The order of `query.ids` or `query.slugs`, which must be there; rows of one slug by id ascending. */
  | { readonly by: 'ids' | 'slugs' }
  /**
   * Best first by `rank` of storage/relevance.ts, then newest first by date and id. `phrase` and `words` are folded.
   */
  | { readonly by: 'relevance'; readonly phrase: string; readonly words: readonly string[] }

export type TermTree =
  | { readonly every: readonly TermTree[] }
  | { readonly some: readonly TermTree[] }
  /** any: one of the terms; all: each of them; none: not one of them. An empty list: any matches nothing, all and none everything. */
  | { readonly terms: readonly number[]; readonly has: 'any' | 'all' | 'none' }
  | { readonly formats: readonly string[] }

export interface TextSearch {
  /** Folded texts that must each occur in at least one of the columns. */
  readonly every: readonly string[]
  /** Folded texts that may occur in none of them (may equal none of them, if `exact`). */
  readonly none: readonly string[]
  readonly columns: readonly ('title' | 'content' | 'excerpt')[]
  /** True: the whole folded column equals the text, instead of holding it. */
  readonly exact: boolean
}

// ---------------------------------------------------------------- terms

export interface Term {
  readonly id: number
  readonly taxonomy: string
  /** Unique per taxonomy. */
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly parent: number
}

export interface TermStore {
  query(query: TermQuery): MaybePromise<{ rows: Term[]; total: number }>
  /** Throws StorageConflict('slug') when a slug is taken. */
  insert(rows: readonly Omit<Term, 'id'>[]): MaybePromise<number[]>
  update(
    updates: readonly { readonly id: number; readonly changes: Partial<Omit<Term, 'id'>> }[],
  ): MaybePromise<number[]>
  /**
   * Removes terms with their meta and assignments; their children move up to the removed term's parent, or further to
   * the next one that stays (0 when there is none).
   */
  remove(ids: readonly number[]): MaybePromise<void>
  /** The ids of all descendants of these terms, without the terms themselves unless one lies below another; ascending. */
  below(ids: readonly number[]): MaybePromise<number[]>
  /** The terms of these posts, ordered by post, then term. */
  of(posts: readonly number[]): MaybePromise<{ post: number; term: number; taxonomy: string }[]>
  /**
   * Makes `terms` the only terms of a taxonomy that a post has. Unknown posts, unknown terms and terms of another taxonomy
   * throw.
   */
  assign(
    assignments: readonly { readonly post: number; readonly taxonomy: string; readonly terms: readonly number[] }[],
  ): MaybePromise<void>
}

export interface TermQuery {
  readonly taxonomies?: readonly string[]
  readonly ids?: readonly number[]
  readonly slugs?: readonly string[]
  readonly parents?: readonly number[]
  /** Folded text that the folded name holds. */
  readonly search?: string
  /** True: only terms that at least one post of these types and statuses has. */
  readonly usedBy?: { readonly types: readonly string[]; readonly statuses: readonly string[] }
  readonly order: { readonly by: 'id' | 'name'; readonly descending: boolean }
  readonly offset: number
  readonly limit: number
  readonly total?: boolean
}

// ---------------------------------------------------------------- users

export interface User {
  readonly id: number
  /** Unique by `fold`. */
  readonly login: string
  /** The public name in addresses; unique. */
  readonly slug: string
  readonly displayName: string
  /** Unique by `fold` unless empty. */
  readonly email: string
  readonly url: string
  readonly roles: readonly string[]
  /** Granted (true) or taken away (false) on top of the roles. */
  readonly capabilities: { readonly [capability: string]: boolean }
  /** A digest with its method; empty: nobody can sign in with a password. */
  readonly password: string
  readonly blocked: boolean
  /** GMT. */
  readonly registered: string
}

export interface UserStore {
  query(query: UserQuery): MaybePromise<{ rows: User[]; total: number }>
  /** Throws StorageConflict with 'login', 'slug' or 'email'. */
  insert(rows: readonly Omit<User, 'id'>[]): MaybePromise<number[]>
  update(
    updates: readonly { readonly id: number; readonly changes: Partial<Omit<User, 'id'>> }[],
  ): MaybePromise<number[]>
  /** Removes users and their meta. Their posts stay. */
  remove(ids: readonly number[]): MaybePromise<void>
}

export interface UserQuery {
  readonly ids?: readonly number[]
  /** Compared by `fold`. */
  readonly logins?: readonly string[]
  readonly slugs?: readonly string[]
  /** Compared by `fold`. */
  readonly emails?: readonly string[]
  /** Users with at least one of these roles. */
  readonly roles?: readonly string[]
  /** Folded text that one of the folded fields holds. */
  readonly search?: { readonly text: string; readonly fields: readonly ('login' | 'slug' | 'email' | 'displayName')[] }
  readonly order: { readonly by: 'id' | 'login' | 'slug' | 'displayName' | 'registered'; readonly descending: boolean }
  readonly offset: number
  readonly limit: number
  readonly total?: boolean
}

// ---------------------------------------------------------------- meta and options

export type MetaOwner = 'post' | 'user' | 'term'

export interface MetaStore {
  /** The values of these owners, ordered by id, then key; all keys unless some are named. */
  read(
    owner: MetaOwner,
    ids: readonly number[],
    keys?: readonly string[],
  ): MaybePromise<{ id: number; key: string; value: Json }[]>
  /** A null value removes the key. Of two entries for one key the last one counts. */
  write(
    owner: MetaOwner,
    entries: readonly { readonly id: number; readonly key: string; readonly value: Json }[],
  ): MaybePromise<void>
}

export interface OptionStore {
  /** All options when no names are given. A missing option is absent in the answer. */
  read(names?: readonly string[]): MaybePromise<{ [name: string]: Json }>
  /** A null value removes the option. */
  write(values: { readonly [name: string]: Json }): MaybePromise<void>
  /**
   * Compare and set: writes `next` only where the stored value equals `expected` (null: absent), as JSON values whatever
   * the order of their keys. Decides between racing processes: watermarks, locks. Answers whether it wrote.
   */
  swap(name: string, expected: Json, next: Json): MaybePromise<boolean>
}

// ---------------------------------------------------------------- records

/** The long tail: notes, submissions, events, application passwords and so on, each a collection that a feature declares. */
export interface Collection {
  readonly name: string
  readonly fields: { readonly [field: string]: 'integer' | 'number' | 'text' | 'boolean' | 'json' }
  /** Fields that queries often filter or order by; a storage may index them. */
  readonly indexed?: readonly string[]
  /** Sets of fields whose values together are unique; rows with a null among them are exempt. */
  readonly unique?: readonly (readonly string[])[]
}

/**
 * `id` and the declared fields; a field that was never set is null, also one that the collection gained later. A value
 * that is not of its field's kind throws, in rows and in conditions.
 */
export type StoredRecord = { readonly id: number } & { readonly [field: string]: Json }
export type RecordValues = { readonly [field: string]: Json }

export interface RecordStore {
  query(collection: Collection, query: RecordQuery): MaybePromise<{ rows: StoredRecord[]; total: number }>
  /** Throws StorageConflict with the first field of a unique set. */
  insert(collection: Collection, rows: readonly RecordValues[]): MaybePromise<number[]>
  /** Each update is applied when its row exists and fulfils `when`. Answers the ids that were changed, in order. */
  update(
    collection: Collection,
    updates: readonly { readonly id: number; readonly changes: RecordValues; readonly when?: Where }[],
  ): MaybePromise<number[]>
  /** Removes what `where` finds; answers how many. */
  remove(collection: Collection, where: Where): MaybePromise<number>
}

export interface RecordQuery {
  readonly where?: Where
  /**
   * Ends in id ascending unless id is named: records alone don't turn the last id around. Null comes first, then values by
   * number, code point, false before true; descending turns all of that around.
   */
  readonly order?: readonly { readonly by: string; readonly descending?: boolean }[]
  readonly offset?: number
  readonly limit?: number
  readonly total?: boolean
}

export type Scalar = null | boolean | number | string

/**
 * `id` counts as a field. Fields of the kind 'json' can't be compared or ordered by: naming one throws. Null compares with
 * `is` and `in` only. A condition is true or false, never unknown: a null field is not above 5, and `not` of that is true.
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
  /** The fold of a text field holds `fold(holds)`. */
  | { readonly field: string; readonly holds: string }
