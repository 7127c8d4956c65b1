import type { SiteApi } from 'site-api'
import { type StaticReport, writeStaticSite } from 'site-api/static'

declare const api: SiteApi
export const report: Promise<StaticReport> = writeStaticSite(api, { to: 'public', url: 'https://www.example.com' })
// @ts-expect-error it takes a kind of links
writeStaticSite(api, { to: 'public', links: 'short' })
