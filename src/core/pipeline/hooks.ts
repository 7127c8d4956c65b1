/** Runs the hooks of features and of the host inside the transaction of the change. */
import type { HookContext } from '../declare/context.ts'
import type { ChangeName, ChangePayloads, Hook, PendingEvent } from '../declare/events.ts'
import { andThen, type MaybePromise, sequence } from '../runtime/maybe-promise.ts'

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

/** Runs the hooks of the events from index `from` on, and of the events that those hooks add. */
export function runHooks<C>(
  events: readonly PendingEvent[],
  from: number,
  hooks: readonly Hook<C>[],
  context: C,
): MaybePromise<void> {
  const event = events[from]
  if (!event || hooks.length === 0) return undefined
  const matching = hooks.flatMap((hook) => hook[event.name] ?? []) as ((
    payload: unknown,
    context: C,
  ) => MaybePromise<void>)[]
  const run = sequence(matching, (hook) => hook(event.payload, context))
  return andThen(run, () => runHooks(events, from + 1, hooks, context))
}
