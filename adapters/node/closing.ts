/** Closes a server so that no client loses a request: those that keep their connection learn of it in an answer. */
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/** How long a server may take to close. */
export interface CloseOptions {
  /** After this time open connections are cut. Default: 10 seconds. */
  readonly graceMs?: number
  /**
   * How long a connection without a request stays open, so that a request that is already on its way is answered. Default: one
   * second; the longest pause of your clients keeps every one of them.
   */
  readonly idleMs?: number
}

const closing = new WeakSet<object>()
/** With this flag a response costs one comparison as long as no server of this process closes. */
let hasClosing = false

/** Whether the client of this response must not send another request on its connection. */
export function isLast({ socket, req }: ServerResponse): boolean {
  if (!hasClosing || req.httpVersionMajor > 1) return false
  // The cast: node sets it on each connection, and its types lack it.
  const { server } = (socket ?? {}) as { readonly server?: object }
  return server !== undefined && closing.has(server)
}

/**
 * Closes a server of `node:http`: it accepts no new connections, answers what arrives on open ones with `Connection: close`,
 * and resolves when all of them have ended. For servers of your own; `serveNode` has it as `close`.
 *
 * ```ts
 * process.on('SIGTERM', async () => {
 *   await closeServer(server)
 *   await api.close()
 * })
 * ```
 */
export function closeServer(server: Server, { graceMs = 10_000, idleMs = 1000 }: CloseOptions = {}): Promise<void> {
  closing.add(server)
  hasClosing = true
  server.prependListener('request', (_, response) => {
    if (response.req.httpVersionMajor === 1) response.setHeader('Connection', 'close')
  })
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined
    const idle = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.closeIdleConnections()
    }, idleMs)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    const onEnd = () => {
      clearTimeout(idle)
      clearTimeout(cut)
      clearInterval(sweep)
      // Ends the timer of node:http.
      server.close(() => undefined)
      resolve()
    }
    // `close` of node:http would end idle connections at once (Node 19 and later), and a request on its way with them.
    if (server instanceof NetServer) NetServer.prototype.close.call(server, onEnd)
    // The server of Bun is none of node:net: until its `close` it accepts connections too, for one request each.
    else setTimeout(() => (server as Server).close(onEnd), idleMs)
  })
}
