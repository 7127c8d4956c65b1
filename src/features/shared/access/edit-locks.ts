/**
 * Locks of users on the posts, templates and components that they edit. All are in one option that is written by compare and swap, so
 * only one of two concurrent requests gets a lock. The holder is the signed-in user; a request cannot name another one.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { changeKit, type KitPart, readKit } from '../kit.ts'

export const editLocksOption = 'edit_locks'

/** Times are in milliseconds, the beginning since 1970. */
export interface EditLock {
  readonly user: number
  readonly at: number
  readonly forMs: number
}

/** The locks by the id of their post. */
type EditLocks = { readonly [id: string]: EditLock }

const part: KitPart<EditLocks> = { option: editLocksOption, start: {} }

/** An editor renews its lock. Interface: the lock of a template ends after this time. */
const editLockMs = 150_000

type LockContext = Pick<Context, 'storage' | 'app'>

/** Absolute difference: after the clock is set back, a lock still ends within its time. */
export const isHeld = (lock: EditLock | undefined, now: number): lock is EditLock =>
  lock !== undefined && Math.abs(now - lock.at) < lock.forMs

/** Also returns a lock that has expired. */
export const storedLock = async ({ storage }: Pick<Context, 'storage'>, id: number): Promise<EditLock | undefined> =>
  (await readKit(storage, part))[id]

/** Locks that ended a day ago are forgotten, so that the option stays small. */
const forgetMs = 24 * 60 * 60 * 1000

const without = (locks: EditLocks, id: number): EditLocks =>
  Object.fromEntries(Object.entries(locks).filter(([key]) => key !== String(id)))

/** Gives the lock to a user, or renews it. `refuse` decides whether the lock of another user may be replaced. */
export async function takeLock(
  { storage, app }: LockContext,
  { id, user, forMs = editLockMs }: { readonly id: number; readonly user: number; readonly forMs?: number },
  refuse?: (lock: EditLock) => ApiError,
): Promise<EditLock> {
  return changeKit(storage, part, (locks) => {
    const now = app.clock()
    const held = locks[id]
    if (refuse && isHeld(held, now) && held.user !== user) throw refuse(held)
    const lock = { user, at: now, forMs }
    const recent = Object.entries(locks).filter(([, { at, forMs }]) => Math.abs(now - at) < forMs + forgetMs)
    return { next: { ...Object.fromEntries(recent), [id]: lock }, answer: lock }
  })
}

/** Removes a lock that `mayEnd` accepts, also an expired one. Returns whether there was one. */
export async function endLock(
  storage: Storage,
  id: number,
  mayEnd: (lock: EditLock) => boolean = () => true,
): Promise<boolean> {
  return changeKit(storage, part, (locks) => {
    const lock = locks[id]
    return lock && mayEnd(lock) ? { next: without(locks, id), answer: true } : { answer: false }
  })
}

/** Returns the first of these posts that another user has locked. */
export async function lockOfAnother(
  { storage, app, user }: LockContext & Pick<Context, 'user'>,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly lock: EditLock } | undefined> {
  const locks = await readKit(storage, part)
  const now = app.clock()
  for (const id of ids) {
    const lock = locks[id]
    if (isHeld(lock, now) && lock.user !== user.id) return { id, lock }
  }
  return undefined
}

export async function nameOf(storage: Storage, user: number): Promise<string> {
  const { rows } = await storage.users.query({
    ids: [user],
    order: { by: 'id', descending: false },
    offset: 0,
    limit: 1,
  })
  return rows[0]?.displayName ?? ''
}

const gmt = (ms: number) => new Date(ms).toISOString().slice(0, 19)

/** Begin and end are in GMT: `YYYY-MM-DDTHH:MM:SS`. */
export const timesOf = ({ at, forMs }: EditLock) => ({ since: gmt(at), until: gmt(at + forMs) })

export function lockedError(id: number, lock: EditLock, name: string): ApiError {
  const { since, until } = timesOf(lock)
  const message = `${name === '' ? 'Another user' : name} has this open since ${since}, and until ${until} (GMT). Take over the lock to write.`
  return new ApiError('rest_locked', message, 409, { id, locked_by: lock.user, locked_by_name: name, since, until })
}

/** Throws 409 while another user has one of these posts locked. The host itself is never refused. */
export async function requireUnlocked(
  context: LockContext & Pick<Context, 'user'>,
  ids: readonly number[],
): Promise<void> {
  if (context.user.id === 0) return
  const found = await lockOfAnother(context, ids)
  if (found) throw lockedError(found.id, found.lock, await nameOf(context.storage, found.lock.user))
}

/** Refuses to change, trash or remove a post that another user has locked, whichever route writes it. */
export const refuseLocked: Hook<HookContext> = {
  isForStoredRecords: true,
  async 'post.saving'({ before }, context) {
    if (before) await requireUnlocked(context, [before.id])
  },
  async 'post.removing'({ post }, context) {
    await requireUnlocked(context, [post.id])
  },
}
