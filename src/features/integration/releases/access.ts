/** Who may publish a release, and take it back: whoever might write each of its records so, after an approval where the host asks for one. */
import type { Storage, StoredRecord } from '../../../contract/storage.ts'
import { type Actor, system } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { oldSlugs } from '../../../site/addresses/old-slugs.ts'
import { actorFor } from '../../content/content-types/model.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { refusalFor } from '../history/model.ts'
import { partsOf } from './images.ts'
import type { Planned, SiteWith } from './site-with.ts'

interface Publisher {
  readonly user: Actor
  readonly app: AppContext
  readonly storage: Storage
}

/** The rules of a host for releases. */
export interface ReleaseOptions {
  /** True: a release is published after a user has approved it who has changed nothing in it. Default: false. */
  readonly needsApproval?: boolean
}

// The cast: the host fills the slot.
export const needsApproval = ({ services }: Pick<AppContext, 'services'>): boolean =>
  (services['releaseOptions'] as ReleaseOptions | undefined)?.needsApproval === true

/** Throws 409 where the host asks for an approval, and there is none. The program needs none. */
export function requireApproval({ app, user }: Pick<Publisher, 'app' | 'user'>, release: StoredRecord): void {
  if (release['state'] === 'approved' || user === system || !needsApproval(app)) return
  throw new ApiError('release_not_approved', 'Another user has to approve this release first.', 409)
}

/** Throws 403 for the first record that the user may not publish. */
export async function requirePublisher({ user, app, storage }: Publisher, { planned, shown }: SiteWith): Promise<void> {
  for (const one of planned) {
    const { record } = one.plan
    // An old slug follows from its post.
    if (one.outcome === 'kept' || partsOf(record).kind === oldSlugs.name) continue
    const refusal = await refusalFor({ user, app }, record, [storage, shown])
    if (refusal || !mayShow({ user, app }, one)) {
      throw forbidden(user, 'release_may_not_publish', `You may not publish this release: it changes ${record}.`)
    }
  }
}

/** A post that visitors come to see needs the right to publish. */
function mayShow({ user, app }: Omit<Publisher, 'storage'>, { plan, outcome }: Planned): boolean {
  if (typeof outcome === 'string' || partsOf(plan.record).kind !== 'post') return true
  const { status, type } = { ...plan.live, ...outcome.members }
  if (status === plan.live?.['status'] || !['publish', 'future', 'private'].includes(String(status))) return true
  const declared = publicTypesOf(app).find(({ name }) => name === type)
  return (declared ? actorFor(declared)(user) : user).can('publish_posts')
}
