/** Ends an attempt that takes too long, or that nobody waits for any more. */
import { ClientError } from './result.ts'

export interface Bounds {
  /** 0: as long as it takes. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Rejects with a `ClientError` at once when the time is over or the signal aborts, whether or not `run` listens. */
export function bounded<T>(run: (signal: AbortSignal) => Promise<T>, { timeoutMs, signal }: Bounds): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal))
    const inner = new AbortController()
    const forget = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const end = (error: ClientError) => {
      forget()
      reject(error)
      inner.abort(error)
    }
    const onAbort = () => end(aborted(signal))
    const late = () => end(new ClientError('client_timeout', `Nothing was answered within ${timeoutMs} ms.`))
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined
    signal?.addEventListener('abort', onAbort)
    run(inner.signal).finally(forget).then(resolve, reject)
  })
}

export const aborted = (signal: AbortSignal | undefined) =>
  new ClientError('client_aborted', 'The call was aborted.', { cause: signal?.reason })
