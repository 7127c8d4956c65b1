/** Publishes a release, and undoes it: one transaction, conflicts first, then all of its changes or none. */

import { isSameJson } from '../../../contract/equal-json.ts'
import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { writeSearchText } from '../../shared/rendered-documents.ts'
import type { CheckFinding, GateContext } from '../checks/model.ts'
import { requireApproval, requirePublisher } from './access.ts'
import { bookkeeping, followsPost, type MemberChange, type ReleaseChange } from './changes.ts'
import { releaseChanges, releases } from './collections.ts'
import { tellPublished } from './events.ts'
import { partsOf } from './images.ts'
import { changesOf, findRelease, type Release, readChanges, releaseOf, type StoredChange } from './model.ts'
import { type Decisions, hasStaleText, type ReleaseConflict } from './plan.ts'
import { type Planned, type SiteWith, siteWith, slugTwins, writeSite } from './site-with.ts'

/** A release that was published or undone. */
export interface PublishedRelease {
  readonly release: Release
  /** The records of the site that have changed. */
  readonly records: readonly string[]
  /** The findings of its records, where the host asks for checks. */
  readonly findings: readonly CheckFinding[]
}

/** Events of this feature. The records are named as in the history: `post:12`. */
export interface ReleaseEvents {
  'release.published': { readonly release: number; readonly name: string; readonly records: readonly string[] }
  'release.undone': { readonly release: number; readonly name: string; readonly records: readonly string[] }
}

type Context = Pick<HookContext, 'storage' | 'app' | 'settings' | 'user' | 'emit'> & Pick<GateContext, 'warnings'>

/** Runs inside a transaction. Throws 409 with the conflicts that are not decided; then nothing is written. */
export async function publishRelease(
  context: Context,
  id: number,
  decisions: Decisions = {},
): Promise<PublishedRelease> {
  const { storage, app, user } = context
  const release = await findRelease(storage, id)
  if (release['state'] === 'published') {
    throw new ApiError('release_published', 'This release is published already.', 409)
  }
  requireApproval(context, release)
  const stored = await readChanges(storage, id)
  const site = await siteWith(app, storage, changesOf(stored), decisions)
  await requirePublisher(context, site)
  await requireNoConflicts(site)
  const findings = await judge(context, site)
  const written = await write(context, site)
  await keepWaysBack(storage, stored, site)
  const state = { state: 'published', publishedBy: user.id, publishedAt: app.clock(), undoneAt: null }
  await storage.records.update(releases, [{ id, changes: { ...state, publishAt: null, failure: null } }])
  return { ...(await done(context, 'release.published', id, site, written)), findings }
}

/** Runs inside a transaction. What was edited since is in conflict, and to be decided too: `release` takes the way back. */
export async function undoRelease(context: Context, id: number, decisions: Decisions = {}): Promise<PublishedRelease> {
  const { storage, app } = context
  const release = await findRelease(storage, id)
  if (release['state'] !== 'published') {
    throw new ApiError('release_not_published', 'This release is not published: there is nothing to undo.', 409)
  }
  const stored = await readChanges(storage, id)
  const back = new Map(stored.flatMap(({ record, undo }) => (undo ? [[record, undo] as const] : [])))
  const site = await siteWith(app, storage, back, decisions)
  await requirePublisher(context, site)
  await requireNoConflicts(site)
  const written = await write(context, site)
  await storage.records.update(
    releaseChanges,
    stored.map(({ row }) => ({ id: row, changes: { undo: null } })),
  )
  await storage.records.update(releases, [{ id, changes: { state: 'undone', undoneAt: app.clock() } }])
  return { ...(await done(context, 'release.undone', id, site, written)), findings: [] }
}

/** The records as visitors would see them: where findings refuse one, nothing is written. */
async function judge(context: Context, { planned, shown }: SiteWith): Promise<readonly CheckFinding[]> {
  const [gate] = context.app.contributions('gates')
  if (!gate) return []
  const ids = planned.flatMap(({ plan: { record }, outcome }) => {
    const { kind, key } = partsOf(record)
    return kind === 'post' && typeof outcome !== 'string' ? [Number(key)] : []
  })
  const posts = ids.length === 0 ? [] : await shown.posts.read(ids)
  return gate.judge({ ...context, storage: shown, settings: await context.app.settings.read(shown) }, posts)
}

