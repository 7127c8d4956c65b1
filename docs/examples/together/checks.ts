/** The gate before publishing: a page with a dead link is refused, shown with its patch, mended and published. */
import { createSiteApi, full, isApiError } from 'site-api'
import { createSitePages } from 'site-api/pages'
import { memoryStorage } from 'site-api/storage/memory'

const clock = () => Date.parse('2026-11-20T10:00:00Z')
const publishing = { checks: { 'dead-link': 'refuse', 'missing-alt': 'refuse', accessibility: 'off' } } as const
const storage = memoryStorage()
const api = createSiteApi({ storage, profile: full, url: 'https://example.com', clock, publishing })
createSitePages(api)
const { id: wren } = await api.site.users.create({ login: 'wren', email: 'wren@example.com', roles: ['editor'] })

const content = '<p>Low water is at six: see <a href="/tables/">the tables</a>.</p>'
const { data: page } = await api.call('POST', '/cms/v2/pages', { title: 'Tides', content }, { as: wren })
const { id } = page
const publish = () => api.call('POST', '/cms/v2/pages/{id}', { id, status: 'publish' }, { as: wren })
const refused = await publish().catch((error) => error)
if (isApiError(refused)) console.log(refused.status, refused.code, refused.message)

const { findings } = await api.site.check(`post:${id}`, { as: wren })
for (const { severity, code, place, patch } of findings) console.log(severity, code, place.member, '|', patch?.says)
for (const finding of findings) {
  if (finding.code === 'dead-link') await api.site.check.apply(finding, { as: wren })
}

const published = await publish()
console.log(published.data.status, published.data.content?.raw)
console.log(JSON.stringify((published.data as { _warnings?: object })._warnings))
await api.close()
