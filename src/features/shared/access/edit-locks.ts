/**
 * Locks of users on the posts, templates and components that they edit. All are in one option that is written by compare and swap, so
 * only one of two concurrent requests gets a lock. The holder is the signed-in user; a request cannot name another one.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { prefers } from '../../../core/request/incoming.ts'
import { changeKit, type KitPart, readKit } from '../kit.ts'

export const editLocksOption = 'edit_locks'

/** Times are in milliseconds, the beginning since 1970. */
export interface EditLock {
  readonly user: number
  readonly at: number
  readonly forMs: number
  /** When the user got it, where it was renewed since. */
  readonly since?: number
  /** The user who has lost it to this one. */
  readonly from?: number
}

/** The locks by the id of their post. */
type EditLocks = { readonly [id: string]: EditLock }

const part: KitPart<EditLocks> = { option: editLocksOption, start: {} }

/** An editor renews its lock. Interface: the lock of a template ends after this time. */
const editLockMs = 150_000

type LockContext = Pick<Context, 'storage' | 'app'>

/** The time by which locks end: that of the storage, which all processes share, unless the host has a clock. */
export const sharedTime = async ({ storage, app }: LockContext): Promise<number> =>
  app.clock === Date.now && storage.now ? storage.now() : app.clock()

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
  const now = await sharedTime({ storage, app })
  return changeKit(storage, part, (locks) => {
    const held = locks[id]
    if (refuse && isHeld(held, now) && held.user !== user) throw refuse(held)
    const lock: EditLock = { user, at: now, forMs, ...(isHeld(held, now) ? historyOf(held, user) : {}) }
    const recent = Object.entries(locks).filter(([, { at, forMs }]) => Math.abs(now - at) < forMs + forgetMs)
    return { next: { ...Object.fromEntries(recent), [id]: lock }, answer: lock }
  })
}

/** A renewed lock keeps its beginning; one that is taken over names who has lost it. */
const historyOf = (held: EditLock, user: number): Pick<EditLock, 'since' | 'from'> =>
  held.user === user
    ? { since: held.since ?? held.at, ...(held.from === undefined ? {} : { from: held.from }) }
    : { from: held.user }

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

/** The context of a write, which in hooks may have no request. */
type WriteContext = LockContext & Pick<Context, 'user' | 'emit'> & Partial<Pick<Context, 'incoming'>>

/** Returns the first of these posts that another user has locked, unless the write overrides locks. */
export async function lockOfAnother(
  { storage, app, user, emit, incoming }: WriteContext,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly lock: EditLock } | undefined> {
  const locks = await readKit(storage, part)
  const others = ids.filter((id) => locks[id] !== undefined && locks[id].user !== user.id)
  // Nearly every write ends here, and asks for no time.
  if (others.length === 0) return undefined
  const now = await sharedTime({ storage, app })
  const held = others.map((id) => ({ id, lock: locks[id] as EditLock })).filter(({ lock }) => isHeld(lock, now))
  if (!overrides(user, incoming)) return held[0]
  for (const { id, lock } of held) emit('lock.overridden', { id, user: user.id, from: lock.user })
  return undefined
}

/** `Prefer: override` of those who may edit the posts of others. */
const overrides = (user: Context['user'], incoming: Context['incoming'] | undefined): boolean =>
  incoming !== undefined && prefers(incoming, 'override') && user.can('edit_others_posts')

/** Renews the lock of the caller; one that is free, or that another user has, stays so. */
export async function renewLock(
  { storage, app, user }: LockContext & Pick<Context, 'user'>,
  id: number,
): Promise<void> {
  const held = await storedLock({ storage }, id)
  if (held?.user !== user.id || !isHeld(held, await sharedTime({ storage, app }))) return
  await takeLock({ storage, app }, { id, user: user.id, forMs: held.forMs }, (other) =>
    lockedError(id, other, '', user.id),
  )
}

/** The locks of these posts that are held, by the id of the post. */
export async function locksOf(context: LockContext, ids: readonly number[]): Promise<ReadonlyMap<number, EditLock>> {
  if (ids.length === 0) return new Map()
  const locks = await readKit(context.storage, part)
  const now = await sharedTime(context)
  const held = ids.map((id) => [id, locks[id]] as const)
  return new Map(held.flatMap(([id, lock]) => (isHeld(lock, now) ? [[id, lock] as const] : [])))
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
export const timesOf = ({ at, forMs, since = at }: EditLock) => ({ since: gmt(since), until: gmt(at + forMs) })

/** Refuses `user`, and says so where this user has lost the lock. */
export function lockedError(id: number, lock: EditLock, name: string, user: number): ApiError {
  const { since, until } = timesOf(lock)
  const isLost = lock.from === user
  const has = isLost ? 'has taken this over from you at' : 'has this open since'
  const message = `${name === '' ? 'Another user' : name} ${has} ${since}, and until ${until} (GMT). Take over the lock to write.`
  const holder = { id, locked_by: lock.user, locked_by_name: name, since, until }
  return new ApiError('rest_locked', message, 409, { ...holder, ...(isLost ? { taken_over: true } : {}) })
}

/** Throws 409 while another user has one of these posts locked. The host itself is never refused. */
export async function requireUnlocked(context: WriteContext, ids: readonly number[]): Promise<void> {
  if (context.user.id === 0) return
  const found = await lockOfAnother(context, ids)
  if (found) throw lockedError(found.id, found.lock, await nameOf(context.storage, found.lock.user), context.user.id)
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
