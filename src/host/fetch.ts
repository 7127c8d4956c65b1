/** `api.fetch`: from a `Request` to a `Response`, on every runtime. */

import type { MaybePromise } from '../contract/storage.ts'
import type { Logger } from '../core/declare/app-context.ts'
import type { Incoming } from '../core/declare/request.ts'
import { type ResponseData, toResponse } from '../core/declare/result.ts'
import { internalErrorResponse, notFoundResponse, targetOfUrl } from '../core/pipeline/mount.ts'
import { belowRoot, RequestIncoming } from '../core/request/incoming.ts'

type Handle = (incoming: Incoming) => MaybePromise<ResponseData>

export function createFetch(root: string, handle: Handle, log: Logger): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await handleRequest(request, root, handle)
    try {
      return toResponse(response)
    } catch (error) {
      const id = crypto.randomUUID()
      const { method, url } = request
      log.error('a response could not be sent', { id, error, method, path: targetOfUrl(url).path })
      return toResponse(internalErrorResponse(id))
    }
  }
}

function handleRequest(request: Request, root: string, handle: Handle): MaybePromise<ResponseData> {
  const { path, query } = targetOfUrl(request.url)
  const below = belowRoot(path, root)
  return below === undefined ? notFoundResponse() : handle(new RequestIncoming(request, below, query))
}
