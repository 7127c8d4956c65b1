/** `api.site.usage`: the graph of use, without permissions. */
import type { Storage } from '../../../contract/storage.ts'
import type { RowChange } from '../../../core/changes/row-change.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { postsReached } from './reach.ts'
import {
  type BrokenReference,
  brokenReferences,
  type OrphanKind,
  orphansOf,
  type RecordUse,
  reachedBy,
  recordNamed,
  type Usage,
  usageOf,
} from './read.ts'
import { ensureGraph, repairGraph } from './rebuild.ts'

/** Asks which records of a site use which others. */
export interface SiteUsage {
  /**
   * Returns the records that one uses, and those that use it. A record is `post:12` (or `page:12`, `media:12`, `template:12`, `component:12`), `term:3`,
   * `user:1`, `class:g-1`, `variable:v-1`, `color:primary`, `typography:text`, `option:site_logo`, `file:2026/05/pier.jpg` or
   * `shortcode:gallery`. Rejects with a TypeError for another text.
   *
   * ```ts
   * const { usedBy } = await api.site.usage('media:12')
   * ```
   */
  (record: string): Promise<Usage>
  /** The records that show these ones, also through others: the pages that a change of them reaches. At most 10,000. */
  reachedBy(records: readonly string[]): Promise<RecordUse[]>
  /** The records of a kind that nothing names, oldest first; at most `limit`, by default 100. */
  orphans(kind: OrphanKind, options?: { readonly limit?: number }): Promise<RecordUse[]>
  /** References to records that are not there, oldest first; at most `limit`, by default 100. */
  broken(options?: { readonly limit?: number }): Promise<BrokenReference[]>
  /** Compares the stored graph with the rows of the whole site, repairs it, and returns how many edges differed. */
  repair(): Promise<number>
  /** For `site-api/pages`: the ids of posts that a transaction changes, and of those that show what it changes, nearest first. */
  '~reachedIn'(transaction: Storage, changes: readonly RowChange[]): Promise<number[]>
}

export function createSiteUsage({ storage, app, ready }: ExtensionOptions): SiteUsage {
  const asked = async <T>(answer: () => Promise<T>): Promise<T> => {
    await ready()
    await ensureGraph(storage, app.references)
    return answer()
  }
  const usage = async (record: string) => asked(() => usageOf(storage, named(record)))
  return Object.assign(usage, {
    reachedBy: (records: readonly string[]) => asked(() => reachedBy(storage, records.map(named))),
    orphans: (kind: OrphanKind, { limit = 100 }: { readonly limit?: number } = {}) =>
      asked(() => orphansOf(storage, kind, limit)),
    broken: ({ limit = 100 }: { readonly limit?: number } = {}) => asked(() => brokenReferences(storage, limit)),
    repair: async () => {
      await ready()
      return repairGraph(storage, app.references)
    },
    '~reachedIn': (transaction: Storage, changes: readonly RowChange[]) => postsReached(transaction, changes),
  })
}

function named(text: string): string {
  const record = recordNamed(text)
  if (record === undefined) throw new TypeError(`${JSON.stringify(text)} names no record: write post:12 or class:g-1`)
  return record
}
