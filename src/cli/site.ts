/** Opens a site without an api, for `seed`, `import`, `export` and `password`. */

import type { Storage } from '../contract/storage.ts'
import { defaultPasswordCost } from '../core/runtime/crypto.ts'
import { commandFiles } from '../host/files.ts'
import { unknownShortcodesOf } from '../host/known-shortcodes.ts'
import { undrawnKitSettings, unknownBuiltInWidgets } from '../host/known-widgets.ts'
import { dataOfEverySite } from '../host/stored-data.ts'
import { inOneTransaction } from '../management/context.ts'
import { createSiteManagement, type ManagedSite } from '../management/index.ts'
import { wordpress } from '../names/wordpress.ts'
import { createHttpClient } from '../services/http-client/index.ts'
import { readZip, writeZip } from '../services/zip.ts'
import { SettingsReader } from '../site/settings.ts'
import { profiles } from './profiles.ts'
import { isMissingFile, openStorage } from './storage.ts'
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
  /** Nothing is written: the changes are counted, and rolled back. */
  readonly isDryRun?: boolean
}

function managementOf(storage: Storage, storageText: string, { allowsPrivate }: SiteAccess): ManagedSite {
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
  work: (site: ManagedSite) => Promise<T>,
): Promise<T> {
  // A dry run makes no file: one that is not there is empty.
  const isNew = options.isDryRun && !options.mustExist && isMissingFile(storageText)
  const storage = await openStorage(isNew ? 'memory' : storageText, options)
  if (options.isDryRun) return tried(storage, storageText, work)
  try {
    return await work(managementOf(storage, storageText, options))
  } finally {
    await storage.close?.()
  }
}

/** Runs `work` in a transaction that is rolled back, and says what it would have changed. */
async function tried<T>(storage: Storage, storageText: string, work: (site: ManagedSite) => Promise<T>): Promise<T> {
  const { createSiteApi } = await import('../host/create-site-api.ts')
  const api = createSiteApi({ storage, profile: profiles.full, services: { media: uploadsOf(storageText) } })
  try {
    const { result, changes, complete } = await api.site.dryRun(work)
    const counts = Map.groupBy(changes, ({ record }) => record.store)
    const shown = [...counts].map(([store, { length }]) => `${length} ${store}`).join(', ') || 'nothing'
    const text = `dry run: nothing was written; would change ${complete ? '' : 'at least '}${shown}\n`
    process.stdout.write(text)
    return result
  } finally {
    await api.close()
  }
}
