/** Transactions that run again where the database asks for it. Only for work whose effects are undone with them. */
import type { Storage } from '../../storage/contract.ts'
import { catchError, type MaybePromise } from './maybe-promise.ts'

const maxRetries = 3

/** All or nothing, or as it comes on a storage that can't do that. `work` begins anew each time, with its own lists too. */
export function retryTransaction<T>(
  storage: Storage,
  work: (inside: Storage) => MaybePromise<T>,
  reruns = maxRetries,
): MaybePromise<T> {
  if (!storage.atomic) return work(storage)
  const { atomic } = storage
  return catchError<T, T>(
    () => atomic.call(storage, work) as MaybePromise<T>,
    (error) => {
      if (reruns === 0 || (error as { code?: unknown } | undefined)?.code !== 'storage_rerun') throw error
      return retryTransaction(storage, work, reruns - 1)
    },
  )
}
