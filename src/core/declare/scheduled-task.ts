/** Work that a feature does at a time, such as publishing a scheduled post, and work beside requests, such as calling other services. */

import type { MaybePromise } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { Context, HookContext } from './context.ts'

export interface ScheduledTask {
  /** The next due time in milliseconds since 1970; undefined: unknown, run now; Infinity: nothing is scheduled. */
  readonly dueAt: (settings: Settings) => number | undefined
  /** Has to move the due time on: `dueAt` is read again after each run. */
  readonly run: (context: HookContext) => MaybePromise<void>
  /** True: no response depends on it, so no request waits for it; the timer runs it. Default: it runs before the next response. */
  readonly mayWait?: boolean
}

/**
 * Work outside of transactions and requests. It is run after events, at the time that it returned, and when a process begins. Several
 * processes may run it at once, and each may end at any moment: what it has begun must be found again in the storage.
 */
export interface BackgroundWork {
  /** The name for logs. */
  readonly name: string
  /** The collection with its tasks: until some are written it runs at its time alone. Absent: it runs after every event. */
  readonly collection?: string
  /** Runs due tasks. Returns when it has to run again, in milliseconds since 1970; Infinity: after the next event, or write to its collection. */
  readonly run: (context: BackgroundContext) => Promise<number>
}

export interface BackgroundContext extends Pick<Context, 'storage' | 'app'> {
  /** Aborted when the api is closed: begin nothing new. */
  readonly signal: AbortSignal
}
