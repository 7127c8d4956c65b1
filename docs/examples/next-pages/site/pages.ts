/** The site, made once per process. */
import { createSiteApi, full } from 'site-api'
import { createSitePages, type SitePages } from 'site-api/pages'
import { sqliteStorage } from 'site-api/storage/sqlite'

const { SITE_FILE = 'site.db', SITE_URL = 'http://localhost:3000' } = process.env

const createPages = (): SitePages =>
  createSitePages(createSiteApi({ storage: sqliteStorage(SITE_FILE), profile: full, url: SITE_URL }))

// The cast: a hot reload runs this module again, and finds the pages of the first run here.
const kept = globalThis as typeof globalThis & { sitePages?: SitePages }
kept.sitePages ??= createPages()
export const pages = kept.sitePages
