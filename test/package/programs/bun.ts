import type { SiteApi } from 'site-api'
import { createBunHandler, serveBun } from 'site-api/bun'

export const handler = (api: SiteApi) => createBunHandler(api)
export const serve = (api: SiteApi) => serveBun(api, { port: 0 })
