/** A server for a site that is stored in a file. */

import { createSiteApi, d1 } from 'site-api'
import { serveNode } from 'site-api/node'
import { sqliteStorage } from 'site-api/storage/sqlite'

const api = createSiteApi({
  storage: sqliteStorage('site.db'),
  profile: d1,
  url: 'https://example.com',
})

const served = await serveNode(api, { port: Number(process.env.PORT ?? 3000) })
console.log(`listening on ${served.url}${api.root}`)

process.once('SIGTERM', async () => {
  await served.close()
  await api.close()
})
