/** Inserts that another process may make at the same time. */
import type { Collection, RecordValues, Storage, StorageConflict } from '../../contract/storage.ts'
import { retryTransaction } from '../../core/runtime/retry-transaction.ts'

/**
 * Inserts all rows, or none where a row breaks a unique index: then it returns the conflict. The savepoint keeps the
 * surrounding transaction usable after a conflict.
 */
export async function tryInsert(
  storage: Storage,
  collection: Collection,
  rows: readonly RecordValues[],
): Promise<StorageConflict | undefined> {
  try {
    await retryTransaction(storage, (transaction) => transaction.records.insert(collection, rows))
    return undefined
  } catch (error) {
    const conflict = error as StorageConflict
    if (conflict.code !== 'storage_conflict') throw error
    return conflict
  }
}
