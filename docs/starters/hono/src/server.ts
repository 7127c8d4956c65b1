/** A Hono application: its own routes, and the site at all other addresses, with its API below `/api`. */
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { closeServer } from 'site-api/node'
import { fillEmptySite } from './first-start.ts'
import { api, host, pages, port, url } from './site.ts'

const app = new Hono()

app.get('/hello', (context) => context.json({ text: 'a route of this application' }))
app.all('*', (context) => pages.fetch(context.req.raw))

await fillEmptySite()
const server = serve({ fetch: app.fetch, port, hostname: host }, () => {
  console.log(`${url} is the site, ${url}${api.root}/docs shows its routes`)
})

process.once('SIGTERM', async () => {
  // The cast: without options the server is one of node:http.
  await closeServer(server as Server)
  await api.close()
})
