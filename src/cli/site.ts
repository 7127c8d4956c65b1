/** A site without an api in front of it: what `seed`, `export` and `password` work on. */

import { createSiteManagement, type SiteManagement } from '../management/index.ts'
import { wordpress } from '../names/wordpress.ts'
import { d1 } from '../profiles/d1.ts'
import { d2 } from '../profiles/d2.ts'
import { createSettingsReader } from '../site/settings.ts'
import type { Collection, Storage } from '../storage/contract.ts'
import { openStorage } from './storage.ts'

/** Whatever profile the site is served with, its rows belong to one of these. */
const profiles = [d1, d2]

const keepsOfAll = () => profiles.flatMap(({ features }) => features.map(({ persisted }) => persisted))

/** What the features of all profiles declare: a schema that nobody may change later has to know them. */
export const keptCollections = (): Collection[] =>
  keepsOfAll().flatMap(({ collections = [] }) => collections.map(({ collection }) => collection))

export const managementOf = (storage: Storage): SiteManagement =>
  createSiteManagement({
    storage,
    app: { clock: Date.now, settings: createSettingsReader({ root: '/api' }) },
    ready: () => undefined,
    runDue: async () => undefined,
    emit: () => undefined,
    fileWords: wordpress,
    persisted: keepsOfAll(),
  })

/** Opens a storage for the time of some work. */
export async function withSite<T>(
  storageText: string,
  options: { readonly mustExist: boolean },
  work: (site: SiteManagement) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(storageText, options)
  try {
    return await work(managementOf(storage))
  } finally {
    await storage.close?.()
  }
}
