/** Code of a host against the published types: compiled by the package check, never run. */
import { createSiteApi, d1, d2, isApiError, type SiteApi } from 'site-api'
import { createBunHandler, serveBun } from 'site-api/bun'
import { createClient } from 'site-api/client'
import { createExpressHandler } from 'site-api/express'
import { createNextHandlers } from 'site-api/next'
import { createNodeHandler, serveNode } from 'site-api/node'
import { memoryStorage } from 'site-api/storage/memory'
import { postgresStorage } from 'site-api/storage/postgres'
import { sqliteStorage } from 'site-api/storage/sqlite'

declare module 'site-api' {
  interface EventPayloads {
    'magazine.printed': { readonly id: number }
  }
}

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
const others: readonly SiteApi[] = [
  createSiteApi({ storage: sqliteStorage('site.db', { durability: 'normal' }), profile: d2 }),
  createSiteApi({ storage: postgresStorage('postgres://localhost/site'), profile: d2 }),
]

api.on('post.published', ({ post }) => post.title.toUpperCase())
api.on('user.created', ({ id }) => id.toFixed())
api.on('magazine.printed', ({ id }) => id.toFixed())
// @ts-expect-error there is no such event
api.on('nobody.knows', () => undefined)
// @ts-expect-error a file has a name
sqliteStorage(1)

export const mounted = [
  createNodeHandler(api),
  createExpressHandler(api),
  createBunHandler(api),
  createNextHandlers(api).GET,
]
export const served = others.map((each) => [serveNode(each), serveBun(each, { port: 0 })])
export const client = createClient({ url: 'https://example.com/api' })

export async function statusOf(): Promise<number> {
  try {
    return (await api.call('GET', '/cms/v2/posts', { per_page: 5 })).status
  } catch (error) {
    return isApiError(error) ? error.status : 500
  }
}
