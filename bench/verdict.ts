/** Whether a target is met. */
import { median } from './statistics.ts'
import type { Target } from './targets.ts'

export type { Target }

export function isMet({ sense, hold, reached }: Target): boolean {
  const value = median(reached)
  return sense === 'at least' ? value >= hold : value <= hold
}
