/**
 * Creates the sites that hosts mount, by name, so that a host in another process can create the same one. Each is fresh,
 * on memory storage, with a clock that does not move.
 */

import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import type { SiteApiOptions } from '../../src/host/site-options.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { siteWithPassword } from '../support/password-site.ts'
import { now } from '../support/small-site.ts'
import { createEcho } from './echo.ts'

export type SiteName = 'echo' | 'd1' | 'd2'

/** The options that can be sent to another process as JSON. */
export type SiteOptions = Pick<SiteApiOptions, 'root' | 'url' | 'cors' | 'names' | 'docs'>

export interface NamedSite {
  readonly api: SiteApi
  /** Ids by key, as the seed gave them out: the same in every process. */
  readonly ids: { readonly [reference: string]: number }
}

/** The stored options; an option `url` has precedence over them. */
export const siteUrl = 'https://quay.example'

export async function createNamedSite(name: SiteName, options: SiteOptions = {}): Promise<NamedSite> {
  const echo = createEcho()
  const api = createSiteApi({
    ...{ storage: memoryStorage(), profile: { echo: echo.profile, d1, d2 }[name], clock: () => now },
    ...(name === 'echo' ? { limits: { bodyBytes: 1000 } } : {}),
    log: echo.log,
    // No test writes files where it was started.
    services: { media: createMedia({ driver: memoryMedia() }) },
    ...options,
  })
  return {
    api,
    ids: await api.site.seed(JSON.parse(JSON.stringify(siteWithPassword).replaceAll('{base_url}', siteUrl))),
  }
}
