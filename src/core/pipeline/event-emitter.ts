/** Calls the host's listeners after a commit. A failing listener is logged and fails no request. */

import type { Storage } from '../../contract/storage.ts'
import type { AppContext, Logger } from '../declare/app-context.ts'
import type { EventName, Listener, PendingEvent } from '../declare/events.ts'
import type { Feature } from '../declare/feature.ts'

export interface EventEmitter {
  /** Returns a function that removes the listener. */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
  emit(events: readonly PendingEvent[]): void
  hasListeners(name: EventName): boolean
}

/** `onChange` is called after the events of a change, besides those listeners. */
export function createEventEmitter(log: Logger, onChange: () => void): EventEmitter {
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
    hasListeners: (name) => (listeners.get(name)?.size ?? 0) > 0,
    emit(events) {
      for (const { name, payload } of events) {
        for (const listener of listeners.get(name) ?? []) void call(name, listener, payload)
      }
      if (events.some(({ name }) => name !== 'request.finished')) onChange()
    },
  }
}

/** Adds what the features do after a commit, such as mails; `settle` waits for what has begun. */
export function listenTo(
  events: EventEmitter,
  features: readonly Feature[],
  { app, storage }: { readonly app: AppContext; readonly storage: Storage },
): { readonly settle: () => Promise<void> } {
  const running = new Set<Promise<unknown>>()
  for (const [name, listener] of features.flatMap(({ listeners = {} }) => Object.entries(listeners))) {
    // The casts: entries lose the link between the name of an event and its payload.
    const listen = listener as (payload: unknown, context: object) => unknown
    const call = async (payload: unknown) =>
      listen(payload, { app, storage, settings: await app.settings.read(storage) })
    events.on(name as EventName, (payload) => {
      const called = call(payload)
      running.add(called)
      return called.finally(() => running.delete(called))
    })
  }
  return {
    settle: async () => {
      await Promise.allSettled(running)
    },
  }
}
