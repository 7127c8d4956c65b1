/** A site whose posts an agent may read, and write as the user whose application password it has. */
import { Hono } from 'hono'
import { createSiteApi, d1 } from 'site-api'
import { createMcpHandler } from 'site-api/mcp'
import { memoryStorage } from 'site-api/storage/memory'

export const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
const mcp = createMcpHandler(api, { write: ['posts_create', 'posts_update'] })

export const app = new Hono()
app.all('/mcp', (context) => mcp(context.req.raw))
app.all('/api/*', (context) => api.fetch(context.req.raw))
