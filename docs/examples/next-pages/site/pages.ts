/** The site and its pages. */
import { createSiteApi, full } from 'site-api'
import { keepApi } from 'site-api/next'
import { createSitePages } from 'site-api/pages'
import { sqliteStorage } from 'site-api/storage/sqlite'

const { SITE_FILE = 'site.db', SITE_URL = 'http://localhost:3000' } = process.env

export const pages = createSitePages(
  keepApi({ storage: sqliteStorage(SITE_FILE), profile: full, url: SITE_URL }, createSiteApi),
)
