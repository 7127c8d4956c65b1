/** Runs work in a transaction that is rolled back at its end. */

import type { MaybePromise, Storage } from '../../contract/storage.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'
import { recordChanges } from './recorded-storage.ts'
import type { ChangeSet, RecorderOptions } from './row-change.ts'

/** Ends the transaction, and carries the result out of it. */
class RolledBack<T> extends Error {
  readonly done: T
  constructor(done: T) {
    super('this transaction is rolled back at its end')
    this.done = done
  }
}

/** `changes` lists the changes up to now. The storage must have transactions. */
export async function rolledBack<T>(
  storage: Storage,
  options: RecorderOptions,
  work: (transaction: Storage, changes: () => ChangeSet) => MaybePromise<T>,
): Promise<T> {
  try {
    return await retryTransaction(storage, async (transaction) => {
      const { storage: recorded, changes } = recordChanges(transaction, options)
      const done = await work(recorded, changes)
      // A storage over a network may answer with its next answer that a write has failed.
      await transaction.terms.of([1])
      throw new RolledBack(done)
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.done
    throw error
  }
}
