/** The collections of releases: each has its changes, one row for each record. */
import type { Collection } from '../../../contract/storage.ts'

export const releases: Collection = {
  name: 'releases',
  fields: {
    name: 'text',
    note: 'text',
    /** A `ReleaseState`. */
    state: 'text',
    /** The ids of users; 0: the program. Times are milliseconds since 1970. */
    createdBy: 'integer',
    createdAt: 'integer',
    changedAt: 'integer',
    approvedBy: 'integer',
    approvedAt: 'integer',
    publishedBy: 'integer',
    publishedAt: 'integer',
    undoneAt: 'integer',
    /** When it is to be published, and whose rights count then. */
    publishAt: 'integer',
    publishAs: 'integer',
    /** Why it was not published at its time: the conflicts. */
    failure: 'json',
    /** Tokens of previews: `StoredPreview`. */
    previews: 'json',
  },
  indexed: ['state', 'publishAt'],
}

export const releaseChanges: Collection = {
  name: 'release_changes',
  fields: {
    release: 'integer',
    /** `post:12`, `term:3`, `option:name`; a record of a collection: `old_slugs:4`. */
    record: 'text',
    /** A `ReleaseChange`. */
    change: 'json',
    /** The way back of a published change, a `ReleaseChange` too; null: publishing has changed nothing of the record. */
    undo: 'json',
    /** Who has changed it last; 0: the program. */
    user: 'integer',
    /** Milliseconds since 1970. */
    at: 'integer',
  },
  indexed: ['release'],
  unique: [['release', 'record']],
}
