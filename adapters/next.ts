/**
 * Mounts a site api as a route handler of Next.js, at an optional catch-all segment. The Request is read as Next made it;
 * nothing of Next is imported.
 */

import { toResponse } from '../src/core/declare/result.ts'
import {
  internalErrorResponse,
  logToConsole,
  type MountedApi,
  type MountOptions,
  targetOfUrl,
} from '../src/core/pipeline/mount.ts'
import { RequestIncoming } from '../src/core/request/incoming.ts'

export type { MountedApi, MountOptions }

/** The second argument of a route handler. One parameter at most is a list: the catch-all. */
export interface NextContext {
  readonly params: Promise<{ readonly [name: string]: string | readonly string[] | undefined }>
}

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

export type NextHandlersOptions = Pick<MountOptions, 'onFailure'>

/**
 * The handlers of `app/api/[[...path]]/route.ts`, or of another folder whose last segment is a catch-all. They answer
 * whatever lies below the folder; `root` of the api only says how links are written.
 *
 * ```ts
 * export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
 * ```
 */
export function createNextHandlers(api: MountedApi, options: NextHandlersOptions = {}): NextHandlers {
  const { onFailure = logToConsole } = options

  function fail(error: unknown): Response {
    const id = crypto.randomUUID()
    onFailure(id, error)
    return toResponse(internalErrorResponse(id))
  }

  const handler: NextHandler = async (request, { params }) => {
    // Not caught: by what these throw Next finds out that an answer cannot be made while it builds.
    const { path, query } = targetOfUrl(request.url)
    const below = pathBelow(path, await params)
    try {
      return toResponse(await api.handle(new RequestIncoming(request, below, query)))
    } catch (error) {
      return fail(error)
    }
  }
  return { GET: handler, HEAD: handler, OPTIONS: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler }
}

/**
 * Next hands in the address without its `basePath` today and may hand it in with it tomorrow (vercel/next.js 62756). What
 * the catch-all took is the end of it all the same, so it is counted from there: the values stay as they were sent.
 */
function pathBelow(address: string, params: Awaited<NextContext['params']>): string {
  const taken = Object.values(params).find((value) => typeof value === 'object')
  if (taken === undefined) return '/'
  const segments = address.replace(/\/+$/, '').split('/').slice(-taken.length)
  // Next 16: a rewrite leaves the outer address. Where that ends in something else, what was taken is all there is.
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
