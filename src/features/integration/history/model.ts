/** Reads of the site as of a moment: the moment, the storage as it was, and who may see what of it. */
import type { Past } from '../../../contract/past.ts'
import type { Post, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { PastStorages } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { mayEditOfType, mayReadOfType } from '../../content/posts/model.ts'
import { siteHistory } from './collections.ts'
import { checkMoment, pastOf, readPast } from './past.ts'
import type { HistoryRetention, HistoryScope } from './record.ts'

export { refusalFor } from './access.ts'
export type { HistoryScope } from './record.ts'
export { Restoration } from './restoration.ts'

/** The host gives it to the feature, as part of the services of an api. */
export interface HistorySlot {
  readonly storageAsOf: (storage: Storage, past: Past) => Promise<Storage>
  readonly storagesAt: (app: AppContext, storage: Storage, moment: string | Date, user: Actor) => Promise<PastStorages>
  readonly isHistorical: (feature: string) => boolean
  readonly scope: HistoryScope
  readonly retention: HistoryRetention
}

// The cast: the host fills it, where a profile has the history.
const slotOf = ({ services }: Pick<AppContext, 'services'>) => services['history'] as HistorySlot | undefined

export const keepsHistory = (app: Pick<AppContext, 'services'>): boolean => slotOf(app) !== undefined

/** Creates the storage as it was before these changes, which come the newest first. */
export async function storageBefore(
  { services }: Pick<AppContext, 'services'>,
  storage: Storage,
  changes: readonly StoredRecord[],
): Promise<Storage> {
  return historyOf({ services }).storageAsOf(storage, pastOf(changes))
}

/** Stands for all options, where the changes of records are read. */
export const anyOption = 'option:*'

/** The newest changes of these records, the newest first. */
export async function newestChangesOf(
  storage: Storage,
  records: ReadonlySet<string>,
  limit: number,
): Promise<readonly StoredRecord[]> {
  const named: Where = { field: 'record', in: [...records].filter((record) => record !== anyOption) }
  const options: Where = { field: 'record', from: 'option:', below: 'option;' }
  const where: Where = records.has(anyOption) ? { some: [named, options] } : named
  return (await storage.records.query(siteHistory, { where, order: [{ by: 'id', descending: true }], limit })).rows
}

export function historyOf(app: Pick<AppContext, 'services'>): HistorySlot {
  const slot = slotOf(app)
  if (!slot)
    throw new ApiError('history_not_kept', 'This site has no history: its profile is without the feature.', 404)
  return slot
}

/** Returns the moment as the history has it: ISO in GMT with milliseconds. A moment without a zone is in GMT. */
export function momentOf(given: string | Date, argument = 'as_of'): string {
  const text = given instanceof Date ? given.getTime() : isoForm.test(given) ? Date.parse(withZone(given)) : Number.NaN
  if (Number.isNaN(text)) {
    const message = `${argument} is a moment such as 2026-11-20T10:00:00Z.`
    throw new ApiError('history_invalid_moment', message, 400, { params: { [argument]: message } })
  }
  return new Date(text).toISOString()
}

const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/
const withZone = (text: string) => (/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`)

/** Creates the storages of a read as of a moment by this user. */
export async function storagesAt(
  app: AppContext,
  storage: Storage,
  moment: string | Date,
  user: Actor,
): Promise<PastStorages> {
  const { storageAsOf, isHistorical } = historyOf(app)
  const at = momentOf(moment)
  await checkMoment(storage, at, app.clock())
  const isHidden = (then: Post, now: Post | undefined) => !mayReadBoth(user, app, then, now)
  const past = await readPast(storage, at)
  return { now: storage, past: await storageAsOf(storage, { ...past, isHidden }), isHistorical }
}

/**
 * Whether the user may read the post as it was and as it is. One that is gone is for those who might have edited it, and a post
 * that is closed today, by its status or a password, is not opened by an earlier state.
 */
function mayReadBoth(user: Actor, app: AppContext, then: Post, now: Post | undefined): boolean {
  if (now === undefined) return mayEditOfType(user, then, app)
  return [then, now].every((post) => mayReadOne(user, app, post))
}

function mayReadOne(user: Actor, app: AppContext, post: Post): boolean {
  if (post.password !== '' && !mayEditOfType(user, post, app)) return false
  // Files and revisions have the visibility of their posts, which their routes ask for.
  return post.status === 'inherit' || mayReadOfType(user, post, app)
}
