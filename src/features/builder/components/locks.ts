/**
 * Who edits which component. All locks stand in one option; whoever changes it says what it was before, so of two who lock
 * at once one is told that the other was faster. The holder is the one who is signed in, never one that a request names.
 */
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { changeKit, type KitPart, readKit } from '../../shared/kit/model.ts'
import { failure, findComponent } from './model.ts'

/** What it tells listeners. */
export interface ComponentsLocksEvents {
  'component.locked': { readonly id: number; readonly user: number }
  'component.unlocked': { readonly id: number; readonly user: number }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends ComponentsLocksEvents {}
}

interface Lock {
  readonly user: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** By the id of the component. */
type Locks = { readonly [id: string]: Lock }

export const locksOption = 'builder_component_locks'
const locksPart: KitPart<Locks> = { option: locksOption, start: {} }

const lockMs = 3_600_000

/** A clock that was set back must not hold a lock for longer than its hour. */
const isHeld = (lock: Lock | undefined, now: number): lock is Lock =>
  lock !== undefined && Math.abs(now - lock.at) < lockMs

type LockCall = Pick<Context, 'storage' | 'app' | 'user' | 'emit'>

const without = (locks: Locks, id: number): Locks =>
  Object.fromEntries(Object.entries(locks).filter(([key]) => key !== String(id)))

/** Interface: locking again what one holds renews it. */
export function lockComponent(context: LockCall, id: number): MaybePromise<void> {
  const { storage, app, user, emit } = context
  return andThen(existing(context, id, 'lock_failed'), () => {
    const change = changeKit(storage, locksPart, (locks) => {
      const now = app.clock()
      const lock = locks[id]
      if (isHeld(lock, now) && lock.user !== user.id) throw refused('lock_failed')
      return { next: { ...locks, [id]: { user: user.id, at: now } }, answer: null }
    })
    return andThen(change, () => emit('component.locked', { id, user: user.id }))
  })
}

/** Interface: an expired lock of somebody else is not unlocked either; it is locked anew. */
export function unlockComponent(context: LockCall, id: number): MaybePromise<void> {
  const { storage, user, emit } = context
  return andThen(existing(context, id, 'unlock_failed'), () => {
    const change = changeKit(storage, locksPart, (locks) => {
      const lock = locks[id]
      if (!lock) return { answer: false }
      if (lock.user !== user.id) throw refused('unlock_failed')
      return { next: without(locks, id), answer: true }
    })
    return andThen(change, (wasLocked) => {
      if (wasLocked) emit('component.unlocked', { id, user: user.id })
    })
  })
}

/** Who holds it, if anybody does. */
export function holderOf(context: Pick<Context, 'storage' | 'app'>, id: number): MaybePromise<number | undefined> {
  return andThen(existing(context, id, 'get_lock_status_failed'), () =>
    andThen(readKit(context.storage, locksPart), (locks) => {
      const lock = locks[id]
      return isHeld(lock, context.app.clock()) ? lock.user : undefined
    }),
  )
}

/** Interface: asking clears a lock of one's own that has expired. */
export function clearExpired({ storage, app, user }: Omit<LockCall, 'emit'>, id: number): MaybePromise<void> {
  const isOver = (locks: Locks) => locks[id]?.user === user.id && !isHeld(locks[id], app.clock())
  return andThen(readKit(storage, locksPart), (locks) => {
    if (!isOver(locks)) return
    const change = changeKit(storage, locksPart, (now) =>
      isOver(now) ? { next: without(now, id), answer: null } : { answer: null },
    )
    return andThen(change, () => undefined)
  })
}

const refused = (code: string) => failure(code, 'Somebody else holds the lock of this component.', 409)

function existing({ storage }: Pick<Context, 'storage'>, id: number, code: string): MaybePromise<void> {
  return andThen(findComponent(storage, id), (component) => {
    if (!component) throw failure(code, 'There is no such component.', 404)
  })
}
