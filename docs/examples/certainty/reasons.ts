/** Asks why a request is refused, as its sender may know it and as the host sees it. */
import { createSiteApi, type Explanation, full } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
const wren = await api.site.users.create({ login: 'wren', roles: ['author'] })
const sam = await api.site.users.create({ login: 'sam', roles: ['subscriber'] })
const { data } = await api.call('POST', '/cms/v2/posts', { title: 'Tide', status: 'private' }, { as: wren.id })

const post = `/cms/v2/posts/${data.id}`
const own = await api.explain('POST', post, { as: sam.id, body: { title: 'Ebb' } })
show(own)

const host = await api.explain('POST', post, { as: sam.id, body: { title: 'Ebb' }, view: 'host' })
console.log(host.toPass)

const lost = await api.explain('POST', '/cms/v2/categories', { as: 'system', body: { name: 'Winds', parent: 99 } })
console.log(lost.toPass)

await api.close()

function show({ status, steps, toPass }: Explanation) {
  for (const { step, verdict, says = '' } of steps) console.log(`${step}: ${verdict} ${says}`.trim())
  console.log(status, toPass)
}
