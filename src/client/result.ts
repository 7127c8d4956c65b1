/** The result of a call: a response with its data, or an error. Calls return both as values and do not throw. */
import type { DataOf, Route, StatusOf } from '../core/pipeline/called-routes.ts'
import type { DryRunReport } from '../core/pipeline/dry-run/report.ts'

/** The members of a response other than its data. */
interface ResponseMetadata {
  readonly headers: Headers
  /** For a listing: the number of rows on all pages. */
  readonly total?: number
  readonly totalPages?: number
  /**
   * The tags of an answer to a visitor, where the site names them: by its option `cacheTags`, over HTTP in the header `Cache-Tag`.
   */
  readonly cacheTags?: readonly string[]
  /** The changes of a write that was only tried: with the option `dryRun`. */
  readonly dryRun?: DryRunReport
}

/** A call that succeeded: its status, headers and data. */
export interface Success<S extends number = number, T = unknown> extends ResponseMetadata {
  readonly ok: true
  readonly status: S
  readonly data: T
  readonly error?: undefined
}

/** A call that failed: `error` says why. */
export interface Failure {
  readonly ok: false
  /** 0 without a response. */
  readonly status: number
  readonly headers: Headers
  readonly data?: undefined
  readonly error: ClientError
  readonly dryRun?: undefined
  readonly total?: undefined
  readonly totalPages?: undefined
  readonly cacheTags?: undefined
}

/** A union of the statuses that the endpoint declares. */
export type SuccessOf<R extends Route, F extends string = never> = {
  [S in StatusOf<R>]: Success<S, DataOf<R, S, F>>
}[StatusOf<R>]

/** The codes of the client itself; all others come from the service. */
export type ClientCode =
  | 'client_invalid_arguments'
  | 'client_headers_failed'
  | 'client_network'
  | 'client_timeout'
  | 'client_aborted'
  | 'client_not_modified'
  | 'client_unexpected_answer'
  | 'client_batch_too_large'
  | 'client_not_run'

interface ErrorDetails {
  readonly status?: number
  readonly data?: { readonly [name: string]: unknown }
  readonly cause?: unknown
  readonly retryAfterMs?: number
}

/**
 * A call that did not succeed. Recognise it by `isClientError`, not by class: a bundle may hold two copies of this package.
 *
 * ```ts
 * import { createClient, ClientError } from 'site-api/client'
 * import type { D1 } from 'site-api'
 *
 * const { error } = await createClient<D1>({ url: '/api' }).get('/cms/v2/posts/{id}', { id: 7 })
 * export const isMissing = error instanceof ClientError && error.status === 404
 * ```
 */
export class ClientError extends Error {
  readonly isClientError = true
  /** A code of the service, or one that starts with `client_`. */
  readonly code: ClientCode | (string & {})
  /** 0 without a response. */
  readonly status: number
  /** The data of the service's error. */
  readonly data: { readonly [name: string]: unknown }
  /** The problem of each invalid argument, by name. */
  readonly params?: { readonly [name: string]: string }
  /** The `Retry-After` of the response. */
  readonly retryAfterMs?: number

  constructor(code: ClientError['code'], message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ClientError'
    this.code = code
    this.status = details.status ?? 0
    this.data = details.data ?? {}
    const params = paramsOf(this.data['params'], message)
    if (params) this.params = params
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs
  }
}

/**
 * Whether an error is a ClientError, also one of another copy of the package.
 *
 * ```ts
 * import { isClientError } from 'site-api/client'
 *
 * export const statusOf = (error: unknown) => (isClientError(error) ? error.status : undefined)
 * ```
 */
export function isClientError(error: unknown): error is ClientError {
  return typeof error === 'object' && error !== null && (error as { isClientError?: unknown }).isClientError === true
}

/** `Interface:` for missing arguments the service sends the names only. */
function paramsOf(sent: unknown, message: string): { readonly [name: string]: string } | undefined {
  if (Array.isArray(sent)) return Object.fromEntries(sent.map((name) => [String(name), message]))
  if (typeof sent !== 'object' || sent === null) return undefined
  return Object.fromEntries(Object.entries(sent).map(([name, problem]) => [name, String(problem)]))
}

export const failure = (error: ClientError, headers = new Headers()): Failure => ({
  ok: false,
  status: error.status,
  headers,
  error,
})

/** The response of a transport: JSON is parsed, another body is a text. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
  readonly cacheTags?: readonly string[] | undefined
  readonly dryRun?: DryRunReport
}

/** The header names, which `names` can change. */
export interface HeaderNames {
  readonly total: string
  readonly totalPages: string
}

export function resultOf(
  { status, headers, data, dryRun, cacheTags = headers.get('cache-tag')?.split(',') }: Received,
  names: HeaderNames,
  now: number,
): Success | Failure {
  // A dry run that ends at an outside service has the status 0.
  if (dryRun || (status >= 200 && status < 300)) {
    return {
      ok: true,
      status,
      headers,
      data,
      ...numberIn(headers, names, 'total'),
      ...numberIn(headers, names, 'totalPages'),
      ...(cacheTags && { cacheTags }),
      ...(dryRun && { dryRun }),
    }
  }
  return failure(errorIn(status, data, retryAfter(headers.get('retry-after'), now)), headers)
}

function numberIn(headers: Headers, names: HeaderNames, key: keyof HeaderNames): { [K in typeof key]?: number } {
  const text = headers.get(names[key]) ?? ''
  return /^\d+$/.test(text) ? { [key]: Number(text) } : {}
}

function errorIn(status: number, body: unknown, retryAfterMs: number | undefined): ClientError {
  const details = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  if (status === 304) return new ClientError('client_not_modified', 'Nothing has changed.', details)
  const { code, message, data } = (typeof body === 'object' && body !== null ? body : {}) as { [name: string]: unknown }
  if (typeof code !== 'string') {
    return new ClientError('client_unexpected_answer', `The answer was ${status}, and no word of the service.`, details)
  }
  const ownData = typeof data === 'object' && data !== null ? { data: data as ErrorDetails['data'] } : {}
  return new ClientError(code, String(message), { ...details, ...ownData })
}

/** The milliseconds of a `Retry-After` header, which has seconds or a date. */
function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
