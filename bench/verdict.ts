/** Whether a target is met. */
import { median } from './statistics.ts'
import type { Target } from './targets.ts'

export function isMet({ sense, bound, reached }: Target): boolean {
  const value = median(reached)
  return sense === 'at least' ? value >= bound : value <= bound
}
