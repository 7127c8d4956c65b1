/** Calls of the site by its own application, without HTTP. */
import { createSiteApi, d1, isApiError } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })

const off = api.on('post.published', ({ post }) => console.log(`published: ${post.title}`))

const wren = await api.site.users.create({ login: 'wren', roles: ['author'] })
const { password } = await api.site.passwords.create(wren.id, 'My client')
console.log(`wren signs in with ${password.length} characters`)

const post = { title: 'High tide', status: 'publish' } as const
const made = await api.call('POST', '/cms/v2/posts', post, { as: wren.id })
console.log(made.status, made.data.slug)

const list = await api.call('GET', '/cms/v2/posts', { per_page: 5 })
console.log(`${list.headers['X-CMS-Total']} post for a visitor`)

try {
  await api.call('DELETE', '/cms/v2/posts/{id}', { id: made.data.id })
} catch (error) {
  if (isApiError(error)) console.log(error.status, error.code)
}

const { info, paths } = await api.openapi()
console.log(`${info.title}: ${Object.keys(paths['/cms/v2/posts'] ?? {}).join(', ')}`)

const copy = await api.site.export()
console.log(Object.keys(copy).join(', '))

off()
await api.close()
