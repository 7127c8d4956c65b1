/** An Express application: its own routes, the API below `/api`, and the pages of the site at all other addresses. */
import express from 'express'
import { createExpressHandler } from 'site-api/express'
import { closeServer, nodeListener } from 'site-api/node'
import { fillEmptySite } from './first-start.ts'
import { api, host, pages, port, url } from './site.ts'

const app = express()

app.get('/hello', (_request, response) => {
  response.json({ text: 'a route of this application' })
})
app.use(createExpressHandler(api, { fallThrough: true }))
app.use(nodeListener(pages.fetch))

await fillEmptySite()
const server = app.listen(port, host, (error) => {
  if (error) throw error
  console.log(`${url} is the site, ${url}${api.root}/docs shows its routes`)
})

process.once('SIGTERM', async () => {
  await closeServer(server)
  await api.close()
})
