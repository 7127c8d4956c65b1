/** The part of the storage contract about terms. The rules of contract.ts hold here too. */
import type { ValuesOf } from './fields/stored-field.ts'
import type { termFields } from './fields/terms.ts'
import type { MaybePromise, Paging } from './values.ts'

/** The columns of a term that callers set. */
export interface TermValues extends ValuesOf<typeof termFields> {}

/** A category, a tag or a term of another taxonomy. */
export interface Term extends TermValues {
  readonly id: number
  /** How many published posts of any type have it. The storage keeps it true; callers never set it. */
  readonly count: number
}

/** Terms of all taxonomies. */
export interface TermStore {
  /** One page of the matching terms, in order; `total` counts all matches. */
  query(query: TermQuery): MaybePromise<{ rows: Term[]; total: number }>
  /** Returns the new ids, in the order of `rows`. Throws StorageConflict('slug') when a slug is taken. */
  insert(rows: readonly TermValues[], ids?: readonly number[]): MaybePromise<number[]>
  /** Returns one id per update whose row exists, in order. Throws StorageConflict('slug') when a slug is taken. */
  update(updates: readonly { readonly id: number; readonly changes: Partial<TermValues> }[]): MaybePromise<number[]>
  /**
   * Removes terms with their meta and assignments. Their children move to the nearest ancestor that is not removed (0 when
   * there is none).
   */
  remove(ids: readonly number[]): MaybePromise<void>
  /** The ids of all descendants of these terms, ascending; a given term is included only if it descends from another. */
  below(ids: readonly number[]): MaybePromise<number[]>
  /** The terms of these posts, ordered by post, then term. */
  of(posts: readonly number[]): MaybePromise<{ post: number; term: number; taxonomy: string }[]>
  /**
   * Replaces the terms of one taxonomy that each post has. Unknown posts, unknown terms and terms of another taxonomy throw.
   */
  assign(
    assignments: readonly { readonly post: number; readonly taxonomy: string; readonly terms: readonly number[] }[],
  ): MaybePromise<void>
}

/** All members are joined by AND; an absent member is no condition. */
export interface TermQuery extends Paging {
  readonly taxonomies?: readonly string[]
  readonly ids?: readonly number[]
  readonly notIds?: readonly number[]
  readonly slugs?: readonly string[]
  /** Names, compared by `identityFold`. */
  readonly names?: readonly string[]
  readonly parents?: readonly number[]
  /** Only terms that at least one of these posts has. */
  readonly posts?: readonly number[]
  /** Folded text that the folded name, or the slug as it is stored, must contain. */
  readonly search?: { readonly text: string; readonly fields: readonly ('name' | 'slug')[] }
  /** Only terms that at least one post of these types and statuses has. */
  readonly usedBy?: { readonly types: readonly string[]; readonly statuses: readonly string[] }
  /** Finds only terms with a count above 0; `orBelow`: those, and the terms above them. */
  readonly counted?: 'itself' | 'orBelow'
  readonly order: { readonly by: 'id' | 'name' | 'slug' | 'description' | 'count'; readonly descending: boolean }
}
