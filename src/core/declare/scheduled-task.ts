/** Work that a feature does at a time, such as publishing a scheduled post. */
import type { Settings } from '../../site/settings.ts'
import type { MaybePromise } from '../runtime/maybe-promise.ts'
import type { HookContext } from './context.ts'

export interface ScheduledTask {
  /** The next due time in milliseconds since 1970; undefined: unknown, run now; Infinity: nothing is scheduled. */
  readonly dueAt: (settings: Settings) => number | undefined
  /** Has to move the due time on: `dueAt` is read again after each run. */
  readonly run: (context: HookContext) => MaybePromise<void>
}
