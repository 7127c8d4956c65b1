/** From node's request to its response, shared by the `node:http` listener and the Express handler. It never throws. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  badRequestResponse,
  logToConsole,
  type MountedApi,
  type MountOptions,
  notFoundResponse,
} from '../../src/core/pipeline/mount.ts'
import { hasTwoHosts, NodeIncoming, type NodeRequest, targetBelow } from './incoming.ts'
import { inTurn } from './pipelining.ts'
import { createResponder, type ResponseSender } from './respond.ts'
import { writeResponse } from './response.ts'

interface Listener {
  /** False: the path is outside of the api, and nothing was read or written. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** The api's 404. */
  refuse(request: IncomingMessage, response: ServerResponse): void
}

const outlet: ResponseSender<ServerResponse> = {
  write: writeResponse,
  rawOf: (response) => response,
  removeHeader: (response, name) => response.removeHeader(name),
}

/** `isShared`: below the mount, only paths that the api covers are handled. */
export function createListener(
  api: MountedApi,
  { mount = api.root, onFailure = logToConsole }: MountOptions,
  { isShared }: { readonly isShared: boolean },
): Listener {
  const { answer, send } = createResponder(api, outlet, onFailure)
  return {
    answer(request: NodeRequest, response) {
      const target = targetBelow(request, mount)
      if (target === undefined || (isShared && !api.covers(target.path))) return false
      const incoming = new NodeIncoming(request, response, target)
      inTurn(request, response, () => {
        if (hasTwoHosts(request)) send(response, incoming, badRequestResponse('The request names two hosts.'))
        else answer(response, incoming)
      })
      return true
    },
    refuse(request, response) {
      send(response, new NodeIncoming(request, response, { path: '/', query: '' }), notFoundResponse())
    },
  }
}
