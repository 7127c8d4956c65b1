/** Mounts a site api on `node:http`, without `Request` and `Response`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { logToConsole, type MountedApi, type MountOptions } from '../src/core/pipeline/mount.ts'
import { type CloseOptions, closeServer } from './node/closing.ts'
import { type FetchHandler, respondWithFetch } from './node/fetch-handler.ts'
import { createListener } from './node/listener.ts'
import { schedule } from './node/pipelining.ts'

export type { CloseOptions, FetchHandler, MountedApi, MountOptions }
export { closeServer }

/** A listener for `createServer` of `node:http`. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The options of `createNodeHandler`. */
export interface NodeHandlerOptions extends MountOptions {
  /** Handles requests outside the root, and below it those outside the api's namespaces. Default: the api's 404. */
  readonly fallThrough?: NodeHandler
}

/**
 * A listener for node's servers. It never throws.
 *
 * ```ts
 * createServer(createNodeHandler(api)).listen(3000)
 * ```
 */
export function createNodeHandler(api: MountedApi, options: NodeHandlerOptions = {}): NodeHandler {
  const { fallThrough } = options
  const { answer, refuse } = createListener(api, options, { isShared: fallThrough !== undefined })
  return (request, response) => {
    answer(request, response, () => (fallThrough ?? refuse)(request, response))
  }
}

/**
 * A listener from a fetch handler, such as that of `createSitePages`. It never throws.
 *
 * ```ts
 * createServer(createNodeHandler(api, { fallThrough: nodeListener(pages.fetch) })).listen(3000)
 * ```
 */
export function nodeListener(fetch: FetchHandler): NodeHandler {
  return (request, response) => {
    schedule(request, response, () => {
      respondWithFetch(fetch, request, response).catch((error) => {
        logToConsole(crypto.randomUUID(), error)
        response.destroy()
      })
    })
  }
}

/** The options of `serveNode`. */
export interface ServeOptions extends NodeHandlerOptions {
  /** The port; 0: a free one. Default: 3000. */
  readonly port?: number
  /** The network address to listen on. Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
}

/** A server that listens. `close` finishes open requests. */
export interface Served {
  /** The address without the root, such as `http://127.0.0.1:3000`. */
  readonly url: string
  readonly server: Server
  /** Accepts no new connections, answers what arrives on open ones with `Connection: close`, and resolves when all have ended. */
  close(options?: CloseOptions): Promise<void>
}

/**
 * Serves an api, and its stored files, on its own port. A function instead of an api receives the url before the first
 * request, so that links can hold a port that was picked. Rejects when the port is taken.
 *
 * ```ts
 * import { createSiteApi, d1 } from 'site-api'
 * import { serveNode } from 'site-api/node'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'http://127.0.0.1:3000' })
 * export const served = await serveNode(api, { port: 3000 })
 * ```
 */
export async function serveNode(
  api: MountedApi | ((url: string) => MountedApi | Promise<MountedApi>),
  { port = 3000, host = '127.0.0.1', ...options }: ServeOptions = {},
): Promise<Served> {
  const server = createServer()
  server.on('clientError', refuse)
  await listening(server, port, host)
  const url = urlOf(server.address() as AddressInfo)
  const early: [IncomingMessage, ServerResponse][] = []
  const wait: NodeHandler = (request, response) => void early.push([request, response])
  server.on('request', wait)
  try {
    const handler = withFiles(typeof api === 'function' ? await api(url) : api, options)
    server.off('request', wait).on('request', handler)
    for (const [request, response] of early) handler(request, response)
  } catch (error) {
    server.close().closeAllConnections()
    throw error
  }
  return { url, server, close: (closeOptions) => closeServer(server, closeOptions) }
}

/** Files come first: a handler with `fallThrough` leaves what the api does not cover. */
function withFiles(api: MountedApi, options: NodeHandlerOptions): NodeHandler {
  const handler = createNodeHandler(api, options)
  const { files } = api
  return files && files.root !== ''
    ? createNodeHandler(files, { onFailure: options.onFailure, fallThrough: handler })
    : handler
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** A wildcard address becomes one that this machine can reach. */
function urlOf({ address, port, family }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (address === '::') return `http://[::1]:${port}`
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`
}

/** Node's parser errors never become a request; the response has the common error body all the same. */
function refuse(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({
    code: 'rest_bad_request',
    message: 'The request is not valid HTTP.',
    data: { status: Number(status.slice(0, 3)) },
  })
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=UTF-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
