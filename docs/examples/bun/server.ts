/** A Bun application with a page of its own. The site answers below `/api` and is kept in a file. */
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
  // Bun cuts a connection that is silent for 10 s, and some answers take longer: what is fetched from elsewhere.
  idleTimeout: 60,
  routes: { '/': latestPosts },
  fetch: createBunHandler(api),
})

/** Asked inside the process. What the service renders is filtered HTML. */
async function latestPosts(): Promise<Response> {
  const { data: posts } = await api.call<readonly Post[]>('GET', '/cms/v2/posts', { per_page: 10 })
  const lines = posts.map(({ link, title }) => `<li><a href="${link}">${title.rendered}</a></li>`)
  return new Response(`<!doctype html><title>Latest posts</title><ul>${lines.join('')}</ul>`, {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}

// The first start makes somebody who may write.
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
