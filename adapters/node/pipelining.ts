/**
 * Bounds what one connection holds in memory. Node hands over all pipelined requests that a packet contains, and keeps their responses
 * until the client reads: a few sockets that never read could take gigabytes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const lastResponses = new WeakMap<Socket, ServerResponse>()

/** Runs at once, or when the response before it on the connection is sent; not at all when the connection ends before. */
export function inTurn({ socket, httpVersionMajor }: IncomingMessage, response: ServerResponse, run: () => void): void {
  // The streams of HTTP/2 have flow control of their own.
  if (httpVersionMajor > 1) {
    run()
    return
  }
  const before = lastResponses.get(socket)
  lastResponses.set(socket, response)
  if (before === undefined || before.closed || before.writableFinished) run()
  else before.once('close', () => !socket.destroyed && run())
}
