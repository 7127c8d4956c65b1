/** The error type of the API has this form on the wire. */

export interface ErrorDetail {
  readonly code: string
  readonly message: string
  readonly data?: unknown
}

/** The members of `data` besides `status`. */
export type ErrorData = { readonly [name: string]: unknown }

/**
 * An error that the caller sees: `{ code, message, data: { status, ... } }`. Test for it with `isApiError`, not
 * `instanceof`: a host may hold two copies of this package.
 *
 * ```ts
 * import { ApiError } from 'site-api'
 *
 * export const soldOut = () => new ApiError('shop_sold_out', 'This book is sold out.', 409, { restock: '2026-12-01' })
 * ```
 */
export class ApiError extends Error {
  readonly isApiError = true
  readonly code: string
  readonly status: number
  readonly data: ErrorData
  /** The method and the path of the call inside the process that was refused: `api.call` sets them. */
  declare readonly method?: string
  declare readonly path?: string
  constructor(code: string, message: string, status: number, data: ErrorData = {}) {
    // No stack: it is never read, and capturing one costs more than the rest of a request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.data = data
  }
}

/**
 * Whether an error is an ApiError, also one of another copy of the package.
 *
 * ```ts
 * import { isApiError } from 'site-api'
 *
 * export const codeOf = (error: unknown) => (isApiError(error) ? error.code : 'unknown')
 * ```
 */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && (error as { isApiError?: unknown }).isApiError === true
}

/** An error as it is sent. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly data: ErrorData & { readonly status: number }
}

export function errorBody(error: ApiError): ErrorBody {
  return { code: error.code, message: error.message, data: { status: error.status, ...error.data } }
}

export const noRoute = () => new ApiError('rest_no_route', 'No route serves this path with this method.', 404)

export const invalidJson = (why: string) =>
  new ApiError('rest_invalid_json', `The body is not valid JSON: ${why}.`, 400)

export const tooLarge = (limitBytes: number) =>
  new ApiError('rest_body_too_large', `The body is larger than ${limitBytes} bytes.`, 413)

export const queryTooLarge = (why: string) => new ApiError('rest_query_too_large', `The query string ${why}.`, 414)

export const unsupportedEncoding = () =>
  new ApiError('rest_unsupported_encoding', 'The body is compressed or in a character set other than UTF-8.', 415)

/** The client disconnected, so the response is never read. */
export const clientGone = () =>
  new ApiError('rest_client_gone', 'The client went away before its body had arrived.', 400)

/** `Interface:` `params` is a list here, unlike in rest_invalid_param. */
export const missingArguments = (names: readonly string[]) =>
  new ApiError('rest_missing_callback_param', `These arguments are missing: ${names.join(', ')}.`, 400, {
    params: names,
  })

export function invalidArguments(problems: ReadonlyMap<string, ErrorDetail | string>) {
  const params = emptyMap<string>()
  const details = emptyMap<ErrorDetail>()
  for (const [name, problem] of problems) {
    if (typeof problem === 'string') {
      params[name] = problem
      continue
    }
    params[name] = problem.message
    details[name] = { data: null, ...problem }
  }
  return new ApiError('rest_invalid_param', `These arguments are wrong: ${[...problems.keys()].join(', ')}.`, 400, {
    params,
    details,
  })
}

/** The map has no prototype, because callers choose the keys. */
function emptyMap<T>(): { [name: string]: T } {
  return Object.create(null) as { [name: string]: T }
}
