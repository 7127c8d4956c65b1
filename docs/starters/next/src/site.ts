/** The site of this process, made once also where Next loads this module several times. Its data is in the folder `data`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { revalidateTag } from 'next/cache'
import { createMedia, createSiteApi } from 'site-api'
import { keepApi, revalidateChanges } from 'site-api/next'
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
  // Each change touches the tag `site`. What a timer publishes is seen with the next request of the API, or within a minute.
  return { ...made, revalidate: revalidateChanges(made, revalidateTag) }
})

/** The pages that this application does not draw itself: pages, archives, search, feeds, uploaded files. */
export const pages = createSitePages(api)
