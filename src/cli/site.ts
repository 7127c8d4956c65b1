/** Opens a site for the commands that manage it. Changes go around its hooks and events; dry runs and options through its observers. */

import type { Storage } from '../contract/storage.ts'
import { defaultPasswordCost } from '../core/runtime/crypto.ts'
import { createSiteApi } from '../host/create-site-api.ts'
import { commandFiles } from '../host/files.ts'
import { beginHistory } from '../host/history.ts'
import { unknownShortcodesOf } from '../host/known-shortcodes.ts'
import { undrawnKitSettings, unknownBuiltInWidgets } from '../host/known-widgets.ts'
import { dataOfEverySite } from '../host/stored-data.ts'
import type { ManagementContext } from '../management/context.ts'
import { inOneTransaction } from '../management/context.ts'
import { createSiteManagement, type ManagedSite } from '../management/index.ts'
import { transfers } from '../management/transfers.ts'
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
  /**
   * `few`: each change is recorded as the running site does it. `many`: the history begins anew, because its rows would take longer than
   * the work, and a seed and an import have the graph of use made anew.
   */
  readonly changes?: 'few' | 'many'
}

function managementOf(storage: Storage, storageText: string, { allowsPrivate }: SiteAccess): ManagedSite {
  const app = { clock: Date.now, settings: new SettingsReader({ root: '/api' }), passwordCost: defaultPasswordCost }
  const services = {
    media: uploadsOf(storageText),
    outbound: createHttpClient({ limits: { timeoutMs: 30_000 }, ...(allowsPrivate ? { allow: () => true } : {}) }),
  }
  const persisted = persistedOfAll()
  const contextOn = (inside: Storage): ManagementContext => ({
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
  })
  return createSiteManagement(storage, contextOn, transfers)
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
    if (options.changes === 'many')
      return await withNewHistory(storage, () => work(managementOf(storage, storageText, options)))
    const written = options.changes === 'few' ? observedStorageOf(storage, storageText) : storage
    return await work(managementOf(written, storageText, options))
  } finally {
    await storage.close?.()
  }
}

/** Work that fails may have written before. */
async function withNewHistory<T>(storage: Storage, work: () => Promise<T>): Promise<T> {
  await beginHistory(storage)
  try {
    return await work()
  } finally {
    await beginHistory(storage)
  }
}

/** The storage as the features of the site observe it. */
const observedStorageOf = (storage: Storage, storageText: string): Storage =>
  fullSite(storage, storageText)['~parts'].storage

const fullSite = (storage: Storage, storageText: string) =>
  createSiteApi({ storage, profile: profiles.full, services: { media: uploadsOf(storageText) } })

/** Runs `work` in a transaction that is rolled back, and says what it would have changed. */
async function tried<T>(storage: Storage, storageText: string, work: (site: ManagedSite) => Promise<T>): Promise<T> {
  const api = fullSite(storage, storageText)
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
