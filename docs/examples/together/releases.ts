/** A release: two editors prepare changes, one conflict is decided, all is published, and undone. */
import { createSiteApi, full, isApiError } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const clock = () => Date.parse('2026-11-20T10:00:00Z')
const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com', clock })
const { id: wren } = await api.site.users.create({ login: 'wren', email: 'wren@example.com', roles: ['administrator'] })
const { id: sam } = await api.site.users.create({ login: 'sam', email: 'sam@example.com', roles: ['editor'] })
const { data: page } = await api.call('POST', '/cms/v2/pages', { title: 'Tides', status: 'publish' }, { as: wren })
const { id } = page

const { id: release } = await api.site.releases.create('Summer', { as: wren })
await api.call('POST', '/cms/v2/pages/{id}', { id, title: 'Summer tides' }, { as: sam, release })
const news = { title: 'The pier opens', status: 'publish' } as const
await api.call('POST', '/cms/v2/posts', news, { as: sam, release })
const title = async (options: { release?: number } = {}) =>
  (await api.call('GET', '/cms/v2/pages/{id}', { id }, { as: wren, ...options })).data.title.rendered
console.log('the site:', await title(), '| the release:', await title({ release }))

await api.call('POST', '/cms/v2/pages/{id}', { id, title: 'Tides today' }, { as: wren })
const refused = await api.site.releases.publish(release).catch((error) => error)
if (isApiError(refused)) console.log(refused.status, JSON.stringify(refused.data['conflicts']))

const decide = { [`post:${id} title`]: 'release' } as const
const published = await api.site.releases.publish(release, { decide, as: wren })
console.log(published.release.state, published.records.join(' '), '|', await title())
const undone = await api.site.releases.undo(release, { as: wren })
console.log(undone.release.state, '|', await title())
await api.close()
