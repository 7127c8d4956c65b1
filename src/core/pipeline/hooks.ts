/** Runs the hooks of features and of the host inside the transaction of the change. */

import { andThen, type MaybePromise, sequence } from '../../contract/maybe-promise.ts'
import { system } from '../declare/actor.ts'
import type { HookContext } from '../declare/context.ts'
import type { ChangeName, ChangePayloads, Hook, PendingEvent } from '../declare/events.ts'
import type { ExtensionOptions } from '../declare/feature.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'

/**
 * Runs the hooks of a change before it is written, each on the result of the one before, and returns the change to write.
 * Throws the ApiError of a hook that refuses it.
 */
export function beforeChange<N extends ChangeName>(
  context: HookContext,
  name: N,
  change: ChangePayloads[N],
): MaybePromise<ChangePayloads[N]> {
  let next: MaybePromise<ChangePayloads[N]> = change
  for (const hook of context.app.hooks) {
    const run = hook[name] as BeforeHook<ChangePayloads[N]> | undefined
    if (run) next = andThen(next, (current) => andThen(run(current, context), (changed) => changed ?? current))
  }
  return next
}

type BeforeHook<T> = (change: T, context: HookContext) => MaybePromise<T | undefined>

/** `runEventHooks`, then, once for all of these events, the hooks of `*`: at the end of a transaction. */
export function runHooks<C>(
  events: readonly PendingEvent[],
  from: number,
  hooks: readonly Hook<C>[],
  context: C,
): MaybePromise<void> {
  if (events.length === from) return undefined
  const unhooked = () => events.slice(from).filter(({ isHooked }) => !isHooked)
  return andThen(runEventHooks(events, from, hooks, context), () => runFinalHooks(unhooked(), hooks, context))
}

/** Runs the hooks of `*`. */
export function runFinalHooks<C>(
  events: readonly PendingEvent[],
  hooks: readonly Hook<C>[],
  context: C,
): MaybePromise<void> {
  if (events.length === 0) return undefined
  return andThen(
    sequence(hooks, (hook) => hook['*']?.(events, context)),
    () => undefined,
  )
}

/** Runs the hooks of each event from index `at` on, and of the events that those hooks add. */
export function runEventHooks<C>(
  events: readonly PendingEvent[],
  at: number,
  hooks: readonly Hook<C>[],
  context: C,
): MaybePromise<void> {
  const event = events[at]
  if (!event) return undefined
  const matching = (event.isHooked ? [] : hooks.flatMap((hook) => hook[event.name] ?? [])) as ((
    payload: unknown,
    context: C,
  ) => MaybePromise<void>)[]
  const run = sequence(matching, (hook) => hook(event.payload, context))
  return andThen(run, () => runEventHooks(events, at + 1, hooks, context))
}

/** Runs `work` and the hooks of the events that it emits in one transaction, again where the database asks for it. */
async function runWithHooks<T, C extends HookContext>(
  context: C,
  work: (inside: C) => MaybePromise<T>,
): Promise<{ readonly done: T; readonly events: readonly PendingEvent[] }> {
  const events: PendingEvent[] = []
  const done = await retryTransaction(context.storage, async (storage) => {
    events.length = 0
    const queue = (name: PendingEvent['name'], payload: unknown) => void events.push({ name, payload } as PendingEvent)
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
  for (const { name, payload } of events) context.emit(name, payload, true)
  return done
}

/**
 * A write of the host through `api.site`: in one transaction with the hooks of the events that `work` emits, which listeners
 * receive after the commit. Like that of `inOwnTransaction`, `work` may run again.
 */
export async function writeInside<T>(
  { storage, app, ready, emit }: ExtensionOptions,
  work: (context: HookContext) => MaybePromise<T>,
  user = system,
): Promise<T> {
  await ready()
  const settings = await app.settings.read(storage)
  const { done, events } = await runWithHooks({ storage, app, settings, user, emit: () => undefined }, work)
  emit(events)
  return done
}
