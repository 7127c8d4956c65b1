/** Code of a host against the published types: compiled by the package check, never run. */
import { createSiteApi, full } from 'site-api'
import { createSitePages, type PreviewOptions, previewUrl, type SitePagesOptions } from 'site-api/pages'
import { memoryStorage } from 'site-api/storage/memory'

const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
const options: SitePagesOptions = { locale: 'en-GB', cacheTags: 'Cache-Tag' }
const pages = createSitePages(api, options)

export const GET = (request: Request): Promise<Response> => pages.fetch(request)

export const preview = (id: number, of: PreviewOptions): Promise<string> => previewUrl(api, id, of)
