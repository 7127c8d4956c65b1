/** The pages of a site that a write would change. Types only: `site-api/pages` draws them. */

import type { Storage } from '../../../contract/storage.ts'
import type { ChangeSet } from '../../changes/row-change.ts'

/** The pages of the site whose bytes a write would change. */
export interface ChangedPages {
  /** Their addresses, also of pages that would be new, gone or moved: first those that show the changed records. */
  readonly changed: readonly string[]
  /** False: the site has more pages than a dry run draws. */
  readonly complete: boolean
}

/** Begins in the transaction, before the write. */
export type TryPages = (transaction: Storage) => Promise<TriedPages>

export interface TriedPages {
  /** Draws the pages as the write leaves them, in its transaction. */
  draw(changes: ChangeSet, transaction: Storage): Promise<void>
  /** Draws them as they are, after the end of the transaction. */
  compare(): Promise<ChangedPages>
}
