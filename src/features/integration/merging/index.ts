/** Merges stale writes: changes of an older version of a record with those that others have saved meanwhile. */
import { feature } from '../../../core/declare/feature.ts'
import type { MergeStale } from '../../../core/pipeline/stale-writes/stale-write.ts'
import { mergeStale } from './merge.ts'

declare module '../../../core/declare/contributions.ts' {
  interface Contributions {
    /** Merges writes of older versions; the pipeline asks the first one. */
    readonly staleWrites: MergeStale
  }
}

const merging = feature('merging', 'site-api/v1', [], { contributes: { staleWrites: [mergeStale] } })

/**
 * A write that names an older version is merged instead of refused, for clients that send `Prefer: merge`: by element, member and word.
 * The version that was read is found in the history; without `historyFeatures` a client names a revision.
 *
 * ```ts
 * import { content, historyFeatures, mergeFeatures, profile } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, ...historyFeatures, ...mergeFeatures] })
 * ```
 */
export const mergeFeatures = [merging] as const
