/** Mounts a site api on `Bun.serve`. `Request` and `Response` are cheap on Bun, so they are used directly. */

import { isPromise } from '../src/contract/maybe-promise.ts'
import { type ResponseData, toResponse } from '../src/core/declare/result.ts'
import {
  frontRequest,
  internalErrorResponse,
  logToConsole,
  type MountedApi,
  type MountOptions,
  notFoundResponse,
  readDiscoveryLink,
  targetOfUrl,
} from '../src/core/pipeline/mount.ts'
import { belowRoot, RequestIncoming } from '../src/core/request/incoming.ts'
import { schedule } from './bun/scheduling.ts'

export type { MountedApi, MountOptions }

/** The part of Bun's server in use, typed here so that hosts need not install Bun's types. */
export interface BunServer {
  readonly port?: number
  readonly hostname?: string
  stop(closeActiveConnections?: boolean): Promise<void>
}

/** A `fetch` for `Bun.serve`. */
export type BunHandler<Server = unknown> = (request: Request, server: Server) => Response | Promise<Response>

/** The options of `createBunHandler`. */
export interface BunHandlerOptions<Server = unknown> extends MountOptions {
  /** Handles requests outside the root, and below it those outside the api's namespaces. Default: the api's 404. */
  readonly fallThrough?: BunHandler<Server>
}

/**
 * A `fetch` function for `Bun.serve`. It never throws.
 *
 * ```ts
 * Bun.serve({ port: 3000, fetch: createBunHandler(api) })
 * ```
 */
export function createBunHandler<Server = unknown>(
  api: MountedApi,
  options: BunHandlerOptions<Server> = {},
): BunHandler<Server> {
  const { mount = api.root, front, fallThrough, onFailure = logToConsole } = options

  function fail(error: unknown): Response {
    const id = crypto.randomUUID()
    onFailure(id, error)
    return toResponse(internalErrorResponse(id))
  }

  function send(reply: ResponseData): Response {
    try {
      return toResponse(reply)
    } catch (error) {
      return fail(error)
    }
  }

  /** A hit of the response cache is sent at once: `handle` returns it without a promise. */
  function answer(incoming: RequestIncoming): Response | Promise<Response> {
    try {
      const reply = api.handle(incoming)
      return isPromise(reply) ? reply.then(send, fail) : send(reply)
    } catch (error) {
      return fail(error)
    }
  }

  return (request, server) => {
    const target = targetOfUrl(request.url)
    const { path, query } = target
    const below = belowRoot(path, mount)
    if (below !== undefined && (!fallThrough || api.covers(below))) {
      return schedule(request, () => answer(new RequestIncoming(request, below, query)))
    }
    const asked = frontRequest(target, front)
    if (asked === 'api' || (asked === 'page' && !fallThrough)) {
      return schedule(request, () => answer(new RequestIncoming(request, '/', query)))
    }
    if (!fallThrough) return send(notFoundResponse())
    if (asked === undefined) return fallThrough(request, server)
    return readDiscoveryLink(api).then(async (link) => withLink(await fallThrough(request, server), link))
  }
}

/** The response of the host may come from a server, with headers that cannot be changed. */
function withLink(response: Response, link: string | undefined): Response {
  // Bun: a handler that upgrades the connection returns nothing.
  if (link === undefined || response === undefined) return response
  const { body, status, statusText, headers: sent } = response
  const headers = new Headers(sent)
  headers.append('Link', link)
  return new Response(body, { status, statusText, headers })
}

/** The options of `serveBun`. */
export interface ServeOptions extends BunHandlerOptions<BunServer> {
  /** The port; 0: a free one. Default: 3000. */
  readonly port?: number
  /** The network address to listen on. Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
}

/** How long a server may take to close. */
export interface CloseOptions {
  /** After this time open connections are cut. Default: 10 seconds. */
  readonly graceMs?: number
  /**
   * How long every answer says `Connection: close` before Bun, which ends idle connections at once, stops listening. Default: one
   * second.
   */
  readonly idleMs?: number
}

/** A server that listens. `close` finishes open requests. */
export interface Served {
  /** The address without the root, such as `http://127.0.0.1:3000`. */
  readonly url: string
  readonly server: BunServer
  /** Tells clients by `Connection: close`, then accepts no new connections, finishes open requests and resolves. */
  close(options?: CloseOptions): Promise<void>
}

/** Bun cuts a connection that is silent for 10 s, and with it a slow response, such as an installation. */
const idleSeconds = 120

/**
 * Serves an api, and its stored files, on its own port. A function instead of an api receives the url before the first
 * request, so that links can hold a port that was picked. Rejects when the port is taken.
 *
 * ```ts
 * import { createSiteApi, d1 } from 'site-api'
 * import { serveBun } from 'site-api/bun'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'http://127.0.0.1:3000' })
 * export const served = await serveBun(api, { port: 3000 })
 * ```
 */
export async function serveBun(
  api: MountedApi | ((url: string) => MountedApi | Promise<MountedApi>),
  { port = 3000, host = '127.0.0.1', ...options }: ServeOptions = {},
): Promise<Served> {
  const made = Promise.withResolvers<BunHandler<BunServer>>()
  let handler: BunHandler<BunServer> = async (request, server) => (await made.promise)(request, server)
  let isClosing = false
  const server = bun().serve({
    port,
    hostname: host,
    development: false,
    // Bun 1.4: outside of development it would share a port that another server listens on.
    reusePort: false,
    idleTimeout: idleSeconds,
    fetch: (request, server) => (isClosing ? answerLast(handler, request, server) : handler(request, server)),
  })
  const url = urlOf(host, server.port ?? port)
  try {
    handler = withFiles(typeof api === 'function' ? await api(url) : api, options)
    made.resolve(handler)
  } catch (error) {
    await server.stop(true)
    throw error
  }
  return {
    url,
    server,
    close: async ({ graceMs = 10_000, idleMs = 1000 } = {}) => {
      isClosing = true
      const cut = setTimeout(() => void server.stop(true), graceMs)
      if (idleMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(idleMs, graceMs)))
      await server.stop()
      clearTimeout(cut)
    },
  }
}

/** Files come first: a handler with `fallThrough` leaves what the api does not cover. */
function withFiles(api: MountedApi, options: BunHandlerOptions<BunServer>): BunHandler<BunServer> {
  const handler = createBunHandler<BunServer>(api, options)
  const { files } = api
  if (!files || files.root === '') return handler
  return createBunHandler<BunServer>(files, { onFailure: options.onFailure, fallThrough: handler })
}

/** Bun ends the connection after an answer with this header. */
async function answerLast(handler: BunHandler<BunServer>, request: Request, server: BunServer): Promise<Response> {
  const { body, status, statusText, headers: sent } = await handler(request, server)
  const headers = new Headers(sent)
  headers.set('Connection', 'close')
  return new Response(body, { status, statusText, headers })
}

interface BunRuntime {
  serve(options: {
    readonly port: number
    readonly hostname: string
    readonly development: boolean
    readonly reusePort: boolean
    readonly idleTimeout: number
    readonly fetch: BunHandler<BunServer>
  }): BunServer
}

function bun(): BunRuntime {
  const { Bun } = globalThis as { readonly Bun?: BunRuntime }
  if (Bun === undefined) throw new Error('serveBun runs under Bun only; under Node there is serveNode of site-api/node')
  return Bun
}

/** A wildcard address becomes one that this machine can reach. */
function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`
}