async function requireNoConflicts(site: SiteWith): Promise<void> {
  const twins = (await slugTwins(site)).map(
    ({ record, slug, other }): ReleaseConflict => ({ record, member: 'slug', base: null, yours: slug, theirs: other }),
  )
  const conflicts = [...new Set([...site.open, ...twins])]
  if (conflicts.length > 0) throw conflictError(conflicts)
}

async function write(context: Context, site: SiteWith) {
  const { storage, app, settings } = context
  const modifiedGmt = new Date(app.clock()).toISOString().slice(0, 19)
  try {
    const written = await writeSite(app, storage, site, { modifiedGmt, modified: settings.time.toLocal(modifiedGmt) })
    await writeMergedTexts(context, site)
    return written
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_conflict') throw error
    throw conflictError([])
  }
}

/** The texts of documents that were merged are neither those of the release nor those of the site. */
async function writeMergedTexts(context: Context, { planned }: SiteWith): Promise<void> {
  const { storage } = context
  const isMerged = ({ plan, outcome }: Planned) => typeof outcome !== 'string' && hasStaleText(plan)
  const ids = planned.filter(isMerged).map(({ plan }) => Number(partsOf(plan.record).key))
  if (ids.length === 0) return
  const meta = Map.groupBy(await storage.meta.read('post', ids), ({ id }) => id)
  for (const post of await storage.posts.read(ids)) {
    const values = (meta.get(post.id) ?? []).map(({ key, value }) => [key, value] as const)
    await writeSearchText(context, post, Object.fromEntries(values))
  }
}

const conflictError = (conflicts: readonly ReleaseConflict[]) =>
  new ApiError(
    'release_conflict',
    conflicts.length > 0
      ? 'The release and the site have both changed the same: decide each conflict.'
      : 'Another record of the site has a value that must be unique: change it in the release.',
    409,
    { conflicts },
  )

async function done(
  context: Context,
  event: keyof ReleaseEvents,
  id: number,
  { planned }: SiteWith,
  written: { readonly records: ReadonlySet<string>; readonly posts: ReadonlyMap<number, Post | undefined> },
): Promise<Omit<PublishedRelease, 'findings'>> {
  const release = releaseOf(await findRelease(context.storage, id))
  const follows = new Set(planned.flatMap(({ plan }) => (followsPost(plan.record, plan.change) ? plan.record : [])))
  const records = [...written.records].filter((record) => !follows.has(record))
  context.emit(event, { release: id, name: release.name, records })
  await tellPublished(context, written.posts)
  return { release, records }
}

// ---------------------------------------------------------------- the ways back

async function keepWaysBack(storage: Storage, stored: readonly StoredChange[], { planned }: SiteWith): Promise<void> {
  const backs = new Map(planned.map((one) => [one.plan.record, wayBack(one)]))
  await storage.records.update(
    releaseChanges,
    stored.map(({ row, record }) => ({ id: row, changes: { undo: backs.get(record) ?? null } })),
  )
}

/** The change that leads from the published record to what it was before; null: publishing changes nothing of it. */
function wayBack({ plan: { live, change }, outcome }: Planned): ReleaseChange | null {
  const { type } = change
  if (outcome === 'kept') return null
  if (outcome === 'removed') {
    return { change: 'added', type, members: membersOf(live ?? {}, (value) => ({ base: null, value })) }
  }
  const { members } = outcome
  if (!live) return { change: 'removed', type, members: membersOf(members, (base) => ({ base, value: null })) }
  const changed = Object.entries(members).flatMap(([name, base]) => {
    const value = live[name] ?? (name.startsWith('terms.') ? [] : null)
    return bookkeeping.has(name) || isSameJson(base, value) ? [] : [[name, { base, value }] as const]
  })
  return changed.length > 0 ? { change: 'changed', type, members: Object.fromEntries(changed) } : null
}

const membersOf = (
  image: { readonly [member: string]: Json },
  change: (value: Json) => MemberChange,
): ReleaseChange['members'] => Object.fromEntries(Object.entries(image).map(([name, value]) => [name, change(value)]))
