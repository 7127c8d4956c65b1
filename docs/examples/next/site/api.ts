/** The site of this application: one API per process, also if Next loads this module several times. */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { revalidatePath } from 'next/cache'
import { createSiteApi, d1 } from 'site-api'
import { keepApi } from 'site-api/next'
import { sqliteStorage } from 'site-api/storage/sqlite'

const basePath = process.env.BASE_PATH ?? ''

export const api = keepApi(
  {
    storage: sqliteStorage(process.env.SITE_FILE ?? 'site.db'),
    profile: d1,
    url: process.env.SITE_URL ?? 'http://localhost:3000',
    root: `${basePath}/api`,
  },
  (options) => {
    // The token allows only this process to call its `/renew`.
    const site = { ...createSiteApi(options), renewToken: randomUUID() }
    // These events occur inside a route handler, where Next allows the call.
    for (const change of ['post.created', 'post.updated', 'post.trashed', 'post.deleted'] as const) {
      site.on(change, () => revalidatePath('/'))
    }
    // A timer publishes scheduled posts outside of a route handler, where Next cannot renew pages; the process requests a route
    // for that.
    site.on('post.published', () => renewPages(site.renewToken))
    return site
  },
)

/** Next sets PORT where it serves. By `node:http`: a `fetch` takes part in whatever Next happens to render meanwhile. */
function renewPages(token: string): void {
  const { PORT } = process.env
  if (PORT === undefined) return
  request(`http://127.0.0.1:${PORT}${basePath}/renew`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
    .on('response', (response) => void response.resume())
    .on('error', (error) => console.error('the pages were not made anew', error))
    .end()
}
