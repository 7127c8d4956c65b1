/**
 * Locks on components while users edit them. All locks are in one option that is written by compare-and-swap, so only
 * one of two concurrent requests gets a lock. The holder is the signed-in user; a request cannot name another holder.
 */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { failure } from '../../shared/envelope.ts'
import { changeKit, type KitPart, readKit } from '../../shared/kit.ts'
import { findComponent } from './records.ts'

/** Events of component locks. */
export interface ComponentsLocksEvents {
  'component.locked': { readonly id: number; readonly user: number }
  'component.unlocked': { readonly id: number; readonly user: number }
}

interface Lock {
  readonly user: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The locks by the id of their component. */
type Locks = { readonly [id: string]: Lock }

export const locksOption = 'builder_component_locks'
const locksPart: KitPart<Locks> = { option: locksOption, start: {} }

const lockMs = 3_600_000

/** Absolute difference: after the clock is set back, a lock still ends within its hour. */
const isHeld = (lock: Lock | undefined, now: number): lock is Lock =>
  lock !== undefined && Math.abs(now - lock.at) < lockMs

type LockContext = Pick<Context, 'storage' | 'app' | 'user' | 'emit'>

const without = (locks: Locks, id: number): Locks =>
  Object.fromEntries(Object.entries(locks).filter(([key]) => key !== String(id)))

/**
 * Throws 404 for an unknown component, 409 when another user holds the lock.
 * Interface: locking again renews the caller's lock.
 */
export async function lockComponent({ storage, app, user, emit }: LockContext, id: number): Promise<void> {
  await requireComponent(storage, id, 'lock_failed')
  await changeKit(storage, locksPart, (locks) => {
    const now = app.clock()
    const lock = locks[id]
    if (isHeld(lock, now) && lock.user !== user.id) throw heldByAnother('lock_failed')
    return { next: { ...locks, [id]: { user: user.id, at: now } }, answer: null }
  })
  emit('component.locked', { id, user: user.id })
}

/** Interface: an expired lock of another user cannot be unlocked, only locked again. */
export async function unlockComponent({ storage, user, emit }: LockContext, id: number): Promise<void> {
  await requireComponent(storage, id, 'unlock_failed')
  const wasLocked = await changeKit(storage, locksPart, (locks) => {
    const lock = locks[id]
    if (!lock) return { answer: false }
    if (lock.user !== user.id) throw heldByAnother('unlock_failed')
    return { next: without(locks, id), answer: true }
  })
  if (wasLocked) emit('component.unlocked', { id, user: user.id })
}

/** The id of the user who holds the lock. Undefined without a lock and for an expired one. */
export async function lockHolder(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  id: number,
): Promise<number | undefined> {
  await requireComponent(storage, id, 'get_lock_status_failed')
  const lock = (await readKit(storage, locksPart))[id]
  return isHeld(lock, app.clock()) ? lock.user : undefined
}

/** Interface: reading the status removes the caller's own expired lock. */
export async function clearExpiredLock({ storage, app, user }: Omit<LockContext, 'emit'>, id: number): Promise<void> {
  const isExpired = (locks: Locks) => locks[id]?.user === user.id && !isHeld(locks[id], app.clock())
  if (!isExpired(await readKit(storage, locksPart))) return
  await changeKit(storage, locksPart, (locks) =>
    isExpired(locks) ? { next: without(locks, id), answer: null } : { answer: null },
  )
}

const heldByAnother = (code: string) => failure(code, 'Somebody else holds the lock of this component.', 409)

async function requireComponent(storage: Storage, id: number, code: string): Promise<void> {
  if (!(await findComponent(storage, id))) throw failure(code, 'There is no such component.', 404)
}
