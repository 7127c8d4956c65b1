/** Releases as they are stored: reading them, their states, and who may use them. */
import type { Json, Storage, StoredRecord } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { postOf, type ReleaseChange } from './changes.ts'
import { releaseChanges, releases } from './collections.ts'

export const releaseStates = ['draft', 'in_review', 'approved', 'published', 'undone'] as const
export type ReleaseState = (typeof releaseStates)[number]

/** A release: a named set of changes. Users are ids, 0: the program; times are ISO, in GMT. */
export interface Release {
  readonly id: number
  readonly name: string
  readonly note: string
  readonly state: ReleaseState
  readonly createdBy: number
  readonly createdAt: string
  /** When its changes have changed last. */
  readonly changedAt: string
  readonly approvedBy: number | null
  readonly approvedAt: string | null
  readonly publishedBy: number | null
  readonly publishedAt: string | null
  readonly undoneAt: string | null
  readonly publishAt: string | null
  /** The conflicts because of which it was not published at its time. */
  readonly failure: Json
}

/** Whoever may change the posts of others may make releases, write to them and read them. */
export const releaseCapability = 'edit_others_posts'

export function requireReleases(user: Actor): void {
  if (!user.can(releaseCapability)) throw forbidden(user, 'release_forbidden', 'Releases are for editors.')
}

const noRelease = () => new ApiError('release_not_found', 'There is no such release.', 404)

export async function findRelease(storage: Storage, id: number): Promise<StoredRecord> {
  const { rows } = await storage.records.query(releases, { where: { field: 'id', is: id } })
  if (!rows[0]) throw noRelease()
  return rows[0]
}

/** Throws 409 for one that is published: no read would show a write to it. */
export function requireOpen(release: StoredRecord): void {
  if (release['state'] === 'published') {
    throw new ApiError('release_published', 'This release is published: undo it first, or make another one.', 409)
  }
}

/** The id of a release that a request names. */
export function idOfName(name: string): number {
  const id = /^[1-9]\d{0,15}$/.test(name) ? Number(name) : 0
  if (!Number.isSafeInteger(id) || id === 0) {
    throw new ApiError('release_invalid', 'A release is named by its id, such as 12.', 400)
  }
  return id
}

/** One record of a release, with the id of its row. */
export interface StoredChange {
  readonly row: number
  readonly record: string
  readonly change: ReleaseChange
  readonly undo: ReleaseChange | null
  readonly user: number
  readonly at: string
}

/** In the order in which the records were changed first. */
export async function readChanges(storage: Storage, release: number): Promise<StoredChange[]> {
  const { rows } = await storage.records.query(releaseChanges, { where: { field: 'release', is: release } })
  return rows.map((row) => ({
    row: row.id,
    record: String(row['record']),
    // The casts: only this feature writes them.
    change: row['change'] as ReleaseChange,
    undo: row['undo'] as ReleaseChange | null,
    user: Number(row['user']),
    at: textOf(row['at']) ?? '',
  }))
}

export const changesOf = (stored: readonly StoredChange[]): ReadonlyMap<string, ReleaseChange> =>
  new Map(stored.map(({ record, change }) => [record, change]))

const textOf = (time: Json | undefined): string | null =>
  typeof time === 'number' ? new Date(time).toISOString() : null
const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)

export const releaseOf = (row: StoredRecord): Release => ({
  id: row.id,
  name: String(row['name']),
  note: String(row['note']),
  // The cast: only this feature writes it.
  state: row['state'] as ReleaseState,
  createdBy: Number(row['createdBy']),
  createdAt: textOf(row['createdAt']) ?? '',
  changedAt: textOf(row['changedAt']) ?? '',
  approvedBy: numberOf(row['approvedBy']),
  approvedAt: textOf(row['approvedAt']),
  publishedBy: numberOf(row['publishedBy']),
  publishedAt: textOf(row['publishedAt']),
  undoneAt: textOf(row['undoneAt']),
  publishAt: textOf(row['publishAt']),
  failure: row['failure'] ?? null,
})

export async function createRelease(
  storage: Storage,
  {
    name,
    note,
    user,
    now,
  }: { readonly name: string; readonly note: string; readonly user: number; readonly now: number },
): Promise<Release> {
  const times = { createdBy: user, createdAt: now, changedAt: now }
  const [id = 0] = await storage.records.insert(releases, [{ name, note, state: 'draft', ...times }])
  return releaseOf(await findRelease(storage, id))
}

export async function removeRelease(storage: Storage, id: number): Promise<void> {
  await storage.records.remove(releaseChanges, { field: 'release', is: id })
  await storage.records.remove(releases, { field: 'id', is: id })
}

/** A change ends the review: what was approved is no longer what would be published. */
export async function markChanged(storage: Storage, id: number, now: number): Promise<void> {
  const changes = { state: 'draft', changedAt: now, approvedBy: null, approvedAt: null }
  await storage.records.update(releases, [{ id, changes }])
}

/** Takes a record out, and the revisions of a post with it. Throws 404 where the release does not change it. */
export async function dropChange(storage: Storage, release: number, record: string): Promise<void> {
  const stored = await readChanges(storage, release)
  if (!stored.some((one) => one.record === record)) {
    throw new ApiError('release_no_change', 'The release does not change this record.', 404)
  }
  const dropped = stored.filter((one) => one.record === record || `post:${postOf(one.record, one.change)}` === record)
  await storage.records.remove(releaseChanges, { field: 'id', in: dropped.map(({ row }) => row) })
}
