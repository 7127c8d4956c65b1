/** The changes since a moment, as a storage needs them to answer as of it. */
import type { Post } from './storage.ts'
import type { Undo } from './undo.ts'

/** Lists for each record that changed since a moment the ways back, the newest first. */
export interface Past {
  readonly posts: ReadonlyMap<number, readonly Undo[]>
  readonly terms: ReadonlyMap<number, readonly Undo[]>
  readonly options: ReadonlyMap<string, readonly Undo[]>
  /** Has the records of each collection by its name. */
  readonly records: ReadonlyMap<string, ReadonlyMap<number, readonly Undo[]>>
  /** The types that a changed post has had. */
  readonly typesOf: ReadonlyMap<number, ReadonlySet<string>>
  /** True: a changed post is left out, because the reader may not see it as it was or as it is. */
  readonly isHidden?: (then: Post, now: Post | undefined) => boolean
}
