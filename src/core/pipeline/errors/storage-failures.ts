/** Failures of the storage: what the client may do about them, and one line in the log for many of them. */

import type { Logger } from '../../declare/app-context.ts'
import type { ApiError } from '../../declare/errors.ts'
import { unavailable } from '../../request/repeat-errors.ts'
import { randomId } from '../../runtime/crypto.ts'
import { mayBeWritten } from '../../runtime/unit-of-work.ts'

export const storageError = (error: unknown, id: string): ApiError =>
  unavailable(mayBeWritten(error) ? 'perhaps' : 'no', id)

const windowMs = 10_000

interface Window {
  readonly id: string
  readonly error: unknown
  count: number
}

interface FailureLog {
  /** Logs the first failure of a kind, and counts those of the next ten seconds. Returns the id of its line. */
  add(error: unknown, request: { readonly method: string; readonly path: string }): string
}

/** While a database is away every request fails: a stack for each of them would hide everything else. */
export function createFailureLog(log: Logger): FailureLog {
  const windows = new Map<string, Window>()

  function close(kind: string): void {
    const found = windows.get(kind)
    windows.delete(kind)
    if (!found || found.count === 0) return
    const { id, error, count } = found
    log.error(`the storage failed ${count} more times in ${windowMs / 1000} seconds`, { id, error, count })
  }

  return {
    add(error, { method, path }) {
      const kind = String((error as { message?: unknown }).message)
      const known = windows.get(kind)
      if (known) {
        known.count++
        return known.id
      }
      const id = randomId()
      windows.set(kind, { id, error, count: 0 })
      const timer: { unref?: () => void } | number = setTimeout(close, windowMs, kind)
      if (typeof timer === 'object') timer.unref?.()
      log.error('the storage failed', { id, error, method, path, count: 1 })
      return id
    },
  }
}
