/** Writes that belong together, and inserts that another process may make at the same time. */
import type { Collection, MaybePromise, RecordValues, Storage, StorageConflict } from '../../contract/storage.ts'

/** Runs `work` in a transaction; inside a transaction, in a savepoint. Without `atomic` the writes are independent. */
async function atomically<T>(storage: Storage, work: (transaction: Storage) => MaybePromise<T>): Promise<T> {
  return storage.atomic ? storage.atomic(work) : work(storage)
}

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
    await atomically(storage, (transaction) => transaction.records.insert(collection, rows))
    return undefined
  } catch (error) {
    const conflict = error as StorageConflict
    if (conflict.code !== 'storage_conflict') throw error
    return conflict
  }
}
