import { createSiteApi, d1 } from 'site-api'
import { serveNode } from 'site-api/node'
import { sqliteStorage } from 'site-api/storage/sqlite'

const api = createSiteApi({ storage: sqliteStorage('site.db'), profile: d1, url: 'http://localhost:3000' })
if (await api.site.isEmpty()) {
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const { password } = await api.site.passwords.create(id, 'my first client')
  console.log(`sign in as ada with ${password}`)
}
const { url } = await serveNode(api, { port: Number(process.env.PORT ?? 3000) })
console.log(`listening on ${url}${api.root}`)
