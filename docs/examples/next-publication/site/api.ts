/** The site of this application. */
import { content, createMedia, createSiteApi } from 'site-api'
import { keepApi } from 'site-api/next'
import { sqliteStorage } from 'site-api/storage/sqlite'
import { cookieName, userOf } from './session'

const { SITE_FILE = 'site.db', SITE_UPLOADS = 'uploads', SITE_URL = 'http://localhost:3000' } = process.env

export const api = keepApi(
  {
    storage: sqliteStorage(SITE_FILE),
    profile: content,
    url: SITE_URL,
    services: { media: createMedia({ folder: SITE_UPLOADS }) },
    // Whoever has signed in to the application is a user of the API too: the browser uploads to it.
    authenticate: (request: { header(name: string): string | null | undefined }) =>
      userOf(new RegExp(`(?:^|; )${cookieName}=([^;]+)`).exec(request.header('cookie') ?? '')?.[1]),
  },
  createSiteApi,
)
