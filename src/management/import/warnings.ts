/** Reports a problem of the current item. */
import type { ProblemKind } from './report.ts'

export type Warn = (kind: ProblemKind, what: string, count?: number) => void
