/** The site of this process. Its data is in the folder `data`, which `DATA` moves. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createMedia, createSiteApi } from 'site-api'
import { createSitePages } from 'site-api/pages'
import { sqliteStorage } from 'site-api/storage/sqlite'
import { site } from './content.ts'

export const port = Number(process.env.PORT ?? 3000)
/** `0.0.0.0` in a container: by default only this machine reaches the site. */
export const host = process.env.HOST ?? '127.0.0.1'
export const url = process.env.URL ?? `http://localhost:${port}`
export const data = process.env.DATA ?? 'data'

mkdirSync(data, { recursive: true })

export const api = createSiteApi({
  storage: sqliteStorage(join(data, 'site.db')),
  profile: site,
  url,
  // Shows every route at /api/docs.
  docs: true,
  services: { media: createMedia({ folder: join(data, 'uploads') }) },
})

/** The pages of the site: posts, pages, archives, search, feeds, uploaded files. */
export const pages = createSitePages(api)
