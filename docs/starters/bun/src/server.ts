/** Serves the API below `/api`, and the pages of the site at all other addresses, with Bun. */
import { serveBun } from 'site-api/bun'
import { fillEmptySite } from './first-start.ts'
import { api, host, pages, port, url } from './site.ts'

// PORT, URL and DATA are read in site.ts.
await fillEmptySite()
const served = await serveBun(api, { port, host, fallThrough: pages.fetch })
console.log(`${url} is the site, ${url}${api.root}/docs shows its routes`)

process.once('SIGTERM', async () => {
  await served.close()
  await api.close()
})
