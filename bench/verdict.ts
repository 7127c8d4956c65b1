/** Whether a target is met. */
import { median } from './statistics.ts'
import type { Target } from './targets.ts'

export const reaches = ({ sense, bound }: Pick<Target, 'sense' | 'bound'>, value: number): boolean =>
  sense === 'at least' ? value >= bound : value <= bound

export const isMet = (target: Target): boolean => reaches(target, median(target.reached))
