/** From node's request to its response, which the listener of `node:http` and the Express handler share. It never throws. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failed, type MountedApi, type MountOptions, notHere, tellConsole } from '../../src/core/edge.ts'
import { isPromise } from '../../src/core/eventually.ts'
import type { Reply } from '../../src/core/reply.ts'
import { NodeIncoming, type NodeRequest, targetBelow } from './incoming.ts'
import { writeReply } from './reply.ts'

export interface Listener {
  /** False: the path is not ours, and nothing was touched. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** 404 in the form of the api. */
  refuse(request: IncomingMessage, response: ServerResponse): void
}

/** `isShared`: below the mount, too, only what the api covers is ours. */
export function createListener(
  api: MountedApi,
  { mount = api.root, onFailure = tellConsole }: MountOptions,
  { isShared }: { readonly isShared: boolean },
): Listener {
  function fail(response: ServerResponse, incoming: NodeIncoming, error: unknown, reply?: Reply): void {
    const id = crypto.randomUUID()
    onFailure(id, error)
    if (response.headersSent) return void response.destroy()
    // What the host has set stays; what node took of ours before it refused the rest goes.
    for (const name in reply?.headers) response.removeHeader(name)
    writeReply(response, incoming, failed(id))
  }

  function send(response: ServerResponse, incoming: NodeIncoming, reply: Reply): void {
    try {
      writeReply(response, incoming, reply)
    } catch (error) {
      fail(response, incoming, error, reply)
    }
  }

  return {
    answer(request: NodeRequest, response) {
      const target = targetBelow(request, mount)
      if (target === undefined || (isShared && !api.covers(target.path))) return false
      const incoming = new NodeIncoming(request, response, target)
      try {
        const reply = api.handle(incoming)
        if (isPromise(reply)) {
          reply.then(
            (made) => send(response, incoming, made),
            (error) => fail(response, incoming, error),
          )
        } else send(response, incoming, reply)
      } catch (error) {
        fail(response, incoming, error)
      }
      return true
    },
    refuse(request, response) {
      send(response, new NodeIncoming(request, response, { path: '/', query: '' }), notHere())
    },
  }
}
