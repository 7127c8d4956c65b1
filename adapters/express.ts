/** Mounts a site api in an Express application: the way of `site-api/node`, with `next` for what is not ours. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MountedApi, MountOptions } from '../src/core/pipeline/mount.ts'
import { createListener } from './node/listener.ts'

export type { MountedApi, MountOptions }

/** Fits where Express takes a `RequestHandler`; stated here, so that nobody needs the types of Express. */
export type ExpressHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

export interface ExpressHandlerOptions extends MountOptions {
  /**
   * Hands to `next` what lies outside the root, and below it whatever lies in no namespace of the api. Default: 404 in the
   * form of the api.
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
    if (answer(request, response)) return
    if (fallThrough) next()
    else refuse(request, response)
  }
}
