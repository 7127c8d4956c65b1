import { createSiteApi, full } from 'site-api'
import { nodeListener, serveNode } from 'site-api/node'
import { createSitePages } from 'site-api/pages'
import { sqliteStorage } from 'site-api/storage/sqlite'

const port = Number(process.env.PORT ?? 3000)
const url = process.env.URL ?? `http://localhost:${port}`
const api = createSiteApi({ storage: sqliteStorage('site.db'), profile: full, url, docs: true })
const pages = createSitePages(api)
if (await api.site.isEmpty()) {
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const { password } = await api.site.passwords.create(id, 'my first client')
  console.log(`sign in as ada with ${password}`)
}
const served = await serveNode(api, { port, fallThrough: nodeListener(pages.fetch) })
console.log(`listening on ${served.url}${api.root}`)
