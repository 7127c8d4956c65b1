/** Decides whether and when a call is retried. */
import { aborted } from './bounds.ts'
import { type Failure, failure, type Success } from './result.ts'

/** When a call is repeated, and after how long. */
export interface RetryOptions {
  /** The number of retries. Default: 2. */
  readonly count?: number
  /** The methods that are retried. Default: GET and HEAD. Others carry an Idempotency-Key, so that they are carried out once. */
  readonly methods?: readonly string[]
  /** The upper limit of the first delay; it doubles with each retry. Default: 200. */
  readonly baseMs?: number
  /** The maximum delay: a longer `Retry-After` ends the call with the error. Default: 10,000. */
  readonly maxMs?: number
  /** Resolves after the delay or when the signal aborts; for tests. Default: a timer. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 to 1; spreads the retries of clients that failed at the same time. Default: `Math.random`. */
  readonly random?: () => number
}

const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The service was not reached, is temporarily unavailable, or still carries out an earlier attempt. */
const isTemporary = ({ error, status }: Failure, hasKey: boolean) =>
  error.code === 'client_network' ||
  temporaryStatuses.has(status) ||
  (hasKey && status === 409 && error.code === 'rest_idempotency_key_in_use')

interface RetriedCall {
  readonly method: string
  readonly signal: AbortSignal | undefined
  /** The retries of this call, for every method. */
  readonly count: number | undefined
  /** The service carries the call out once, however often it arrives. */
  readonly hasKey: boolean
}

export async function withRetries(
  attempt: () => Promise<Success | Failure>,
  { method, signal, count, hasKey }: RetriedCall,
  { count: defaultCount = 2, methods = ['GET', 'HEAD'], baseMs = 200, maxMs = 10_000, ...time }: RetryOptions,
): Promise<Success | Failure> {
  const { sleep = sleepFor, random = Math.random } = time
  const maxRetries = count ?? (methods.includes(method) ? defaultCount : 0)
  for (let retries = 0; ; retries++) {
    const result = await attempt()
    if (result.ok || retries >= maxRetries || !isTemporary(result, hasKey)) return result
    const delayMs = result.error.retryAfterMs ?? Math.min(maxMs, baseMs * 2 ** retries) * random()
    if (delayMs > maxMs) return result
    await sleep(delayMs, signal)
    if (signal?.aborted) return failure(aborted(signal))
  }
}

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
