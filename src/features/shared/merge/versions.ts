/** The three versions that a merge reads, and the members that both sides have changed. */
import type { Json } from '../../../contract/storage.ts'

/** A member of a version; undefined: there is none. */
export type Value = Json | undefined

/** Both sides began with `base`; `mine` is to be saved, and `theirs` is stored. */
export interface Versions<T = Value> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

/** A member that both sides have changed, each in another way. Null: there is none. */
export interface MergeConflict {
  /** `title`, `settings.color`, `elements[ab12].settings.title`. */
  readonly member: string
  readonly base: Json
  readonly mine: Json
  readonly theirs: Json
}

/** Merges the members of a value, and reports those that both have changed. */
export interface Merging {
  /** The result has the value of `theirs` where both have changed one. */
  value(versions: Versions, member: string, depth: number): Value
  dispute(versions: Versions, member: string): void
}
