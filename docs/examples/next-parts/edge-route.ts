import { createSiteApi, d1 } from 'site-api'
import { createNextHandlers } from 'site-api/next'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })

export const runtime = 'edge'
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
