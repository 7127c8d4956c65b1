/** What a call comes to: an answer with its data, or an error. Calls give them as values and do not throw. */
import type { DataOf, Route, StatusOf } from './routes.ts'

/** What is known of an answer beside its data. */
export interface AnswerFacts {
  readonly headers: Headers
  /** Of a listing: how many rows there are on all pages. */
  readonly total?: number
  readonly totalPages?: number
}

export interface Success<S extends number = number, T = unknown> extends AnswerFacts {
  readonly ok: true
  readonly status: S
  readonly data: T
  readonly error?: undefined
}

export interface Failure {
  readonly ok: false
  /** 0 when nothing was answered. */
  readonly status: number
  readonly headers: Headers
  readonly data?: undefined
  readonly error: ClientError
  readonly total?: undefined
  readonly totalPages?: undefined
}

/** One form for each status that the endpoint declares. */
export type SuccessOf<R extends Route, F extends string = never> = {
  [S in StatusOf<R>]: Success<S, DataOf<R, S, F>>
}[StatusOf<R>]

/** The codes that the client gives itself; all others are those of the service. */
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

export interface ErrorFacts {
  readonly status?: number
  readonly data?: { readonly [name: string]: unknown }
  readonly cause?: unknown
  readonly retryAfterMs?: number
}

/** A call that did not succeed. Recognise it by `isClientError`, not by class: a bundle may hold two copies of this package. */
export class ClientError extends Error {
  readonly isClientError = true
  /** Of the service, or one that begins with `client_`. */
  readonly code: ClientCode | (string & {})
  /** 0 when nothing was answered. */
  readonly status: number
  /** What the service says beside code and message. */
  readonly data: { readonly [name: string]: unknown }
  /** What is wrong with which argument. */
  readonly params?: { readonly [name: string]: string }
  /** When the service wants to be asked again. */
  readonly retryAfterMs?: number

  constructor(code: ClientError['code'], message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'ClientError'
    this.code = code
    this.status = facts.status ?? 0
    this.data = facts.data ?? {}
    const params = paramsOf(this.data['params'], message)
    if (params) this.params = params
    if (facts.retryAfterMs !== undefined) this.retryAfterMs = facts.retryAfterMs
  }
}

export function isClientError(error: unknown): error is ClientError {
  return typeof error === 'object' && error !== null && (error as { isClientError?: unknown }).isClientError === true
}

/** `Interface:` of what is missing the service sends the names alone. */
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

/** What a transport brings back: JSON as its value, another body as a text. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

/** The header names, which `names` may change. */
export interface HeaderNames {
  readonly total: string
  readonly totalPages: string
}

export function resultOf({ status, headers, data }: Received, names: HeaderNames, now: number): Success | Failure {
  if (status >= 200 && status < 300) {
    const total = numberIn(headers, names.total)
    const totalPages = numberIn(headers, names.totalPages)
    return {
      ok: true,
      status,
      headers,
      data,
      ...(total === undefined ? {} : { total }),
      ...(totalPages === undefined ? {} : { totalPages }),
    }
  }
  return failure(errorIn(status, data, retryAfter(headers.get('retry-after'), now)), headers)
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

function errorIn(status: number, body: unknown, retryAfterMs: number | undefined): ClientError {
  const facts = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  if (status === 304) return new ClientError('client_not_modified', 'Nothing has changed.', facts)
  const { code, message, data } = (typeof body === 'object' && body !== null ? body : {}) as { [name: string]: unknown }
  if (typeof code !== 'string') {
    return new ClientError('client_unexpected_answer', `The answer was ${status}, and no word of the service.`, facts)
  }
  const more = typeof data === 'object' && data !== null ? { data: data as ErrorFacts['data'] } : {}
  return new ClientError(code, String(message), { ...facts, ...more })
}

/** Seconds, or a date. */
function retryAfter(sent: string | null, now: number): number | undefined {
  if (sent === null) return undefined
  if (/^\s*\d+\s*$/.test(sent)) return Number(sent) * 1000
  const at = Date.parse(sent)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
