/** Event names and payloads, and the hooks that features attach to them. Types only. */
import type { MaybePromise } from '../runtime/maybe-promise.ts'

/** Payloads by event name. Features add theirs by declaration merging, beside their code. */
export interface EventPayloads {
  'site.changed': { readonly options: readonly string[] }
}

export type EventName = keyof EventPayloads
export type Listener<N extends EventName> = (payload: EventPayloads[N]) => unknown

/** An event that waits for the commit. */
export type PendingEvent = {
  readonly [N in EventName]: { readonly name: N; readonly payload: EventPayloads[N] }
}[EventName]

/**
 * Functions that run when another feature emits an event: inside the same transaction, before the commit, so that both
 * changes are kept or neither is. The host's listeners run after the commit instead.
 */
export type Hook<C> = { readonly [N in EventName]?: (payload: EventPayloads[N], context: C) => MaybePromise<void> }
