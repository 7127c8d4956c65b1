/** Says of the item at hand what could not be carried over. */
import type { ProblemKind } from './report.ts'

export type Warn = (kind: ProblemKind, what: string, count?: number) => void
