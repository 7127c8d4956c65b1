/** A Bun application with a page. The API is served below `/api`; the site is stored in a file. */
import { createSiteApi, d1 } from 'site-api'
import { createBunHandler } from 'site-api/bun'
import { sqliteStorage } from 'site-api/storage/sqlite'

interface Post {
  readonly link: string
  readonly title: { readonly rendered: string }
}

const { PORT = '3000', SITE_FILE = 'site.db', SITE_URL = `http://localhost:${PORT}` } = process.env

const api = createSiteApi({ storage: sqliteStorage(SITE_FILE), profile: d1, url: SITE_URL })

const server = Bun.serve({
  port: Number(PORT),
  // Bun closes a connection after 10 s of silence, and responses that wait for other servers can take longer.
  idleTimeout: 60,
  routes: { '/': latestPosts },
  fetch: createBunHandler(api),
})

/** Reads inside the process. Rendered HTML is filtered. */
async function latestPosts(): Promise<Response> {
  const { data: posts } = await api.call<readonly Post[]>('GET', '/cms/v2/posts', { per_page: 10 })
  const lines = posts.map(({ link, title }) => `<li><a href="${link}">${title.rendered}</a></li>`)
  return new Response(`<!doctype html><title>Latest posts</title><ul>${lines.join('')}</ul>`, {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}

// The first start creates a user who can write.
if (await api.site.isEmpty()) {
  const { id } = await api.site.users.create({ login: 'wren', roles: ['editor'] })
  const { password } = await api.site.passwords.create(id, 'first start')
  console.log(`sign in as wren with ${password}`)
}
console.log(`listening on ${server.url.origin}${api.root}`)

process.once('SIGTERM', async () => {
  await server.stop()
  await api.close()
})
