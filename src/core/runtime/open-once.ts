/** Opens the storage of an api for its first request, and refuses requests once the api closes. */

import { type Storage, StorageUnavailable } from '../../contract/storage.ts'
import { prepareDigests } from './digests.ts'

interface Opener {
  /** Opens the storage for the work of the api itself, which may end while it closes. */
  readonly open: () => Promise<void>
  /** The same for requests and calls of the host: rejects with StorageUnavailable after `refuse`. */
  readonly ready: () => Promise<void>
  readonly refuse: () => void
  /** Throws StorageUnavailable after `refuse`: files need no storage to be open. */
  readonly assertServing: () => void
  /** Whether there is something to close. */
  readonly hasBegun: () => boolean
}

/** Opens the storage once, on first use, and loads what the runtime needs. A failed attempt is repeated. */
export function openOnce(storage: Storage): Opener {
  let opening: Promise<void> | undefined
  let isRefused = false
  const attempt = async () => {
    try {
      await prepareDigests()
      await storage.open?.()
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  const open = () => {
    opening ??= attempt()
    return opening
  }
  return {
    open,
    ready: () => (isRefused ? Promise.reject(closed()) : open()),
    refuse: () => {
      isRefused = true
    },
    assertServing: () => {
      if (isRefused) throw closed()
    },
    hasBegun: () => opening !== undefined,
  }
}

const closed = () => new StorageUnavailable('the api is closed', { written: 'no' })
