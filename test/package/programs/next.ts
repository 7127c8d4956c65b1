import type { SiteApi } from 'site-api'
import { wordpress } from 'site-api/names'
import { createNextHandlers, type NextDiscovery, nextDiscovery } from 'site-api/next'

export const handlers = (api: SiteApi) => createNextHandlers(api)
export const respond = (api: SiteApi): unknown => handlers(api).GET
export const config: NextDiscovery = nextDiscovery({ url: 'https://example.org', root: '/wp-json', names: wordpress })
