/**
 * Treats the unread rest of a request's body by one rule for every mount: the rest of a small body is dropped, and the connection stays
 * open; after a large one the response says `Connection: close`, so that the next request never waits in vain.
 */
import type { IncomingMessage } from 'node:http'

/** The rest of a body of this size costs less than a new connection. */
const smallBytes = 64 * 1024

/** Whether the connection must end with this response. HTTP/2 ends the stream alone. */
export function leavesMuchUnread({ headers, complete, httpVersionMajor }: IncomingMessage): boolean {
  if (complete || httpVersionMajor > 1) return false
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && Number(length) > smallBytes
}

const lingerBytes = 1024 * 1024
const lingerMs = 2000

/**
 * The client is still sending. Closing at once would reset the connection and lose the response. So the response is
 * sent whole, some of the body is dropped, and when this resolves the connection may be closed.
 */
export function dropSome(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let dropped = 0
    const end = () => {
      clearTimeout(timer)
      request.off('data', onData).off('end', end).off('close', end)
      request.resume()
      resolve()
    }
    const onData = (part: Uint8Array) => {
      dropped += part.length
      if (dropped > lingerBytes) end()
    }
    const timer = setTimeout(end, lingerMs)
    timer.unref()
    request.on('data', onData).on('end', end).on('close', end)
    if (request.readableEnded || request.destroyed) end()
    else request.resume()
  })
}

/** Node drops a small body by itself only while no reader is attached to it. */
export function dropRest(stream: NodeJS.ReadableStream & { readonly readableEnded?: boolean }): void {
  if (stream.readableEnded !== true) stream.resume()
}
