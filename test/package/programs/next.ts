import type { SiteApi } from 'site-api'
import { createNextHandlers } from 'site-api/next'

export const handlers = (api: SiteApi) => createNextHandlers(api)
export const respond = (api: SiteApi): unknown => handlers(api).GET
