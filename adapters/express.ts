/** Mounts a site api in an Express application: `site-api/node` with `next` for requests of the host. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MountedApi, MountOptions } from '../src/core/pipeline/mount.ts'
import { createListener } from './node/listener.ts'

export type { MountedApi, MountOptions }

/** Assignable to Express's `RequestHandler`, typed here so that hosts need not install Express's types. */
export type ExpressHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** The options of `createExpressHandler`. */
export interface ExpressHandlerOptions extends MountOptions {
  /**
   * Calls `next` for requests outside the root, and below it for those outside the api's namespaces. Default: the api's
   * 404.
   */
  readonly fallThrough?: boolean
}

/**
 * A handler for `app.use`, `app.all` and routers. It looks at the address that the client sent, so the path that it is
 * mounted at is that of the api's root. It never calls `next` with an error.
 *
 * ```ts
 * app.use('/api', createExpressHandler(api))
 * ```
 */
export function createExpressHandler(api: MountedApi, options: ExpressHandlerOptions = {}): ExpressHandler {
  const { fallThrough = false } = options
  const { answer, refuse } = createListener(api, options, { isShared: fallThrough })
  return (request, response, next) => {
    answer(request, response, () => (fallThrough ? next() : refuse(request, response)))
  }
}
