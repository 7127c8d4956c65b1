/** A site without an api: `seed`, `import`, `export` and `password` work on it. */

import { createSiteManagement, type SiteManagement } from '../management/index.ts'
import { wordpress } from '../names/wordpress.ts'
import { d1 } from '../profiles/d1.ts'
import { d2 } from '../profiles/d2.ts'
import { createSettingsReader } from '../site/settings.ts'
import type { Collection, Storage } from '../storage/contract.ts'
import { openStorage } from './storage.ts'

/** The rows of a site belong to features of these profiles, whatever profile it is served with. */
const profiles = [d1, d2]

const persistedOfAll = () => profiles.flatMap(({ features }) => features.map(({ persisted }) => persisted))

/** The collections of all profiles; `migrate` creates them for storages that are opened with `migrate: false`. */
export const persistedCollections = (): Collection[] =>
  persistedOfAll().flatMap(({ collections = [] }) => collections.map(({ collection }) => collection))

const managementOf = (storage: Storage): SiteManagement =>
  createSiteManagement({
    storage,
    app: { clock: Date.now, settings: createSettingsReader({ root: '/api' }) },
    ready: () => undefined,
    runDue: async () => undefined,
    emit: () => undefined,
    fileWords: wordpress,
    persisted: persistedOfAll(),
  })

/** Opens a storage, runs `work`, and closes the storage. */
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
