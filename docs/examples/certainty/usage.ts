/** Asks who uses a picture and what a change of it reaches, and finds what nothing uses. */
import { createSiteApi, full } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
const as = 'system'
const picture = await api.site.media.create({ file: '2026/05/pier.png', mimeType: 'image/png', title: 'Pier' })
const post = { title: 'The pier', status: 'publish', featured_media: picture.id } as const
const { data } = await api.call('POST', '/cms/v2/posts', post, { as })

const { usedBy } = await api.site.usage(`media:${picture.id}`)
for (const { title, parts } of usedBy) console.log(`used by ${title} in ${parts.join(', ')}`)

await api.call('POST', '/cms/v2/posts/{id}', { id: data.id, featured_media: 0 }, { as })
const unused = await api.site.usage.orphans('media')
console.log(unused.map(({ title }) => `unused: ${title}`).join('\n'))

await api.close()
