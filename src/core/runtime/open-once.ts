/** Opens the storage of an api for its first request. */

import type { Storage } from '../../contract/storage.ts'
import { prepareDigests } from './digests.ts'

interface Opener {
  readonly open: () => Promise<void>
  /** Whether there is something to close. */
  readonly hasBegun: () => boolean
}

/** Opens the storage once, on first use, and loads what the runtime needs. A failed attempt is repeated. */
export function openOnce(storage: Storage): Opener {
  let opening: Promise<void> | undefined
  const open = async () => {
    try {
      await prepareDigests()
      await storage.open?.()
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return {
    open: () => {
      opening ??= open()
      return opening
    },
    hasBegun: () => opening !== undefined,
  }
}
