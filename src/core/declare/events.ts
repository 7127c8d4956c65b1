/** Events tell the host what changed, after the change is committed. A failing listener never fails a request. */
import { chain, type Eventually, inTurn } from '../runtime/maybe-promise.ts'
import type { Logger } from './app-context.ts'

/** Payloads by event name. Features add theirs by declaration merging, beside their code. */
export interface EventPayloads {
  'site.changed': { readonly options: readonly string[] }
}

export type EventName = keyof EventPayloads
export type Listener<N extends EventName> = (payload: EventPayloads[N]) => unknown
export type PendingEvent = {
  readonly [N in EventName]: { readonly name: N; readonly payload: EventPayloads[N] }
}[EventName]

export interface Events {
  /** Answers a function that takes the listener away again. */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
  tell(events: readonly PendingEvent[]): void
}

export function createEvents(log: Logger): Events {
  const listeners = new Map<string, Set<(payload: never) => unknown>>()
  const failed = (name: string, error: unknown) => log.error(`a listener of ${name} failed`, { id: name, error })

  async function call(name: string, listener: (payload: never) => unknown, payload: unknown): Promise<void> {
    try {
      await listener(payload as never)
    } catch (error) {
      failed(name, error)
    }
  }

  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener as (payload: never) => unknown))
      return () => void set.delete(listener as (payload: never) => unknown)
    },
    tell(events) {
      for (const { name, payload } of events) {
        for (const listener of listeners.get(name) ?? []) void call(name, listener, payload)
      }
    },
  }
}

/**
 * What a feature does when another one changes something: inside the same transaction, before it is committed, so that
 * both stay or neither does. Listeners of the host come after the commit instead.
 */
export type Follower<C> = { readonly [N in EventName]?: (payload: EventPayloads[N], call: C) => Eventually<void> }

/** Runs the followers of these events, and of the events that they cause. */
export function follow<C>(
  events: readonly PendingEvent[],
  from: number,
  followers: readonly Follower<C>[],
  call: C,
): Eventually<void> {
  const event = events[from]
  if (!event || followers.length === 0) return undefined
  const mine = followers.flatMap((follower) => follower[event.name] ?? []) as ((
    payload: unknown,
    call: C,
  ) => Eventually<void>)[]
  const run = inTurn(mine, (one) => one(event.payload, call))
  return chain(run, () => follow(events, from + 1, followers, call))
}
