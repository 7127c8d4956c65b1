/** Runs the hooks of features and of the host inside the transaction of the change. */

import type { MaybePromise } from '../../contract/storage.ts'
import { system } from '../declare/actor.ts'
import type { HookContext } from '../declare/context.ts'
import type { ChangeName, ChangePayloads, EmitOptions, Hook, PendingEvent } from '../declare/events.ts'
import type { SiteParts } from '../declare/feature.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'

/**
 * Runs the hooks of a change before it is written, each on the result of the one before, and returns the change to write.
 * Throws the ApiError of a hook that refuses it.
 */
export async function beforeChange<N extends ChangeName>(
  context: HookContext,
  name: N,
  change: ChangePayloads[N],
  { exceptStored = false }: { readonly exceptStored?: boolean } = {},
): Promise<ChangePayloads[N]> {
  let current = change
  for (const hook of context.app.hooks) {
    const run = hook[name] as BeforeHook<ChangePayloads[N]> | undefined
    if (run && !(exceptStored && hook.isForStoredRecords)) current = (await run(current, context)) ?? current
  }
  return current
}

/** Runs the hooks that are only for stored records, and may run beside other reads; `beforeChange` leaves them out with `exceptStored`. */
export async function beforeStoredChange<N extends ChangeName>(
  context: HookContext,
  name: N,
  change: ChangePayloads[N],
): Promise<void> {
  for (const hook of context.app.hooks) {
    const run = hook[name] as BeforeHook<ChangePayloads[N]> | undefined
    if (run && hook.isForStoredRecords) await run(change, context)
  }
}

type BeforeHook<T> = (change: T, context: HookContext) => MaybePromise<T | undefined>

/** Calls `runEventHooks`, then, once for all of these events, the hooks of `*`: at the end of a transaction. */
export async function runHooks<C>(
  events: readonly PendingEvent[],
  from: number,
  hooks: readonly Hook<C>[],
  context: C,
): Promise<void> {
  await runEventHooks(events, from, hooks, context)
  const unhooked = events.slice(from).filter(({ isHooked }) => !isHooked)
  await runFinalHooks(unhooked, hooks, context)
}

/** Runs the hooks of `*`. */
export async function runFinalHooks<C>(
  events: readonly PendingEvent[],
  hooks: readonly Hook<C>[],
  context: C,
): Promise<void> {
  if (events.length === 0) return
  for (const hook of hooks) if (hook['*']) await hook['*'](events, context)
}

/** Runs the hooks of each event from index `from` on, and of the events that those hooks add. */
export async function runEventHooks<C>(
  events: readonly PendingEvent[],
  from: number,
  hooks: readonly Hook<C>[],
  context: C,
): Promise<void> {
  for (let at = from; at < events.length; at++) {
    const { name, payload, isHooked } = events[at] as PendingEvent
    if (isHooked) continue
    for (const hook of hooks) {
      const run = hook[name] as ((payload: unknown, context: C) => MaybePromise<void>) | undefined
      if (run) await run(payload, context)
    }
  }
}

/** Runs `work` and the hooks of the events that it emits in one transaction, again where the database asks for it. */
async function runWithHooks<T, C extends HookContext>(
  context: C,
  work: (inside: C) => MaybePromise<T>,
): Promise<{ readonly done: T; readonly events: readonly PendingEvent[] }> {
  const events: PendingEvent[] = []
  const done = await retryTransaction(context.storage, async (storage) => {
    events.length = 0
    const queue = (name: PendingEvent['name'], payload: unknown, options?: EmitOptions) =>
      void events.push({ ...options, name, payload } as PendingEvent)
    const inside: C = { ...context, storage, emit: queue }
    const worked = await work(inside)
    // The cast: the hooks of an app take this context; its type cannot say so without naming itself.
    await runHooks(events, 0, context.app.hooks as readonly Hook<HookContext>[], inside)
    return worked
  })
  return { done, events }
}

/**
 * For endpoints with `atomic: false`: a transaction within their work, with the hooks of the events that `work` emits. `work` must
 * have no effects outside the transaction, because the database may ask to run it again.
 */
export async function inOwnTransaction<T, C extends HookContext>(
  context: C,
  work: (inside: C) => MaybePromise<T>,
): Promise<T> {
  const { done, events } = await runWithHooks(context, work)
  for (const { name, payload, afterCommit } of events) context.emit(name, payload, { isHooked: true, afterCommit })
  return done
}

/**
 * A write of the host through `api.site`: in one transaction with the hooks of the events that `work` emits, which listeners
 * receive after the commit. Like that of `inOwnTransaction`, `work` may run again.
 */
export async function writeInside<T>(
  { storage, app, ready, emit }: SiteParts,
  work: (context: HookContext) => MaybePromise<T>,
  user = system,
): Promise<T> {
  await ready()
  const settings = await app.settings.read(storage)
  const { done, events } = await runWithHooks({ storage, app, settings, user, emit: () => undefined }, work)
  await emit(events)
  return done
}
