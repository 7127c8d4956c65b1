/** When a call is made again, and how long it waits before. */
import { aborted } from './bounds.ts'
import { type Failure, failure, type Success } from './result.ts'

export interface RetryOptions {
  /** How often a call is made again. Default: 2. */
  readonly count?: number
  /** Calls of these methods are made again without being told. Default: GET and HEAD, which change nothing. */
  readonly methods?: readonly string[]
  /** The longest first wait; it doubles each time. Default: 200. */
  readonly baseMs?: number
  /** No wait is longer: when the service asks for more, its refusal is the answer. Default: 10 000. */
  readonly maxMs?: number
  /** Resolves after the time, or once the signal aborts. For tests. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 to 1, so that clients that failed together do not come back together. Default: `Math.random`. */
  readonly random?: () => number
}

const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Nothing reached the service, or it could not answer at the moment. */
const isPassing = ({ error, status }: Failure) => error.code === 'client_network' || passing.has(status)

export interface Retried {
  readonly method: string
  readonly signal: AbortSignal | undefined
  /** Said with the call itself, whatever its method. */
  readonly count: number | undefined
}

export async function withRetries(
  attempt: () => Promise<Success | Failure>,
  { method, signal, count }: Retried,
  { count: usual = 2, methods = ['GET', 'HEAD'], baseMs = 200, maxMs = 10_000, ...time }: RetryOptions,
): Promise<Success | Failure> {
  const { sleep = sleepFor, random = Math.random } = time
  const most = count ?? (methods.includes(method) ? usual : 0)
  for (let made = 0; ; made++) {
    const result = await attempt()
    if (result.ok || made >= most || !isPassing(result)) return result
    const waitMs = result.error.retryAfterMs ?? Math.min(maxMs, baseMs * 2 ** made) * random()
    if (waitMs > maxMs) return result
    await sleep(waitMs, signal)
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
