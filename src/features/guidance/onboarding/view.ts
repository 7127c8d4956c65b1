/** Responses and response schemas of the onboarding. */

import { bool, int, list, nullable, num, oneOf, str } from '../../../core/declare/args.ts'
import { either, exactly, fields } from '../../../core/declare/response-schema.ts'
import type { InstalledPackage } from '../../../services/packages/index.ts'
import type { Progress } from './progress.ts'

export const progressView = (progress: Progress) => ({
  current_step: progress.index,
  current_step_index: progress.index,
  // Interface: always null, because clients cannot set it and each step forward would clear it.
  current_step_id: null,
  completed_steps: progress.completed,
  exit_type: progress.exitType,
  last_active_timestamp: progress.lastActive,
  started_at: progress.startedAt,
  starter_dismissed: progress.isStarterDismissed,
})

export const hadUnexpectedExit = ({ exitType, index }: Progress, isFinished: boolean) =>
  exitType === null && index > 0 && !isFinished

/** Whether any of the packages is installed, and whether any is active. */
export const installedView = (packages: readonly InstalledPackage[]) => ({
  data: { installed: packages.length > 0, active: packages.some(({ status }) => status === 'active') },
})

export const doneView = (message: string) => ({ data: { success: true, message } })

// ---------------------------------------------------------------- schemas

const progress = fields(
  {
    current_step: num({ description: 'As `current_step_index`.' }),
    current_step_index: num({ description: 'The place of the step, from 0.' }),
    current_step_id: exactly(null),
    completed_steps: list(either(str(), num())),
    exit_type: nullable(oneOf(['user_exit', 'unexpected'])),
    last_active_timestamp: nullable(int({ description: 'Seconds of the clock of the site.' })),
    started_at: nullable(int({ description: 'Seconds of the clock of the site.' })),
    starter_dismissed: bool(),
  },
  { title: 'Onboarding progress' },
)

export const progressSchema = fields({
  data: progress,
  meta: fields({ had_unexpected_exit: bool({ description: 'Whether it was left in the middle.' }) }),
})

export const reportedProgressSchema = fields({ data: exactly('success'), progress })

const choices = fields(
  {
    building_for: nullable(str()),
    site_about: list(str()),
    experience_level: nullable(str()),
    theme_selection: nullable(str()),
    site_features: list(str()),
  },
  { title: 'Onboarding choices' },
)

export const choicesSchema = fields({ data: choices })
export const reportedChoicesSchema = fields({ data: exactly('success'), choices })
export const installScreenSchema = fields({ data: fields({ shouldShowProInstallScreen: bool() }) })
export const installedSchema = fields({ data: fields({ installed: bool(), active: bool() }) })

/** The schema of `doneView`. */
export const doneSchema = <const M extends readonly string[]>(...messages: M) =>
  fields({ data: fields({ success: exactly(true), message: oneOf(messages) }) })
