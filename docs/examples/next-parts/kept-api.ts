import { createSiteApi, d1 } from 'site-api'
import { keepApi } from 'site-api/next'
import { sqliteStorage } from 'site-api/storage/sqlite'

export const api = keepApi({ storage: sqliteStorage('site.db'), profile: d1 }, createSiteApi)
