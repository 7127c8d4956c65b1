/** Two people open one page: the second one is refused, overrides the lock, and takes it over. */
import { createSiteApi, full, isApiError } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const clock = () => Date.parse('2026-11-20T10:00:00Z')
const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com', clock })
const { id: wren } = await api.site.users.create({ login: 'wren', email: 'wren@example.com', roles: ['editor'] })
const { id: sam } = await api.site.users.create({ login: 'sam', email: 'sam@example.com', roles: ['editor'] })
const { data } = await api.call('POST', '/cms/v2/pages', { title: 'Tides', status: 'publish' }, { as: wren })
const { id } = data
const refusalOf = (error: unknown) => (isApiError(error) ? `${error.code}: ${error.message}` : String(error))

await api.call('POST', '/site-api/v1/locks/{id}', { id }, { as: wren })
const change = { id, title: 'Ebb and flow' }
console.log(await api.call('POST', '/cms/v2/pages/{id}', change, { as: sam }).catch(refusalOf))
const urgent = await api.call('POST', '/cms/v2/pages/{id}', change, { as: sam, headers: { Prefer: 'override' } })
console.log('overridden:', urgent.data.title.raw)

await api.call('POST', '/site-api/v1/locks/{id}', { id, take_over: true }, { as: sam })
console.log(await api.call('POST', '/site-api/v1/locks/{id}', { id }, { as: wren }).catch(refusalOf))

const here = { session: 'window-1', record: `post:${id}`, state: 'editing' } as const
await api.call('POST', '/site-api/v1/presence', here, { as: sam })
const { data: present } = await api.call('GET', '/site-api/v1/presence', {}, { as: wren })
for (const { user, record, state, lock } of present) console.log(user?.name, state, record, 'lock of', lock?.user?.name)
await api.close()
