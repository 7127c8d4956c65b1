/** From node's request to its response, which the listener of `node:http` and the Express handler share. It never throws. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { logToConsole, type MountedApi, type MountOptions, notFoundResponse } from '../../src/core/pipeline/mount.ts'
import { NodeIncoming, type NodeRequest, targetBelow } from './incoming.ts'
import { createAnswering, type Outlet } from './respond.ts'
import { writeReply } from './response.ts'

export interface Listener {
  /** False: the path is not ours, and nothing was touched. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** 404 in the form of the api. */
  refuse(request: IncomingMessage, response: ServerResponse): void
}

const outlet: Outlet<ServerResponse> = {
  write: writeReply,
  rawOf: (response) => response,
  removeHeader: (response, name) => response.removeHeader(name),
}

/** `isShared`: below the mount, too, only what the api covers is ours. */
export function createListener(
  api: MountedApi,
  { mount = api.root, onFailure = logToConsole }: MountOptions,
  { isShared }: { readonly isShared: boolean },
): Listener {
  const { answer, send } = createAnswering(api, outlet, onFailure)
  return {
    answer(request: NodeRequest, response) {
      const target = targetBelow(request, mount)
      if (target === undefined || (isShared && !api.covers(target.path))) return false
      answer(response, new NodeIncoming(request, response, target))
      return true
    },
    refuse(request, response) {
      send(response, new NodeIncoming(request, response, { path: '/', query: '' }), notFoundResponse())
    },
  }
}
