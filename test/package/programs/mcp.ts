/** Code of a host against the published types: compiled by the package check, never run. */
import { createSiteApi, d1 } from 'site-api'
import { createMcpHandler, type McpHandlerOptions } from 'site-api/mcp'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
const options: McpHandlerOptions = { write: ['posts_create'], origins: ['https://agent.example'] }
const mcp = createMcpHandler(api, options)

export const POST = (request: Request): Promise<Response> => mcp(request)
