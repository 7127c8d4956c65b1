/** Runs a transaction again when the database asks for it: serialization failures and deadlocks. */

import type { AtomicOptions, MaybePromise, Storage } from '../../contract/storage.ts'

const maxRetries = 3

/**
 * Runs `work` in a transaction, or directly on a storage without `atomic`. `work` must have no effects outside the
 * transaction, because a retry runs it from the start.
 */
export async function retryTransaction<T>(
  storage: Storage,
  work: (inside: Storage) => MaybePromise<T>,
  options?: AtomicOptions,
): Promise<T> {
  if (!storage.atomic) return work(storage)
  for (let retries = 0; ; retries++) {
    try {
      return await storage.atomic(work, options)
    } catch (error) {
      const isRetryable = (error as { code?: unknown } | undefined)?.code === 'storage_rerun'
      if (!isRetryable || retries === maxRetries) throw error
    }
  }
}
