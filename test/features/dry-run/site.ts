/** A site whose storage and files a test can compare, and whose real changes it sees. */

import type { Storage } from '../../../src/contract/storage.ts'
import type { RowChange } from '../../../src/core/changes/row-change.ts'
import { system } from '../../../src/core/declare/actor.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { type Profile, profile } from '../../../src/core/declare/profile.ts'
import type { ReportedChange } from '../../../src/core/pipeline/dry-run/report.ts'
import { knownDataOf, visibleChanges } from '../../../src/core/pipeline/dry-run/visible-changes.ts'
import { collectionsOf, dataOfEverySite } from '../../../src/host/stored-data.ts'
import { createMedia } from '../../../src/services/media.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'

export interface WatchedSite extends TestSite {
  readonly storage: Storage
  /** All rows and files as a text. */
  digest(): Promise<string>
  /** The changes since the last call, as a report names them. */
  changes(): Promise<ReportedChange[]>
  forget(): void
}

export async function openWatchedSite(base: Profile, options: TestSiteOptions = {}): Promise<WatchedSite> {
  const files = new Map<string, Uint8Array>()
  const made: RowChange[] = []
  const watching = feature('watching', 'quay/v1', [], {
    observer: () => ({ wants: () => true, beforeCommit: ({ changes }) => void made.push(...changes) }),
  })
  const watched = profile({ ...base, features: [...base.features, watching] })
  let storage: Storage | undefined
  const site = await createTestSite({
    profile: watched,
    ...options,
    storage: (opened) => {
      storage = opened
      return opened
    },
    services: {
      media: createMedia({
        driver: {
          getItem: () => null,
          getItemRaw: (key) => files.get(key) ?? null,
          setItemRaw: (key, bytes) => void files.set(key, bytes),
          removeItem: (key) => void files.delete(key),
        },
      }),
      ...options.services,
    },
  })
  // The cast: the site has opened it.
  const opened = storage as unknown as Storage
  const known = knownDataOf([dataOfEverySite, ...watched.features.map(({ persisted }) => persisted)])
  return {
    ...site,
    storage: opened,
    digest: async () =>
      JSON.stringify([await rowsOf(opened, watched), [...files].map(([key, { length }]) => [key, length])]),
    forget: () => void made.splice(0),
    changes: async () => visibleChanges(merged(made.splice(0)), system, opened, known),
  }
}

const ids = Array.from({ length: 3000 }, (_, at) => at + 1)
const all = { order: { by: 'id', descending: false }, offset: 0, limit: 100_000 } as const

async function rowsOf(storage: Storage, { features }: Profile): Promise<unknown[]> {
  const { options, terms, users, meta, posts, records } = storage
  // A storage may list options in any order: in memory, one that a rollback restores is the last.
  const named = Object.entries(await options.read()).sort(([one], [other]) => (one < other ? -1 : 1))
  const rows: unknown[] = [named, await posts.read(ids), await terms.of(ids)]
  rows.push((await terms.query(all)).rows, (await users.query(all)).rows)
  for (const owner of ['post', 'term', 'user'] as const) rows.push(await meta.read(owner, ids))
  for (const collection of collectionsOf({ features })) rows.push((await records.query(collection, {})).rows)
  return rows
}

/** The changes of several transactions as those of one. */
function merged(changes: readonly RowChange[]): RowChange[] {
  const byRow = new Map<string, RowChange>()
  for (const change of changes) {
    const { before, after, ...subject } = change
    const key = JSON.stringify(subject)
    const earlier = byRow.get(key)
    // The cast: both are changes of one row.
    byRow.set(key, { ...subject, ...images(earlier ? earlier.before : before, after) } as RowChange)
  }
  return [...byRow.values()]
}

const images = (before: unknown, after: unknown) => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})
