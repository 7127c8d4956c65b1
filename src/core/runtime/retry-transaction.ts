/** Transactions that run again where the database asks for it. Only for work whose effects are undone with them. */
import type { Storage } from '../../storage/contract.ts'
import { type Eventually, rescue } from './maybe-promise.ts'

const maxReruns = 3

/** All or nothing, or as it comes on a storage that can't do that. `work` begins anew each time, with its own lists too. */
export function atomicOrAgain<T>(
  storage: Storage,
  work: (inside: Storage) => Eventually<T>,
  reruns = maxReruns,
): Eventually<T> {
  if (!storage.atomic) return work(storage)
  const { atomic } = storage
  return rescue<T, T>(
    () => atomic.call(storage, work) as Eventually<T>,
    (error) => {
      if (reruns === 0 || (error as { code?: unknown } | undefined)?.code !== 'storage_rerun') throw error
      return atomicOrAgain(storage, work, reruns - 1)
    },
  )
}
