/** Tells the history of a site which records it keeps. The feature brings how the site is read as of a moment. */

import type { Storage } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import type { Feature, PersistedData } from '../core/declare/feature.ts'
import { historySince } from '../features/integration/history/collections.ts'
import type { HistorySlot } from '../features/integration/history/model.ts'
import { defaultRetention, type HistoryRetention } from '../features/integration/history/record.ts'

interface Parts {
  readonly features: readonly Feature[]
  readonly persisted: readonly PersistedData[]
  readonly services: AppContext['services']
  readonly retention: Partial<HistoryRetention> | undefined
}

/** Undefined in profiles without the feature. */
export function historySlot({ features, persisted, services, retention }: Parts): HistorySlot | undefined {
  // The cast: the feature brings it under this name.
  const reads = services['past'] as Pick<HistorySlot, 'storageAsOf' | 'storagesAt'> | undefined
  if (!reads) return undefined
  const historical = new Set(features.flatMap(({ name, isHistorical }) => (isHistorical ? [name] : [])))
  const own = persisted.flatMap(({ options = [] }) => options)
  const collections = persisted.flatMap(({ collections = [] }) => collections.filter((one) => one.isHistorical))
  return {
    isHistorical: (feature) => historical.has(feature),
    ...reads,
    retention: { ...defaultRetention, ...retention },
    scope: {
      collections: new Map(collections.map(({ collection }) => [collection.name, collection])),
      // Rights are never restored, nor is what features keep for themselves: locks, keys, positions.
      leftOutOptions: new Set([...own.map(({ name }) => name), historySince.name, 'roles']),
      derivedOptions: own.filter(({ isDerived }) => isDerived).map(({ name }) => name),
    },
  }
}

/** Moments before now can no longer be read. A site without a history stays so. */
export async function beginHistory(storage: Storage): Promise<void> {
  const { name } = historySince
  const { [name]: since } = await storage.options.read([name])
  if (since !== undefined) await storage.options.write({ [name]: new Date().toISOString() })
}
