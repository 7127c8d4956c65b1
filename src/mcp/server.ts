/** A server of the Model Context Protocol whose tools are the endpoints of an api, and whose resources are its texts. The SDK is an optional peer dependency. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../client/index.ts'
import { createClient } from '../client/index.ts'
import type { CallableApi } from '../client/transport.ts'
import type { OpenApiDocument } from '../core/describe/openapi/document.ts'
import {
  listResources,
  ResourceError,
  type ResourceKind,
  readResource,
  resourceKindsOf,
  resourceTemplates,
} from './resources.ts'
import { SiteRoutes } from './site/site-routes.ts'
import type { Task } from './tasks/task.ts'
import { runTask, tasksOf, taskView } from './tasks/tasks.ts'
import { failedResult, toolResult } from './tool-results.ts'
import { selectedTools, type ToolSelection } from './tool-selection.ts'
import { type ApiTool, toolsOf } from './tools.ts'

/** The part of `createSiteApi`'s result that the tools use. */
export interface McpApi extends CallableApi {
  readonly root: string
  fetch(request: Request): Promise<Response>
  openapi(): Promise<OpenApiDocument>
}

/** The options of `createMcpServer`. */
export interface McpServerOptions extends ToolSelection {
  /** The id of the user whose rights the agent has, or 'system' for all. Default: a visitor. */
  readonly as?: number | 'system'
}

/** The tools of an api, and what its document says about the site. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, ApiTool>
  /** The tools by task; undefined where each route is a tool. */
  readonly tasks: ReadonlyMap<string, Task> | undefined
  readonly routes: SiteRoutes
  readonly kinds: readonly ResourceKind[]
  readonly title: string
  readonly version: string
}

export async function createToolbox(api: Pick<McpApi, 'openapi'>, selection: ToolSelection): Promise<Toolbox> {
  const document = await api.openapi()
  const selected = selectedTools(toolsOf(document), selection)
  const { title, version } = document.info
  const kinds = resourceKindsOf(document, selected)
  const tools = new Map(selected.map((tool) => [tool.name, tool]))
  const routes = new SiteRoutes(tools, kinds, title)
  const tasks = selection.tools === 'routes' ? undefined : tasksOf(routes)
  return { tools, tasks, routes, kinds, title, version }
}

/**
 * Creates a server to connect with any transport of the SDK: its calls run in the process, with the rights of one user.
 * Rejects if the package `@modelcontextprotocol/sdk` is not installed.
 *
 * ```ts
 * const server = await createMcpServer(api, { as: editor.id, write: ['posts_create'] })
 * await server.connect(new StdioServerTransport())
 * ```
 */
export async function createMcpServer(api: McpApi, { as, ...selection }: McpServerOptions = {}): Promise<Server> {
  const client = createClient({ api, ...(as === undefined ? {} : { as }) })
  return serverOf(await createToolbox(api, selection), client)
}

export async function serverOf(
  { tools, tasks, routes, kinds, title, version }: Toolbox,
  client: Client,
): Promise<Server> {
  const [{ Server: SdkServer }, sdk] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]).catch((cause) => {
    throw new Error('MCP needs the package @modelcontextprotocol/sdk: npm install @modelcontextprotocol/sdk', { cause })
  })
  const server = new SdkServer(
    { name: 'site-api', title, version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor(title, tasks !== undefined) },
  )
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
    tools: tasks ? [...tasks.values()].map((task) => taskView(task, routes)) : [...tools.values()].map(toolView),
  }))
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name, arguments: args = {} } = params
    const task = tasks?.get(name)
    if (task) return runTask(task, routes, { client, args, signal })
    // Agents that know the tool of a route call it where the list has the tools by task.
    const tool = tools.get(name)
    if (!tool) throw invalid(`there is no tool ${name}, or the host does not allow it`)
    return callTool(client, tool, args, signal)
  })
  server.setRequestHandler(sdk.ListResourcesRequestSchema, ({ params }) =>
    listResources(client, kinds, params?.cursor).catch(refuse),
  )
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => resourceTemplates(kinds))
  server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params }) =>
    readResource(client, kinds, params.uri).catch(refuse),
  )
  return server

  function invalid(message: string, data?: unknown) {
    return new sdk.McpError(sdk.ErrorCode.InvalidParams, message, data)
  }

  function refuse(error: unknown): never {
    if (!(error instanceof ResourceError)) throw error
    const { message, data } = error
    throw data.status === 404 ? new sdk.McpError(resourceNotFound, message, data) : invalid(message, data)
  }
}

/** The protocol defines this code; the SDK has no name for it. */
const resourceNotFound = -32002

const instructionsFor = (title: string, isByTask: boolean) =>
  isByTask
    ? `The site ${title}. Begin with about_site and find. Tools that write take dry_run, which shows the difference and writes nothing. What no tool does, call_route does. Resources are the texts as Markdown. A failed call has a code, a message with the way out, and the HTTP status.`
    : `The content of the site ${title}. Lists have pages: pass page and per_page. Pass _fields to get only the members you need. Resources are the texts as Markdown, by id. A failed call has a code, a message and the HTTP status.`

const toolView = ({
  name,
  summary,
  description,
  method,
  inputSchema,
  outputSchema,
  reads,
  creates,
}: ApiTool): Tool => ({
  name,
  title: summary,
  description,
  // The casts: the SDK's types are those of parsed JSON.
  inputSchema: inputSchema as Tool['inputSchema'],
  outputSchema: outputSchema as Tool['outputSchema'],
  annotations: {
    title: summary,
    readOnlyHint: reads,
    // A creation adds; any other write may replace or remove.
    destructiveHint: !reads && !creates,
    idempotentHint: reads || method === 'put' || method === 'delete',
  },
})

async function callTool(
  client: Client,
  { inputSchema, method, path, totals }: ApiTool,
  args: { readonly [name: string]: unknown },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const known = Object.keys(inputSchema.properties ?? {})
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (unknown.length > 0 && inputSchema.additionalProperties === false) {
    const message = `There is no argument ${unknown.join(', ')}; the arguments are ${known.join(', ')}.`
    return failedResult({ code: 'mcp_unknown_argument', message, status: 400 })
  }
  // The cast: method and path come from the document of this api, which the client's types do not know.
  const request = client.request as unknown as (
    method: string,
    path: string,
    args: object,
    options: { readonly signal: AbortSignal },
  ) => ReturnType<Client['request']>
  return toolResult(await request(method.toUpperCase(), path, args, { signal }), totals)
}
