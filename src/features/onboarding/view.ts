/** Progress and installation as the onboarding of the page builder shows them. */
import type { InstalledPackage } from '../../services/packages/index.ts'
import type { Progress } from './progress.ts'

export const progressView = (progress: Progress) => ({
  current_step: progress.index,
  current_step_index: progress.index,
  // Interface: a client cannot set it, and each step forward would clear it.
  current_step_id: null,
  completed_steps: progress.completed,
  exit_type: progress.exitType,
  last_active_timestamp: progress.lastActive,
  started_at: progress.startedAt,
  starter_dismissed: progress.isStarterDismissed,
})

export const hadUnexpectedExit = ({ exitType, index }: Progress, isFinished: boolean) =>
  exitType === null && index > 0 && !isFinished

/** The state of a package, or of the first of several that is active. */
export const installedView = (found: readonly InstalledPackage[]) => ({
  data: { installed: found.length > 0, active: found.some(({ status }) => status === 'active') },
})

export const doneView = (message: string) => ({ data: { success: true, message } })
