/** Runs the hooks of features inside the transaction of the change. */
import type { Hook, PendingEvent } from '../declare/events.ts'
import { andThen, type MaybePromise, sequence } from '../runtime/maybe-promise.ts'

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
