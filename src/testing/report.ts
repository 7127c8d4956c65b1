/** Runs all conformance cases on a storage and reports the results as plain values, for tools that read JSON. */
import type { MaybePromise, Storage } from '../contract/storage.ts'
import type { ConformanceCase } from './case.ts'

/** The result of one case. */
export interface ConformanceResult {
  readonly case: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why the case failed or was skipped; null for one that passed. */
  readonly reason: string | null
  readonly ms: number
}

/** The results of all cases. */
export interface ConformanceReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly cases: readonly ConformanceResult[]
}

export const createReport =
  (cases: readonly ConformanceCase[], isLacking: (storage: Storage, each: ConformanceCase) => string | false) =>
  async (createStorage: () => MaybePromise<Storage>): Promise<ConformanceReport> => {
    const results: ConformanceResult[] = []
    for (const each of cases) results.push(await resultOf(each, createStorage, isLacking))
    const count = (outcome: ConformanceResult['outcome']) => results.filter((one) => one.outcome === outcome).length
    return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), cases: results }
  }

/** A storage that can not be created or opened fails its case, so that a report is always complete. */
async function resultOf(
  each: ConformanceCase,
  createStorage: () => MaybePromise<Storage>,
  isLacking: (storage: Storage, each: ConformanceCase) => string | false,
): Promise<ConformanceResult> {
  const started = performance.now()
  const result = (outcome: ConformanceResult['outcome'], reason: string | null): ConformanceResult => {
    return { case: each.name, outcome, reason, ms: Math.round(performance.now() - started) }
  }
  let storage: Storage | undefined
  try {
    storage = await createStorage()
    const lacking = isLacking(storage, each)
    if (lacking !== false) return result('skipped', lacking)
    await storage.open?.()
    await each.run(storage)
    return result('passed', null)
  } catch (error) {
    return result('failed', error instanceof Error ? error.message : String(error))
  } finally {
    await storage?.close?.()
  }
}
