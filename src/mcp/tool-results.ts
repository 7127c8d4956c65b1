/** Results of calls as tool results: structured, and the same as JSON text for agents that read only text. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Failure, Success } from '../client/index.ts'
import type { ApiTool } from './tools.ts'

interface Problem {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly params?: unknown
}

export function toolResult(result: Success | Failure, totals: ApiTool['totals']): CallToolResult {
  if (result.ok) return structured(structureOf(result, totals))
  const { code, message, status, data } = result.error
  // The cast: the data of an error of the service.
  const params = (data as { readonly params?: unknown } | undefined)?.params
  return failedResult({ code, message, status, ...(params === undefined ? {} : { params }) })
}

/**
 * An error of the tool, which the agent reads and can mend; not one of the protocol. As text alone: clients hold structured
 * content to the schema of a success.
 */
export const failedResult = (problem: Problem): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(problem) }],
  isError: true,
})

export const structured = (content: { [name: string]: unknown }): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
})

/** The protocol wants an object, so a list is its member `items`, and a text or nothing is `value`. */
function structureOf({ data, headers }: Success, totals: ApiTool['totals']): { [name: string]: unknown } {
  if (Array.isArray(data)) return { items: data, ...(totals ? counted(headers, totals) : {}) }
  // The cast: a parsed JSON object.
  return typeof data === 'object' && data !== null ? (data as { [name: string]: unknown }) : { value: data ?? null }
}

const counted = (headers: Headers, { total, totalPages }: NonNullable<ApiTool['totals']>) => ({
  total: Number(headers.get(total)),
  total_pages: Number(headers.get(totalPages)),
})
