/** Exports `site-api/mcp`, which offers the endpoints of an api as tools for agents, by the Model Context Protocol. */
import { createClient } from '../client/index.ts'
import { createToolbox, type McpApi, serverOf, type Toolbox } from './server.ts'
import type { ToolSelection } from './tool-selection.ts'

export type { CallableApi } from '../client/transport.ts'
export { createMcpServer, type McpApi, type McpServerOptions } from './server.ts'
export type { ToolSelection } from './tool-selection.ts'

/** The options of `createMcpHandler`. */
export interface McpHandlerOptions extends ToolSelection {
  /**
   * Headers of the agent's request that are passed to the api, besides `authorization`: those that your `authenticate` reads.
   * Cookies are passed only if they are named here, because a browser sends them for other sites too.
   */
  readonly forwardHeaders?: readonly string[]
  /** Web pages that may call the handler, as origins. Default: those of the same origin; agents have none. */
  readonly origins?: readonly string[]
}

/**
 * Creates a handler of the Streamable HTTP transport, without sessions: mount it for POST at a separate path, such as `/mcp`.
 * Each call is made with the credentials of its request, an application password as HTTP Basic, so an agent may do what its
 * user may do, and write only what `write` names. Rejects for a name in `write` or `read` that no tool has.
 *
 * ```ts
 * const mcp = createMcpHandler(api, { write: ['posts_create', 'posts_update'] })
 * export const POST = (request: Request) => mcp(request)
 * ```
 */
export function createMcpHandler(
  api: McpApi,
  options: McpHandlerOptions = {},
): (request: Request) => Promise<Response> {
  const { forwardHeaders = [], origins = [], ...selection } = options
  const forwarded = ['authorization', ...forwardHeaders]
  // The value, not its promise: on workerd a request must not await what another one began.
  let toolbox: Toolbox | undefined
  return async (request) => {
    if (request.method !== 'POST') return refusal(405, 'Only POST is served: there are no sessions.', { allow: 'POST' })
    if (!isTrusted(request, origins)) return refusal(403, 'Pages of this origin may not call it.')
    try {
      toolbox ??= await createToolbox(api, selection)
    } catch (error) {
      // Errors of storages have such a code, also that of a closed api.
      if (!/^storage_/.test(String((error as { readonly code?: unknown }).code))) throw error
      return refusal(503, 'The site is not available: try again.', { 'retry-after': '5' })
    }
    const client = createClient({
      url: `${new URL(request.url).origin}${api.root}`,
      fetch: (url, init) => api.fetch(new Request(url, init)),
      headers: headersOf(request, forwarded),
      retry: false,
    })
    const server = await serverOf(toolbox, client)
    const { WebStandardStreamableHTTPServerTransport: Transport } = await import(
      '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
    )
    const transport = new Transport({ enableJsonResponse: true })
    await server.connect(transport)
    return transport.handleRequest(request)
  }
}

/** A page whose name resolves to this host could call it with what the browser holds (DNS rebinding). */
function isTrusted({ headers, url }: Request, origins: readonly string[]): boolean {
  const origin = headers.get('origin')
  return origin === null || origin === new URL(url).origin || origins.includes(origin)
}

const headersOf = ({ headers }: Request, names: readonly string[]): { [name: string]: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    }),
  )

const refusal = (status: number, message: string, headers: { readonly [name: string]: string } = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status, headers })
