/** Runs the `afterCommit` of events and calls the host's listeners. A failing listener is logged and fails no request. */

import { type MaybePromise, type Storage, StorageUnavailable } from '../../contract/storage.ts'
import type { AppContext, Logger } from '../declare/app-context.ts'
import type { EventName, Listener, PendingEvent } from '../declare/events.ts'
import type { Feature } from '../declare/feature.ts'

export interface EventEmitter {
  /** Returns a function that removes the listener. */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
  /** Rejects when an `afterCommit` fails. The change is written all the same, and the listeners are called. */
  emit(events: readonly PendingEvent[]): MaybePromise<void>
  hasListeners(name: EventName): boolean
}

interface EmitterOptions {
  readonly log: Logger
  readonly storage: Storage
  /** Called after the events of a change, besides the listeners. */
  readonly onChange: () => void
}

/** Nothing waits in the storage after these. */
const quietEvents: ReadonlySet<string> = new Set(['request.finished', 'tags.changed'])

export function createEventEmitter({ log, storage, onChange }: EmitterOptions): EventEmitter {
  const listeners = new Map<string, Set<(payload: never) => unknown>>()
  const failed = (name: string, error: unknown) => log.error(`a listener of ${name} failed`, { id: name, error })

  async function call(name: string, listener: (payload: never) => unknown, payload: unknown): Promise<void> {
    try {
      await listener(payload as never)
    } catch (error) {
      failed(name, error)
    }
  }

  function callAll(events: readonly PendingEvent[]): void {
    for (const { name, payload } of events) {
      for (const listener of listeners.get(name) ?? []) void call(name, listener, payload)
    }
    if (events.some(({ name }) => !quietEvents.has(name))) onChange()
  }

  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener as (payload: never) => unknown))
      return () => void set.delete(listener as (payload: never) => unknown)
    },
    hasListeners: (name) => (listeners.get(name)?.size ?? 0) > 0,
    emit(events) {
      if (!events.some(({ afterCommit }) => afterCommit)) return callAll(events)
      return runAfterCommit(events, storage).finally(() => callAll(events))
    },
  }
}

/** Runs each of them, whatever fails before. */
async function runAfterCommit(events: readonly PendingEvent[], storage: Storage): Promise<void> {
  const failures: unknown[] = []
  for (const { afterCommit } of events) await afterCommit?.(storage).catch((error) => void failures.push(error))
  if (failures.length === 0) return
  const [cause] = failures
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new StorageUnavailable(reason, { written: 'perhaps', cause })
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
