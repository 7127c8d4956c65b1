/** Writes the pages of a site as files. */
import type { SiteApi } from 'site-api'
import { writeStaticSite } from 'site-api/static'

export const writeFiles = (api: SiteApi) =>
  writeStaticSite(api, { to: 'public', url: 'https://www.example.com', server: 'https://cms.example.com' })
