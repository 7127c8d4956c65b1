/** A site in a host that uses web-standard Request and Response. */
import { Hono } from 'hono'
import { createSiteApi, d1 } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })

export const app = new Hono()
app.get('/', (context) => context.text('a page of our own'))
app.all('/api/*', (context) => api.fetch(context.req.raw))
app.all('/api', (context) => api.fetch(context.req.raw))
