/**
 * The parts that a storage is written with, exported as `site-api/storage`: the contract, its errors, and the rules that
 * all storages share. `site-api/testing` has the cases that a storage must pass.
 *
 * ```ts
 * import { fold, type Storage, StorageConflict } from 'site-api/storage'
 * ```
 */

export { postFields, typesWithFreeSlugs } from '../contract/fields/posts.ts'
export type { StoredField, StoredFields, ValueOf, ValuesOf } from '../contract/fields/stored-field.ts'
export { termFields } from '../contract/fields/terms.ts'
export { userFields } from '../contract/fields/users.ts'
export { maxRankedWords, rank } from '../contract/post-rank.ts'
export type * from '../contract/storage.ts'
export {
  StorageConflict,
  StorageRetry,
  StorageTooLarge,
  StorageUnavailable,
} from '../contract/storage.ts'
export { compareText, fold, identityFold } from '../contract/text-fold.ts'
export { checkedKind, checkedValues, comparableKind, storedRecord } from './field-kinds.ts'
export { jsonText } from './json-text.ts'
