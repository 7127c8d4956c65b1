/** Serves the API below `/api`, and the pages of the site at all other addresses. */
import { nodeListener, serveNode } from 'site-api/node'
import { fillEmptySite } from './first-start.ts'
import { api, host, pages, port, url } from './site.ts'

await fillEmptySite()
const served = await serveNode(api, { port, host, fallThrough: nodeListener(pages.fetch) })
console.log(`${url} is the site, ${url}${api.root}/docs shows its routes`)

process.once('SIGTERM', async () => {
  await served.close()
  await api.close()
})
