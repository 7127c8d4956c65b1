/** A site in the words that the clients of another CMS know, and one with a word of its own besides. */
import { createSiteApi, d1, type SiteApi, type Storage } from '../../src/index.ts'
import { wordpress } from '../../src/names/wordpress.ts'

export function createApi(storage: Storage): SiteApi {
  const api = createSiteApi({ storage, profile: d1, names: wordpress })
  return api
}

export function createOwnApi(storage: Storage): SiteApi {
  const api = createSiteApi({ storage, profile: d1, names: [['X-CMS-', 'X-Acme-'], ...wordpress] })
  return api
}
