/** Tokens that show a release to whoever has one: they are random, kept as digests, end by themselves, and can be taken back. */
import type { Json, Storage, StoredRecord } from '../../../contract/storage.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { randomId, randomToken, sameDigest, sha256Of } from '../../../core/runtime/crypto.ts'
import { releases } from './collections.ts'
import { findRelease, idOfName } from './model.ts'

/** A type, because an interface is no `Json`. */
type StoredPreview = {
  readonly id: string
  readonly digest: string
  /** Milliseconds since 1970. */
  readonly until: number
  readonly user: number
}

/** A preview without its token, which is shown once. */
interface ReleasePreview {
  readonly id: string
  /** ISO, in GMT. */
  readonly until: string
  /** Who has made it; 0: the program. */
  readonly user: number
}

const maxPreviews = 20
const dayMs = 24 * 60 * 60 * 1000

// The cast: only this file writes them.
const storedIn = (release: StoredRecord) => (release['previews'] ?? []) as readonly StoredPreview[]

export const previewsOf = (release: StoredRecord, now: number): readonly ReleasePreview[] =>
  storedIn(release)
    .filter(({ until }) => until > now)
    .map(({ id, until, user }) => ({ id, until: new Date(until).toISOString(), user }))

/** A preview as it is made, with its token. */
export interface NewReleasePreview extends ReleasePreview {
  /** Takes the place of the id in requests. Only its digest is stored. */
  readonly token: string
  /** Shows the pages of the site with the release. */
  readonly url: string
}

interface PreviewOptions {
  readonly now: number
  readonly days: number
  readonly user: number
  /** The address of the site. */
  readonly home: string
}

export async function addPreview(
  storage: Storage,
  release: StoredRecord,
  { now, days, user, home }: PreviewOptions,
): Promise<NewReleasePreview> {
  const kept = storedIn(release).filter(({ until }) => until > now)
  if (kept.length >= maxPreviews) {
    throw new ApiError(
      'release_too_many_previews',
      `A release has at most ${maxPreviews} previews: end one first.`,
      409,
    )
  }
  const token = `${release.id}.${randomToken()}`
  const made: StoredPreview = { id: randomId(), digest: sha256Of(token), until: now + days * dayMs, user }
  await writePreviews(storage, release.id, [...kept, made])
  return { id: made.id, token, until: new Date(made.until).toISOString(), user, url: `${home}/?release=${token}` }
}

export async function endPreview(storage: Storage, release: StoredRecord, id: string): Promise<void> {
  const stored = storedIn(release)
  if (!stored.some((one) => one.id === id)) throw new ApiError('release_no_preview', 'There is no such preview.', 404)
  await writePreviews(
    storage,
    release.id,
    stored.filter((one) => one.id !== id),
  )
}

const writePreviews = (storage: Storage, id: number, previews: readonly StoredPreview[]) =>
  storage.records.update(releases, [{ id, changes: { previews: previews as Json } }])

export const isToken = (name: string): boolean => name.includes('.')

/** Returns the id of the release. Throws 403 for a token that ended, was taken back, or was not made here. */
export async function openToken(storage: Storage, token: string, now: number): Promise<number> {
  const refused = new ApiError('release_no_preview', 'This preview has ended.', 403)
  const id = idOfName(token.split('.', 1)[0] ?? '')
  const release = await findRelease(storage, id).catch(() => undefined)
  const digest = sha256Of(token)
  if (!release || !storedIn(release).some((one) => one.until > now && sameDigest(one.digest, digest))) throw refused
  return id
}
