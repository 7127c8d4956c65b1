/** Runs a transaction again when the database asks for it: serialization failures and deadlocks. */

import { catchError, type MaybePromise } from '../../contract/maybe-promise.ts'
import type { AtomicOptions, Storage } from '../../contract/storage.ts'

const maxRetries = 3

/**
 * Runs `work` in a transaction, or directly on a storage without `atomic`. `work` must have no effects outside the
 * transaction, because a retry runs it from the start.
 */
export function retryTransaction<T>(
  storage: Storage,
  work: (inside: Storage) => MaybePromise<T>,
  options?: AtomicOptions,
  reruns = maxRetries,
): MaybePromise<T> {
  if (!storage.atomic) return work(storage)
  const { atomic } = storage
  return catchError<T, T>(
    () => atomic.call(storage, work, options) as MaybePromise<T>,
    (error) => {
      if (reruns === 0 || (error as { code?: unknown } | undefined)?.code !== 'storage_rerun') throw error
      return retryTransaction(storage, work, options, reruns - 1)
    },
  )
}
