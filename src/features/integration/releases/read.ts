/** Reads the changes of a release: each record with its difference to the site, by member, element and word. */
import type { Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { historyOf } from '../history/model.ts'
import { differenceOf, type RecordDifference } from '../history/view.ts'
import { postOf, type ReleaseChange } from './changes.ts'
import { changesOf, readChanges } from './model.ts'
import type { ReleaseConflict } from './plan.ts'
import { siteWith, slugTwins } from './site-with.ts'

/** A record of a release, compared with the site as it is. */
export interface ReleasedRecord extends RecordDifference {
  readonly change: ReleaseChange['change']
  /** Who has changed it last; 0: the program. */
  readonly user: number
  /** ISO, in GMT. */
  readonly at: string
  readonly conflicts: readonly ReleaseConflict[]
}

interface Window {
  readonly offset: number
  readonly limit: number
}

export async function listChanges(
  { app, storage }: { readonly app: AppContext; readonly storage: Storage },
  release: number,
  { offset, limit }: Window,
): Promise<{ readonly rows: readonly ReleasedRecord[]; readonly total: number }> {
  const stored = await readChanges(storage, release)
  const site = await siteWith(app, storage, changesOf(stored))
  const twins = (await slugTwins(site)).map(({ record, slug, other }) => ({
    ...{ record, member: 'slug', base: null, yours: slug, theirs: other },
  }))
  const conflicts = Map.groupBy([...site.open, ...twins], ({ record }) => record)
  const rows: ReleasedRecord[] = []
  const listed = stored.filter(({ record, change }) => postOf(record, change) === undefined)
  for (const { record, change, user, at } of listed.slice(offset, offset + limit)) {
    const difference = await differenceOf(record, storage, site.shown, historyOf(app).scope)
    rows.push({ ...difference, change: change.change, user, at, conflicts: conflicts.get(record) ?? [] })
  }
  return { rows, total: listed.length }
}
