/** A site with the names that clients of another CMS expect, and one with an additional name. */
import { createSiteApi, d1, type SiteApi, type Storage } from 'site-api'
import { wordpress } from 'site-api/names'

export function createApi(storage: Storage): SiteApi {
  const api = createSiteApi({ storage, profile: d1, names: wordpress })
  return api
}

export function createOwnApi(storage: Storage): SiteApi {
  const api = createSiteApi({ storage, profile: d1, names: [['X-CMS-', 'X-Acme-'], ...wordpress] })
  return api
}
