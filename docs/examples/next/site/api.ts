/** The site of this application: one API per process, also if Next loads this module several times. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { revalidateTag } from 'next/cache'
import { createSiteApi, d1 } from 'site-api'
import { keepApi, revalidateChanges } from 'site-api/next'
import { sqliteStorage } from 'site-api/storage/sqlite'

const basePath = process.env.BASE_PATH ?? ''

export const api = keepApi(
  {
    storage: sqliteStorage(process.env.SITE_FILE ?? 'site.db'),
    profile: d1,
    url: process.env.SITE_URL ?? 'http://localhost:3000',
    root: `${basePath}/api`,
    // Answers name what they are made from, and changes what they touch.
    cacheTags: {},
  },
  (options) => {
    const site = createSiteApi(options)
    // The token allows only this process to call its `/renew`.
    const renewToken = randomUUID()
    // A timer publishes scheduled posts outside of a route handler, where Next cannot renew pages; the process requests a route
    // for that.
    const revalidate = revalidateChanges(site, revalidateTag, { later: () => renewPages(renewToken) })
    return { ...site, renewToken, revalidate }
  },
)

/** Next sets PORT where it serves. By `node:http`: a `fetch` takes part in whatever Next happens to render meanwhile. */
async function renewPages(token: string): Promise<void> {
  const { PORT } = process.env
  if (PORT === undefined) return
  const headers = { authorization: `Bearer ${token}` }
  const sent = request(`http://127.0.0.1:${PORT}${basePath}/renew`, { method: 'POST', headers }).end()
  const [response] = await once(sent, 'response')
  response.resume()
}
