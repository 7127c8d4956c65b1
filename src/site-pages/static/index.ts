/** Exports `site-api/static`, which writes the pages of a site as files that any web server can serve. */
import type { MediaDriver } from '../../services/media-driver.ts'
import type { PagesApi } from '../api.ts'
import type { SitePagesOptions } from '../options.ts'
import type { StaticProgress } from './run.ts'
import { type StaticReport, writeSite } from './site.ts'

export type { StaticProgress } from './run.ts'
export type { StaticReport } from './site.ts'
export { StaticSiteError } from './visits.ts'

/** The options of `writeStaticSite`. */
export interface StaticOptions {
  /** A folder, created if it is missing; or a store of files, such as `s3Media(…)`. */
  readonly to: string | MediaDriver
  /** The address under which the home page will be served, with a path if the files are below one. Default: that of the site. */
  readonly url?: string
  /** The address of the running site, to which forms, comments and searches go. Default: that of the site. */
  readonly server?: string
  /** How pages link each other. `absolute`: with `url`. Default: `relative`, which works under every address. */
  readonly links?: 'relative' | 'absolute'
  /** The options of `createSitePages`. */
  readonly pages?: SitePagesOptions
  /** True: asks the site for every page, whatever the last run has left. Default: false. */
  readonly whole?: boolean
  /** The version of your own code, such as shortcodes: another one asks for every page. Default: none. */
  readonly version?: string
  /** Gets the number of addresses or files that are done, and of those that are known to wait. */
  readonly onProgress?: (progress: StaticProgress) => void
}

/**
 * Writes every page, list, feed, sheet, script and picture of the site that visitors may see, its redirects and the page of missing
 * addresses. A second run asks for the pages that changes since the last one touch, writes the files that have changed, and removes those
 * whose addresses are gone. Forms, comments and searches go to `server`.
 *
 * ```ts
 * const report = await writeStaticSite(api, { to: 'public', url: 'https://www.example.com', server: 'https://cms.example.com' })
 * ```
 *
 * Throws a TypeError for a wrong option, and a `StaticSiteError` when the site answers a page with a failure.
 */
export async function writeStaticSite(api: PagesApi, options: StaticOptions): Promise<StaticReport> {
  const { to, url, server, links = 'relative', pages = {}, version, onProgress = () => undefined } = options
  for (const [name, value] of Object.entries({ url, server })) {
    if (value !== undefined && !/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')) {
      throw new TypeError(`${name} must be an address like https://www.example.com, not "${value}"`)
    }
  }
  if (!['relative', 'absolute'].includes(links))
    throw new TypeError(`links must be "relative" or "absolute", not "${links}"`)
  const files = typeof to === 'string' ? (await import('../../services/media-folder.ts')).folderMedia(to) : to
  return writeSite(api, {
    files,
    url,
    server,
    isRelative: links === 'relative',
    isWhole: options.whole === true,
    version,
    pages,
    onProgress,
  })
}
