/** Tells the history of a site which records it keeps, and gives it the storage as of a moment, which is loaded late. */

import type { Storage } from '../contract/storage.ts'
import type { Feature, PersistedData } from '../core/declare/feature.ts'
import { historySince } from '../features/integration/history/collections.ts'
import type { HistorySlot } from '../features/integration/history/model.ts'
import { defaultRetention, type HistoryRetention } from '../features/integration/history/record.ts'
import { storageAsOf } from '../storage/as-of/index.ts'

interface Parts {
  readonly features: readonly Feature[]
  readonly persisted: readonly PersistedData[]
  readonly retention: Partial<HistoryRetention> | undefined
}

export const hasHistory = (features: readonly Feature[]): boolean =>
  features.some(({ name, namespace }) => name === 'history' && namespace === 'site-api/v1')

/** Undefined in profiles without the feature. */
export function historySlot({ features, persisted, retention }: Parts): HistorySlot | undefined {
  if (!hasHistory(features)) return undefined
  const historical = new Set(features.flatMap(({ name, isHistorical }) => (isHistorical ? [name] : [])))
  const own = persisted.flatMap(({ options = [] }) => options)
  const collections = persisted.flatMap(({ collections = [] }) => collections.filter((one) => one.isHistorical))
  return {
    isHistorical: (feature) => historical.has(feature),
    storageAsOf: async (storage, past) => storageAsOf(storage, past),
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
