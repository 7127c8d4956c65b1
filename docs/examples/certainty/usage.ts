/** Asks who uses a picture, which pages a change would change, and what nothing uses. */
import { createSiteApi, full } from 'site-api'
import { createSitePages } from 'site-api/pages'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
createSitePages(api)
const as = 'system'
const picture = await api.site.media.create({ file: '2026/05/pier.png', mimeType: 'image/png', title: 'Pier' })
const post = { title: 'The pier', status: 'publish', featured_media: picture.id } as const
const { data } = await api.call('POST', '/cms/v2/posts', post, { as })

const { usedBy } = await api.site.usage(`media:${picture.id}`)
for (const { title, parts } of usedBy) console.log(`used by ${title} in ${parts.join(', ')}`)

const change = { id: data.id, featured_media: 0 }
const { dryRun } = await api.call('POST', '/cms/v2/posts/{id}', change, { as, dryRun: true })
console.log(dryRun?.pages?.changed.filter((address) => !/\d{4}/.test(address)).join(' '))

await api.call('POST', '/cms/v2/posts/{id}', change, { as })
const unused = await api.site.usage.orphans('media')
console.log(unused.map(({ title }) => `unused: ${title}`).join('\n'))

await api.close()
