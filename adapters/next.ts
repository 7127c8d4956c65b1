/**
 * Mounts a site api as a route handler of Next.js, in an optional catch-all segment. Reads the Request as Next created
 * it and imports nothing of Next.
 */

import { toResponse } from '../src/core/declare/result.ts'
import {
  internalErrorResponse,
  logToConsole,
  type MountedApi,
  type MountOptions,
  type NameMap,
  staticDiscoveryLink,
  targetOfUrl,
} from '../src/core/pipeline/mount.ts'
import { RequestIncoming } from '../src/core/request/incoming.ts'
import type { Revalidate } from './next/revalidation.ts'

export { type Closable, keepApi } from './next/keep-api.ts'
export {
  type ChangingApi,
  type Revalidate,
  type RevalidateTag,
  type RevalidationOptions,
  revalidateChanges,
  type TaggedAnswer,
  tagPage,
  tagsOf,
  type UnstableCache,
} from './next/revalidation.ts'
export type { MountedApi, MountOptions, NameMap }

/** The second argument of a route handler. At most one parameter is a list: the catch-all. */
export interface NextContext {
  readonly params: Promise<{ readonly [name: string]: string | readonly string[] | undefined }>
}

/** A route handler of the App Router. */
export type NextHandler = (request: Request, context: NextContext) => Promise<Response>

/** The methods that a route file may export. */
export interface NextHandlers {
  readonly GET: NextHandler
  readonly HEAD: NextHandler
  readonly OPTIONS: NextHandler
  readonly POST: NextHandler
  readonly PUT: NextHandler
  readonly PATCH: NextHandler
  readonly DELETE: NextHandler
}

/** The options of `createNextHandlers`. */
export interface NextHandlersOptions extends Pick<MountOptions, 'onFailure'> {
  /** The function that `revalidateChanges` returns: each request then revalidates what it has changed. Default: nothing is revalidated. */
  readonly revalidate?: Revalidate
}

/**
 * The handlers of `app/api/[[...path]]/route.ts`, or of another folder whose last segment is a catch-all. They answer
 * whatever lies below the folder; `root` of the api only says how links are written.
 *
 * ```ts
 * export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
 * ```
 */
export function createNextHandlers(api: MountedApi, options: NextHandlersOptions = {}): NextHandlers {
  const { onFailure = logToConsole, revalidate } = options

  function fail(error: unknown): Response {
    const id = crypto.randomUUID()
    onFailure(id, error)
    return toResponse(internalErrorResponse(id))
  }

  const handler: NextHandler = async (request, { params }) => {
    // Not caught: Next throws here to mark a route as dynamic during a build.
    const { path, query } = targetOfUrl(request.url)
    const below = pathBelow(path, await params)
    const handle = () => api.handle(new RequestIncoming(request, below, query))
    try {
      return toResponse(await (revalidate ? revalidate(handle) : handle()))
    } catch (error) {
      return fail(error)
    }
  }
  return { GET: handler, HEAD: handler, OPTIONS: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler }
}

/**
 * Next passes the address without its `basePath` today and may pass it with it tomorrow (vercel/next.js 62756). The
 * catch-all is the end of the address in both cases, so the path is counted from there and its values stay as sent.
 */
function pathBelow(address: string, params: Awaited<NextContext['params']>): string {
  const taken = Object.values(params).find((value) => typeof value === 'object')
  if (taken === undefined) return '/'
  const segments = address.replace(/\/+$/, '').split('/').slice(-taken.length)
  // Next 16: a rewrite keeps the outer address. Where that ends differently, only the parameters have the path.
  const isEnd = taken.every((value, at) => value === segments[at] || value === decoded(segments[at]))
  return `/${(isEnd ? segments : taken.map(encodeURIComponent)).join('/')}`
}

function decoded(segment = ''): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The options of `nextDiscovery`: those of `createSiteApi`, which the configuration of Next cannot ask for. */
export interface NextDiscoveryOptions {
  /** The address of the site. */
  readonly url: string
  /** The path of the API below the url. Default: `/api`. */
  readonly root?: string
  /** The option `names` of the api. Default: the neutral words. */
  readonly names?: NameMap
  /** The path of the folder that has the route handlers, without `basePath`. Default: `root`. */
  readonly mount?: string
  /** The path of the front page, without `basePath`. Default: `/`. */
  readonly front?: string
}

/** Members of a configuration of Next. */
export interface NextDiscovery {
  headers(): Promise<
    {
      source: string
      missing: { type: 'query'; key: string }[]
      headers: { key: string; value: string }[]
    }[]
  >
  rewrites(): Promise<{
    beforeFiles: { source: string; has: { type: 'query'; key: string }[]; destination: string }[]
  }>
}

/**
 * Returns members for `next.config.ts`, by which clients find the api from the address of the site: the front page gets the `Link` to the api, and
 * `?rest_route=/…` there is answered by the api.
 *
 * ```ts
 * import { nextDiscovery } from 'site-api/next'
 *
 * export default { ...nextDiscovery({ url: 'https://example.org' }) }
 * ```
 */
export function nextDiscovery(options: NextDiscoveryOptions): NextDiscovery {
  const { url, root = '/api', names = [], mount = root, front: source = '/' } = options
  const query = { type: 'query', key: 'rest_route' } as const
  const headers = [{ key: 'Link', value: staticDiscoveryLink(url, root, names) }]
  return {
    headers: async () => [{ source, missing: [query], headers }],
    rewrites: async () => ({ beforeFiles: [{ source, has: [query], destination: mount }] }),
  }
}
