/** Two people save one page; the second save is merged, and a third one has to be decided. */
import { createSiteApi, full, isApiError } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
const { id: wren } = await api.site.users.create({ login: 'wren', email: 'wren@example.com', roles: ['editor'] })
const { id: sam } = await api.site.users.create({ login: 'sam', email: 'sam@example.com', roles: ['editor'] })
const text = 'Low water is at six in the morning. The boats leave at noon.'
const { data } = await api.call('POST', '/cms/v2/pages', { title: 'Tides', content: text }, { as: wren })
const path = '/cms/v2/pages/{id}'
const page = { id: data.id, context: 'edit' } as const

const { headers } = await api.call('GET', path, page, { as: wren })
const tag = String(headers['ETag'])
await api.call('POST', path, { id: data.id, content: text.replace('six', 'seven') }, { as: sam })

const mine = { id: data.id, title: 'Tides in May', content: text.replace('boats', 'ferries') }
const merged = await api.call('POST', path, mine, { as: wren, merge: tag })
console.log(merged.status, merged.headers['Preference-Applied'], merged.data.title.raw)
console.log(merged.data.content?.raw)

const other = { id: data.id, title: 'Tides in June', content: text }
const refused = await api.call('POST', path, other, { as: sam, merge: tag }).catch((error) => error)
if (isApiError(refused)) console.log(refused.status, JSON.stringify(refused.data['conflicts']))
await api.close()
