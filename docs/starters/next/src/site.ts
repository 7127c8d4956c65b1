/** The site of this process, made once also where Next loads this module several times. Its data is in the folder `data`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { revalidateTag } from 'next/cache'
import { createMedia, createSiteApi } from 'site-api'
import { keepApi } from 'site-api/next'
import { createSitePages } from 'site-api/pages'
import { sqliteStorage } from 'site-api/storage/sqlite'
import { site } from './content.ts'

export const url = process.env.URL ?? `http://localhost:${process.env.PORT ?? 3000}`
export const data = process.env.DATA ?? 'data'

mkdirSync(data, { recursive: true })

const options = {
  storage: sqliteStorage(join(data, 'site.db')),
  profile: site,
  url,
  // Shows every route at /api/docs.
  docs: true,
  services: { media: createMedia({ folder: join(data, 'uploads') }) },
}

export const api = keepApi(options, (given) => {
  const made = createSiteApi(given)
  // These events occur inside a route handler, where Next allows the call. What a timer publishes is seen within a minute.
  for (const change of ['post.created', 'post.updated', 'post.trashed', 'post.deleted'] as const) {
    made.on(change, () => revalidateTag('site', { expire: 0 }))
  }
  return made
})

/** The pages that this application does not draw itself: pages, archives, search, feeds, uploaded files. */
export const pages = createSitePages(api)
