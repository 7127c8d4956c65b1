/** The states of a release before it is published, and its time. */

import type { Json, Storage, StoredRecord } from '../../../contract/storage.ts'
import { actorOf, system } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError, isApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { bringForward, changeDue, dueTimeOf } from '../../../core/pipeline/scheduled-tasks.ts'
import { requirePublisher } from './access.ts'
import { releases } from './collections.ts'
import { changesOf, readChanges, requireOpen } from './model.ts'
import { publishRelease } from './publish.ts'
import { siteWith } from './site-with.ts'

type Context = Pick<HookContext, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

/** The rules of a host for releases. */
export interface ReleaseOptions {
  /** True: a release is published after a user has approved it who has changed nothing in it. Default: false. */
  readonly needsApproval?: boolean
}

// The cast: the host fills the slot.
const needsApproval = ({ services }: Pick<AppContext, 'services'>): boolean =>
  (services['releaseOptions'] as ReleaseOptions | undefined)?.needsApproval === true

/** Sets the state of the review. Approving is for those who have changed nothing, where the host asks for it. */
export async function setState(
  { storage, app, user }: Omit<Context, 'emit' | 'settings'>,
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

/** Throws 409 where the host asks for an approval, and there is none. The program needs none. */
export function requireApproval({ app, user }: Pick<Context, 'app' | 'user'>, release: StoredRecord): void {
  if (release['state'] === 'approved' || user === system || !needsApproval(app)) return
  throw new ApiError('release_not_approved', 'Another user has to approve this release first.', 409)
}

const task = 'releases'

/** Null: it is not published by itself. The rights that count then are those of who sets the time. */
export async function setTime(
  { storage, app, user }: Omit<Context, 'emit' | 'settings'>,
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
  const { storage, app, settings } = context
  const as = Number(release['publishAs'])
  const publish = async (inside: Storage) => {
    const found = as === 0 ? undefined : await findUserById(inside, as)
    if (as !== 0 && !found) throw new ApiError('release_no_user', 'The user who has set the time is gone.', 409)
    const user = found ? actorOf(found, settings.roles) : system
    requireApproval({ app, user }, release)
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
