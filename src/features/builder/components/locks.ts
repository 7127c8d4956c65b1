/** Locks on components while users edit them, for an hour. */

import type { Context } from '../../../core/declare/context.ts'
import { endLock, isHeld, sharedTime, storedLock, takeLock } from '../../shared/access/edit-locks.ts'
import { failure } from '../../shared/envelope.ts'
import { findComponent } from './records.ts'

/** Events of component locks. */
export interface ComponentsLocksEvents {
  'component.locked': { readonly id: number; readonly user: number }
  'component.unlocked': { readonly id: number; readonly user: number }
}

const lockMs = 3_600_000

type LockContext = Pick<Context, 'storage' | 'app' | 'user' | 'emit'>

/**
 * Throws 404 for an unknown component, 409 when another user holds the lock.
 * Interface: locking again renews the caller's lock.
 */
export async function lockComponent(context: LockContext, id: number): Promise<void> {
  const { user, emit } = context
  await requireComponent(context, id, 'lock_failed')
  await takeLock(context, { id, user: user.id, forMs: lockMs }, () => heldByAnother('lock_failed'))
  emit('component.locked', { id, user: user.id })
}

/** Interface: an expired lock of another user cannot be unlocked, only locked again. */
export async function unlockComponent(context: LockContext, id: number): Promise<void> {
  const { storage, user, emit } = context
  await requireComponent(context, id, 'unlock_failed')
  const wasLocked = await endLock(storage, id, (lock) => {
    if (lock.user !== user.id) throw heldByAnother('unlock_failed')
    return true
  })
  if (wasLocked) emit('component.unlocked', { id, user: user.id })
}

/** The id of the user who holds the lock. Undefined without a lock and for an expired one. */
export async function lockHolder(context: Pick<Context, 'storage' | 'app'>, id: number): Promise<number | undefined> {
  await requireComponent(context, id, 'get_lock_status_failed')
  const lock = await storedLock(context, id)
  return isHeld(lock, await sharedTime(context)) ? lock.user : undefined
}

/** Interface: reading the status removes the caller's own expired lock. */
export async function clearExpiredLock({ storage, app, user }: Omit<LockContext, 'emit'>, id: number): Promise<void> {
  const lock = await storedLock({ storage }, id)
  const now = await sharedTime({ storage, app })
  if (lock?.user !== user.id || isHeld(lock, now)) return
  await endLock(storage, id, (found) => found.user === user.id && !isHeld(found, now))
}

const heldByAnother = (code: string) => failure(code, 'Somebody else holds the lock of this component.', 409)

async function requireComponent({ storage }: Pick<Context, 'storage'>, id: number, code: string): Promise<void> {
  if (!(await findComponent(storage, id))) throw failure(code, 'There is no such component.', 404)
}
