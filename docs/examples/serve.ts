/** A server for a site that is stored in a file. */
import { serveNode } from '../../adapters/node.ts'
import { createSiteApi, d1 } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'

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
