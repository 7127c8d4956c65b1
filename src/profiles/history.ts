/** Joins the history with its page, and with the reads as of a moment. */
import type { BroughtServices } from '../core/declare/feature.ts'
import { history } from '../features/integration/history/index.ts'
import { type HistorySlot, storagesAt } from '../features/integration/history/model.ts'
import { historyReads } from '../features/integration/history/page.ts'
import { historyPage } from '../pages/history/index.ts'
import { storageAsOf } from '../storage/as-of/index.ts'

const past: Pick<HistorySlot, 'storageAsOf' | 'storagesAt'> = {
  storageAsOf: async (storage, then) => storageAsOf(storage, then),
  storagesAt,
}

const services: BroughtServices = { past: () => past, historyPage: () => historyPage(historyReads) }

/**
 * Keeps each change of the site, reads it as of a moment, compares two moments and restores one: over HTTP below
 * `site-api/v1/history`, and as `api.site.history`.
 *
 * ```ts
 * import { content, historyFeatures, profile } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, ...historyFeatures] })
 * ```
 */
export const historyFeatures = [{ ...history, services }] as const
