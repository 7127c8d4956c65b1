/** Parses progress reports of the onboarding and applies them to the stored progress. Pure functions. */

import type { Json } from '../../../contract/storage.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { isObject } from '../../shared/elements.ts'

export interface Progress {
  readonly index: number
  readonly completed: readonly (string | number)[]
  readonly exitType: string | null
  /** Seconds in site time. */
  readonly lastActive: number | null
  readonly startedAt: number | null
  readonly isStarterDismissed: boolean
}

export const initialProgress: Progress = {
  index: 0,
  completed: [],
  exitType: null,
  lastActive: null,
  startedAt: null,
  isStarterDismissed: false,
}

/** Reads the stored setting, which clients may have written: invalid values are as at the start. */
export function parseProgress(stored: Json): Progress {
  if (!isObject(stored)) return initialProgress
  const { current_step_index: index, completed_steps: completed, exit_type: exitType } = stored
  const seconds = (key: string) => (isCount(stored[key]) ? Math.floor(Number(stored[key])) : null)
  return {
    index: isCount(index) ? Number(index) : 0,
    completed: Array.isArray(completed) ? [...new Set(completed.filter(isStep))].slice(0, maxSteps) : [],
    exitType: exitType === 'user_exit' || exitType === 'unexpected' ? exitType : null,
    lastActive: seconds('last_active_timestamp'),
    startedAt: seconds('started_at'),
    isStarterDismissed: stored['starter_dismissed'] === true,
  }
}

/** A report of a client; absent members change nothing. */
interface Report {
  readonly current_step?: number
  readonly completed_steps?: readonly (string | number)[]
  readonly exit_type?: string | null
  readonly complete_step?: string | number
  readonly skip_step?: boolean
  readonly step_index?: number
  readonly total_steps?: number
  readonly start?: boolean
  readonly complete?: boolean
  readonly user_exit?: boolean
  readonly starter_dismissed?: boolean
}

const defaultStepCount = 5

/** Members of the report apply in this order; later ones overwrite earlier ones. */
export function applyReport(before: Progress, report: Report, now: number): Progress {
  let { index, completed, exitType, startedAt } = before
  if (report.current_step !== undefined) index = report.current_step
  if (report.completed_steps !== undefined) completed = report.completed_steps
  if (report.exit_type) exitType = report.exit_type
  if (report.complete_step !== undefined) completed = [...new Set([...completed, report.complete_step])]
  if (report.complete_step !== undefined || report.skip_step === true) {
    const next = (report.step_index ?? index) + 1
    if (next < (report.total_steps ?? defaultStepCount)) index = next
  }
  if (report.start === true) [startedAt, exitType] = [now, null]
  if (report.complete === true || report.user_exit === true) exitType = 'user_exit'
  return {
    index,
    completed: completed.slice(0, maxSteps),
    exitType,
    lastActive: now,
    startedAt,
    isStarterDismissed: before.isStarterDismissed || report.starter_dismissed === true,
  }
}

// ---------------------------------------------------------------- parsing

const maxSteps = 100
const maxLength = 200

type Check = (value: unknown) => boolean

const isCount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0
const isFlag: Check = (value) => typeof value === 'boolean'
const isStep = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '' && value.length <= maxLength) ||
  (typeof value === 'number' && Number.isFinite(value))

const checks: { readonly [key in keyof Required<Report>]: Check } = {
  current_step: isCount,
  completed_steps: (value) => Array.isArray(value) && value.length <= maxSteps,
  exit_type: (value) => value === null || ['user_exit', 'unexpected', ''].includes(value as string),
  complete_step: isStep,
  skip_step: isFlag,
  step_index: isCount,
  total_steps: isCount,
  start: isFlag,
  complete: isFlag,
  user_exit: isFlag,
  starter_dismissed: isFlag,
}

/** Throws `invalid_<key>` for an invalid member; unknown members are ignored. */
export function parseReport(body: { readonly [key: string]: unknown } | undefined): Report {
  requireBody(body)
  const keys = Object.keys(checks).filter((key) => Object.hasOwn(body, key) && body[key] !== undefined)
  // The casts: `checks` has the keys of a report, and each value was checked.
  for (const key of keys) if (!checks[key as keyof Report](body[key])) throw invalidMember(key)
  const report = Object.fromEntries(keys.map((key) => [key, body[key]])) as Report
  const { completed_steps: steps } = report
  return steps === undefined ? report : { ...report, completed_steps: [...new Set(steps.filter(isStep))] }
}

export const invalidMember = (key: string) => new ApiError(`invalid_${key}`, `The value of ${key} is not valid.`, 400)

/** Interface: a missing body, or one that is no object, is 400. */
export function requireBody<T>(body: T | undefined): asserts body is T {
  if (body === undefined) throw new ApiError('invalid_params', 'The body is no JSON object.', 400)
}
