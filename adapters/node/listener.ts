/** Answers requests of node, for the `node:http` listener and the Express handler. It never throws. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  badRequestResponse,
  frontRequest,
  logToConsole,
  type MountedApi,
  type MountOptions,
  notFoundResponse,
  readDiscoveryLink,
  type Target,
} from '../../src/core/pipeline/mount.ts'
import { hasTwoHosts, NodeIncoming, type NodeRequest, targetBelow } from './incoming.ts'
import { schedule } from './pipelining.ts'
import { createResponder, type ResponseSender } from './respond.ts'
import { writeResponse } from './response.ts'

interface Listener {
  /** Calls `leave` for a path outside of the api: of the request nothing was read, and of the response at most a header set. */
  answer(request: IncomingMessage, response: ServerResponse, leave: () => void): void
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
  { mount = api.root, front, onFailure = logToConsole }: MountOptions,
  { isShared }: { readonly isShared: boolean },
): Listener {
  const { answer, send } = createResponder(api, outlet, onFailure)
  const respond = (request: NodeRequest, response: ServerResponse, target: Target) => {
    const incoming = new NodeIncoming(request, response, target)
    schedule(request, response, () => {
      if (hasTwoHosts(request)) send(response, incoming, badRequestResponse('The request names two hosts.'))
      else answer(response, incoming)
    })
  }

  return {
    answer(request: NodeRequest, response, leave) {
      const target = targetBelow(request, mount)
      if (target !== undefined && (!isShared || api.covers(target.path))) return respond(request, response, target)
      const whole = front === undefined ? undefined : targetBelow(request, '')
      const asked = whole && frontRequest(whole, front)
      if (whole === undefined || asked === undefined) return leave()
      if (asked === 'api' || !isShared) return respond(request, response, { path: '/', query: whole.query })
      void readDiscoveryLink(api).then((link) => {
        if (link !== undefined) response.appendHeader('Link', link)
        leave()
      })
    },
    refuse(request, response) {
      send(response, new NodeIncoming(request, response, { path: '/', query: '' }), notFoundResponse())
    },
  }
}
