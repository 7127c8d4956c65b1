/** Connects the client of the official SDK to a handler or a process. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export type Handler = (request: Request) => Promise<Response> | Response

export async function agentOn(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  // From now on the client holds results to the output schemas.
  await client.listTools()
  return client
}

/** With the headers of each request; the handler is called in the process. */
export const agentOf = (handler: Handler, headers: { readonly [name: string]: string } = {}): Promise<Client> =>
  agentOn(
    new StreamableHTTPClientTransport(new URL('https://quay.example/mcp'), {
      requestInit: { headers },
      fetch: async (url, init) => handler(new Request(url, init)),
    }),
  )

/** Connects to a server of the same process. */
export async function agentIn(server: Server): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  return agentOn(near)
}

export interface ToolCallResult {
  readonly isError?: boolean
  readonly structured: { readonly [name: string]: unknown }
  /** The same as text; the only form of an error. */
  readonly text: unknown
}

export async function callTool(client: Client, name: string, args: object = {}): Promise<ToolCallResult> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } })
  const [first] = content as readonly { readonly text?: string }[]
  return {
    // The cast: the results of these tools are structured.
    structured: structuredContent as ToolCallResult['structured'],
    text: JSON.parse(first?.text ?? 'null'),
    ...(isError === true ? { isError } : {}),
  }
}
