/** What all adapters share: the target of a request, and the responses outside of any endpoint. */
import { ApiError, errorBody, noRoute } from '../declare/errors.ts'
import type { Incoming } from '../declare/request.ts'
import { jsonResponse, jsonType, type ResponseData } from '../declare/result.ts'
import type { MaybePromise } from '../runtime/maybe-promise.ts'

/** What adapters use of an api. */
export interface MountedApi {
  readonly root: string
  handle(incoming: Incoming): MaybePromise<ResponseData>
  covers(path: string): boolean
}

/** What all adapters take. */
export interface MountOptions {
  /**
   * The path at which requests arrive. Default: the root of the api. Differs where a proxy removes a prefix of the
   * path, or where the `url` of the site has a path.
   */
  readonly mount?: string
  /** Called when a response could not be sent. Default: `console.error`. */
  readonly onFailure?: (id: string, error: unknown) => void
}

export interface Target {
  /** From the first slash behind the host, percent-encoded. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

/** The target of a `Request`'s URL. Bun omits scheme and host when it cannot parse the `Host` header. */
export function targetOfUrl(url: string): Target {
  const start = url.charCodeAt(0) === 47 ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const hash = url.indexOf('#', start)
  const end = hash === -1 ? url.length : hash
  const question = url.indexOf('?', start)
  const cut = question === -1 || question > end ? end : question
  return { path: url.slice(start, cut), query: url.slice(cut + 1, end) }
}

const errorHeaders = { 'Content-Type': jsonType, 'X-Content-Type-Options': 'nosniff' }

/** For a path outside of the API. */
export const notFoundResponse = (): ResponseData => jsonResponse(errorBody(noRoute()), 404, errorHeaders)

/** For what is no valid request of HTTP. */
export const badRequestResponse = (message: string): ResponseData =>
  jsonResponse(errorBody(new ApiError('rest_bad_request', message, 400)), 400, errorHeaders)

/** For an unexpected failure. The caller logs it under the same id. */
export const internalErrorResponse = (id: string): ResponseData =>
  jsonResponse(
    errorBody(new ApiError('internal_server_error', 'The request could not be carried out.', 500, { id })),
    500,
    errorHeaders,
  )

export const logToConsole = (id: string, error: unknown) =>
  console.error(`site-api: a response could not be sent (${id})`, error)
