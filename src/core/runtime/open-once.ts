/** Opens the storage of an api for its first request. */

import { andThen, isPromise, type MaybePromise } from '../../contract/maybe-promise.ts'
import type { Storage } from '../../contract/storage.ts'
import { prepareDigests } from './digests.ts'

interface Opener {
  readonly open: () => MaybePromise<void>
  /** Whether there is something to close. */
  readonly hasBegun: () => boolean
}

/**
 * Opens the storage once, on first use, and loads what the runtime needs; synchronous on a synchronous storage. A failed
 * attempt is repeated.
 */
export function openOnce(storage: Storage): Opener {
  let state: MaybePromise<void> | undefined
  let isOpen = false
  const done = () => {
    isOpen = true
  }
  const failed = (error: unknown) => {
    state = undefined
    throw error
  }
  const open = () => {
    if (isOpen) return
    state ??= andThen(prepareDigests(), () => storage.open?.())
    return isPromise(state) ? state.then(done, failed) : done()
  }
  return { open, hasBegun: () => isOpen || state !== undefined }
}
