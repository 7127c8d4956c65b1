/**
 * The parts that all adapters share: the target of a request, the responses outside of any endpoint, and how clients that
 * know only the address of a site find its api: by a `Link` on the front page, and by routes in its query.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import { type NameMap, type Names, publicWords } from '../../names/word-map.ts'
import type { Settings } from '../../site/settings.ts'
import { ApiError, errorBody, noRoute } from '../declare/errors.ts'
import type { Incoming } from '../declare/request.ts'
import { jsonResponse, jsonType, type ResponseData } from '../declare/result.ts'
import { belowRoot } from '../request/incoming.ts'
import { unavailable } from '../request/repeat-errors.ts'
import { hasRestRoute } from '../request/rest-route.ts'

export type { NameMap }

/** The members of an api that adapters use. */
export interface MountedApi {
  readonly root: string
  handle(incoming: Incoming): MaybePromise<ResponseData>
  covers(path: string): boolean
  /** The `Link` header by which clients find the api. */
  discoveryLink?(): MaybePromise<string>
  /** The stored files, which are served beside the api. Their root is empty where another server has them. */
  readonly files?: MountedApi
}

/** The options of all adapters. */
export interface MountOptions {
  /**
   * The path at which requests arrive. Default: the root of the api. Differs where a proxy removes a prefix of the
   * path, or where the `url` of the site has a path.
   */
  readonly mount?: string
  /**
   * The path of the site's front page, such as `/`. Its responses get the `Link` by which clients find the api, and
   * `?rest_route=/…` there is answered by the api. Where the host has no front page, the index of the api is shown. Default: none.
   */
  readonly front?: string
  /** Called when a response could not be sent. Default: `console.error`. */
  readonly onFailure?: (id: string, error: unknown) => void
}

export interface Target {
  /** The target from the first slash behind the host, percent-encoded. */
  readonly path: string
  /** The query without the question mark. */
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

/** The response for a path outside of the API. */
export const notFoundResponse = (): ResponseData => jsonResponse(errorBody(noRoute()), 404, errorHeaders)

/** The response for an invalid request of HTTP. */
export const badRequestResponse = (message: string): ResponseData =>
  jsonResponse(errorBody(new ApiError('rest_bad_request', message, 400)), 400, errorHeaders)

/** For an unexpected failure. The caller logs it under the same id. */
export const internalErrorResponse = (id: string): ResponseData =>
  jsonResponse(
    errorBody(new ApiError('internal_server_error', 'The request could not be carried out.', 500, { id })),
    500,
    errorHeaders,
  )

/** While what a read needs is away. The caller logs the failure under the same id. */
export function unavailableResponse(id: string): ResponseData {
  const error = unavailable('no', id)
  return jsonResponse(errorBody(error), error.status, {
    ...errorHeaders,
    'Retry-After': String(error.data['retry_after']),
  })
}

export const logToConsole = (id: string, error: unknown) =>
  console.error(`site-api: a response could not be sent (${id})`, error)

/** The api has this relation in `Link` headers, and in `link` elements of pages. */
export const discoveryRelation = (names: Pick<Names, 'toPublic'>): string => names.toPublic('service-desc')

/** The front page and every response of the api have this `Link`. */
export const discoveryLink = ({ apiRoot }: Pick<Settings, 'apiRoot'>, names: Pick<Names, 'toPublic'>): string =>
  `<${apiRoot}/>; rel="${discoveryRelation(names)}"`

/** The same for a host that knows its settings before there is an api. */
export const staticDiscoveryLink = (url: string, root: string, names: NameMap): string =>
  discoveryLink({ apiRoot: url.replace(/\/+$/, '') + root }, { toPublic: publicWords(names) })

/**
 * The route that a request to the front page names in its query. Undefined for other paths, and without the option
 * `front`.
 */
export function frontRequest({ path, query }: Target, front: string | undefined): 'page' | 'api' | undefined {
  if (front === undefined || belowRoot(path, front.replace(/\/+$/, '')) !== '/') return undefined
  return hasRestRoute(query) ? 'api' : 'page'
}

/** Undefined when the storage fails: the page of the host does not need the link, and the api reports the failure to its own clients. */
export async function readDiscoveryLink(api: MountedApi): Promise<string | undefined> {
  try {
    return await api.discoveryLink?.()
  } catch {
    return undefined
  }
}
