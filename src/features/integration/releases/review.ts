/** The states of a release before it is published, and its time. */

import type { Json, Storage, StoredRecord } from '../../../contract/storage.ts'
import { actorOf, system } from '../../../core/declare/actor.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError, isApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { bringForward, changeDue, dueTimeOf } from '../../../core/pipeline/scheduled-tasks.ts'
import { needsApproval, requirePublisher } from './access.ts'
import { releases } from './collections.ts'
import { changesOf, findRelease, type Release, readChanges, releaseOf, requireOpen } from './model.ts'
import { publishRelease } from './publish.ts'
import { siteWith } from './site-with.ts'

type Context = Pick<HookContext, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

/** Changes a release itself, not the records in it. */
export interface ReleaseChanges {
  readonly name?: string | undefined
  readonly note?: string | undefined
  /** Of its review. A further change to the release makes it a draft again. */
  readonly state?: 'draft' | 'in_review' | 'approved' | undefined
  /** When it is published by itself: ISO, in GMT where it names no zone. Null: it is not. */
  readonly publishAt?: string | null | undefined
}

type ReviewContext = Omit<Context, 'emit' | 'settings'>

/** Renames a release, reviews it and sets its time: all or nothing. */
export async function changeRelease(
  context: ReviewContext,
  release: StoredRecord,
  { name, note, state, publishAt }: ReleaseChanges,
): Promise<Release> {
  const { storage } = context
  if (state !== undefined) await setState(context, release, state)
  if (publishAt !== undefined) await setTime(context, release, publishAt === null ? null : timeOf(publishAt))
  const changes = { ...(name !== undefined && { name }), ...(note !== undefined && { note }) }
  await storage.records.update(releases, [{ id: release.id, changes }])
  return releaseOf(await findRelease(storage, release.id))
}

/** Sets the state of the review. Approving is for those who have changed nothing, where the host asks for it. */
async function setState(
  { storage, app, user }: ReviewContext,
  release: StoredRecord,
  state: 'draft' | 'in_review' | 'approved',
): Promise<void> {
  requireOpen(release)
  const isApproved = state === 'approved'
  if (isApproved && needsApproval(app)) {
    const stored = await readChanges(storage, release.id)
    if (stored.some((one) => one.user === user.id)) {
      throw forbidden(
        user,
        'release_own_approval',
        'Another user has to approve this: you have changed something in it.',
      )
    }
  }
  const approved = { approvedBy: isApproved ? user.id : null, approvedAt: isApproved ? app.clock() : null }
  await storage.records.update(releases, [{ id: release.id, changes: { state, ...approved } }])
}

/** A text without a zone is in GMT. */
const timeOf = (text: string): number => Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)

const task = 'releases'

/** Null: it is not published by itself. The rights that count then are those of who sets the time. */
async function setTime(
  { storage, app, user }: ReviewContext,
  release: StoredRecord,
  publishAt: number | null,
): Promise<void> {
  requireOpen(release)
  const { id } = release
  if (publishAt !== null) {
    const site = await siteWith(app, storage, changesOf(await readChanges(storage, id)))
    await requirePublisher({ storage, app, user }, site)
  }
  await storage.records.update(releases, [{ id, changes: { publishAt, publishAs: user.id, failure: null } }])
  if (publishAt !== null) await bringForward(storage, task, publishAt)
}

/** Publishes releases at their time: whoever comes first, in one transaction with the time of the next one. */
export const publishDue: ScheduledTask = {
  dueAt: (settings) => dueTimeOf(settings, task),
  run: async (context) => {
    const { storage, app } = context
    const { rows } = await storage.records.query(releases, {
      where: { every: [{ field: 'publishAt', to: app.clock() }, { not: { field: 'state', is: 'published' } }] },
    })
    for (const release of rows) await publishOrNote(context, release)
    const next = await nextTime(storage)
    await changeDue(storage, task, () => next)
  },
}

/** A release that can not be published keeps the reason, and has no time any more. */
async function publishOrNote(context: HookContext, release: StoredRecord): Promise<void> {
  const { storage, settings } = context
  const as = Number(release['publishAs'])
  const publish = async (inside: Storage) => {
    const found = as === 0 ? undefined : await findUserById(inside, as)
    if (as !== 0 && !found) throw new ApiError('release_no_user', 'The user who has set the time is gone.', 409)
    const user = found ? actorOf(found, settings.roles) : system
    await publishRelease({ ...context, storage: inside, user }, release.id)
  }
  try {
    await (storage.atomic ? storage.atomic(publish) : publish(storage))
  } catch (error) {
    if (!isApiError(error)) throw error
    // The cast: the data of an error are JSON.
    const failure = { code: error.code, message: error.message, ...error.data } as Json
    await storage.records.update(releases, [{ id: release.id, changes: { publishAt: null, failure } }])
  }
}

async function nextTime(storage: Storage): Promise<number> {
  const { rows } = await storage.records.query(releases, {
    where: { every: [{ field: 'publishAt', from: 0 }, { not: { field: 'state', is: 'published' } }] },
    order: [{ by: 'publishAt' }],
    limit: 1,
  })
  return rows[0] ? Number(rows[0]['publishAt']) : Number.POSITIVE_INFINITY
}
