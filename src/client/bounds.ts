/** Ends an attempt after a timeout, or when the caller aborts it. */
import { ClientError } from './result.ts'

interface Bounds {
  /** 0: no timeout. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Rejects with a ClientError at the timeout or abort, even if `run` ignores its signal. */
export function bounded<T>(run: (signal: AbortSignal) => Promise<T>, { timeoutMs, signal }: Bounds): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal))
    const controller = new AbortController()
    const cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const end = (error: ClientError) => {
      cleanUp()
      reject(error)
      controller.abort(error)
    }
    const onAbort = () => end(aborted(signal))
    const onTimeout = () => end(new ClientError('client_timeout', `Nothing was answered within ${timeoutMs} ms.`))
    const timer = timeoutMs > 0 ? setTimeout(onTimeout, timeoutMs) : undefined
    signal?.addEventListener('abort', onAbort)
    run(controller.signal).finally(cleanUp).then(resolve, reject)
  })
}

export const aborted = (signal: AbortSignal | undefined) =>
  new ClientError('client_aborted', 'The call was aborted.', { cause: signal?.reason })
