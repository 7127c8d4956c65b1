/**
 * A storage that answers as it would have at a moment: the stored rows, those that changed since as they were. Conditions and orders of
 * changed rows are those of the memory storage, which agrees with all others. It does not write, and users are those of now.
 */
import type { Past } from '../../contract/past.ts'
import type { Storage } from '../../contract/storage.ts'
import { pastMeta } from './meta.ts'
import { pastOptions } from './options.ts'
import { pastPosts } from './posts.ts'
import { readsOnly } from './reads-only.ts'
import { pastRecords } from './records.ts'
import { pastTerms } from './terms.ts'

/** Creates the storage as of a moment. `past` has the changes since. */
export function storageAsOf(storage: Storage, past: Past): Storage {
  const meta = pastMeta(storage, past)
  const terms = pastTerms(storage, past)
  const posts = pastPosts(storage, past, { termsOf: terms.of, meta })
  terms.connect(posts)
  return {
    posts,
    terms: terms.store,
    users: { ...storage.users, insert: readsOnly, update: readsOnly, remove: readsOnly },
    meta,
    options: pastOptions(storage, past),
    records: pastRecords(storage, past),
    ...(storage.isRemote ? { isRemote: true } : {}),
  }
}
