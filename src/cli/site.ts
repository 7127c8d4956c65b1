/** Opens a site without an api, for `seed`, `import`, `export` and `password`. */

import type { Storage } from '../contract/storage.ts'
import { defaultPasswordCost } from '../core/runtime/crypto.ts'
import { commandFiles } from '../host/files.ts'
import { unknownShortcodesOf } from '../host/known-shortcodes.ts'
import { undrawnKitSettings, unknownBuiltInWidgets } from '../host/known-widgets.ts'
import { dataOfEverySite } from '../host/stored-data.ts'
import { inOneTransaction } from '../management/context.ts'
import { createSiteManagement, type SiteManagement } from '../management/index.ts'
import { wordpress } from '../names/wordpress.ts'
import { createHttpClient } from '../services/http-client/index.ts'
import { readZip, writeZip } from '../services/zip.ts'
import { SettingsReader } from '../site/settings.ts'
import { profiles } from './profiles.ts'
import { openStorage } from './storage.ts'
import { uploadsOf } from './uploads.ts'

/** The rows of a site belong to features of all profiles, whatever profile it is served with. */
const persistedOfAll = () => [
  dataOfEverySite,
  ...Object.values(profiles).flatMap(({ features }) => features.map(({ persisted }) => persisted)),
]

interface SiteAccess {
  readonly mustExist: boolean
  /** Files may be fetched from addresses that are not public. */
  readonly allowsPrivate?: boolean
}

function managementOf(storage: Storage, storageText: string, { allowsPrivate }: SiteAccess): SiteManagement {
  const app = { clock: Date.now, settings: new SettingsReader({ root: '/api' }), passwordCost: defaultPasswordCost }
  const services = {
    media: uploadsOf(storageText),
    outbound: createHttpClient({ limits: { timeoutMs: 30_000 }, ...(allowsPrivate ? { allow: () => true } : {}) }),
  }
  const persisted = persistedOfAll()
  return createSiteManagement(storage, (inside) => ({
    storage: inside,
    app,
    ready: () => undefined,
    runDue: async () => undefined,
    // No process of the site listens, and its hooks are not known here.
    write: async (work) => inOneTransaction(inside, async (transaction) => work(transaction, () => undefined)),
    fileWords: wordpress,
    readArchive: readZip,
    unknownWidgets: unknownBuiltInWidgets,
    undrawnKitSettings,
    writeArchive: writeZip,
    ...unknownShortcodesOf(),
    ...commandFiles(inside, services),
    persisted,
  }))
}

/** Opens a storage, runs `work`, and closes the storage. */
export async function withSite<T>(
  storageText: string,
  options: SiteAccess,
  work: (site: SiteManagement) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(storageText, options)
  try {
    return await work(managementOf(storage, storageText, options))
  } finally {
    await storage.close?.()
  }
}
