/**
 * The conformance cases of the storage contract, independent of a test runner: a host runs them against its own storage.
 *
 * ```ts
 * for (const each of conformanceCases) {
 *   test(each.name, { skip: isLacking(storageOfMine(), each) }, () => each.run(storageOfMine()))
 * }
 * ```
 */

import type { MaybePromise, Storage } from '../contract/storage.ts'
import { atomicCases } from './atomic.ts'
import type { ConformanceCase } from './case.ts'
import { changeCases } from './changes.ts'
import { clockCases } from './clock.ts'
import { copyCases } from './copies.ts'
import { failureCases } from './failures.ts'
import { givenIdCases } from './given-ids.ts'
import { isolationCases } from './isolation.ts'
import { longListCases } from './long-lists.ts'
import { metaAndOptionCases } from './meta-and-options.ts'
import { newIdCases } from './new-ids.ts'
import { nulCases } from './nul.ts'
import { postFilterCases } from './posts/filters.ts'
import { postOrderCases } from './posts/orders.ts'
import { postSearchCases } from './posts/search.ts'
import { postTermCases } from './posts/terms.ts'
import { postWriteCases } from './posts/writes.ts'
import { recordConditionCases } from './record-conditions.ts'
import { recordCountCases } from './record-counts.ts'
import { recordCases } from './records.ts'
import { type ConformanceReport, createReport } from './report.ts'
import { termListCases } from './terms/lists.ts'
import { termCases } from './terms/terms.ts'
import { termTreeCases } from './terms/trees.ts'
import { userCases } from './users.ts'

export type { ConformanceCase } from './case.ts'
export type { ConformanceReport, ConformanceResult } from './report.ts'

/**
 * Each `run` needs a new storage, open and empty; it rejects with an error that states what was expected.
 *
 * ```ts
 * import { conformanceCases } from 'site-api/testing'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * for (const { run } of conformanceCases) await run(memoryStorage())
 * ```
 */
export const conformanceCases: readonly ConformanceCase[] = [
  ...postFilterCases,
  ...postOrderCases,
  ...postSearchCases,
  ...postTermCases,
  ...postWriteCases,
  ...termCases,
  ...termListCases,
  ...termTreeCases,
  ...userCases,
  ...metaAndOptionCases,
  ...recordCases,
  ...recordConditionCases,
  ...recordCountCases,
  ...copyCases,
  ...nulCases,
  ...failureCases,
  ...atomicCases,
  ...newIdCases,
  ...givenIdCases,
  ...isolationCases,
  ...changeCases,
  ...clockCases,
  ...longListCases,
]

/**
 * Returns the reason to skip the case for this storage, or false.
 *
 * ```ts
 * import { conformanceCases, isLacking } from 'site-api/testing'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * export const skipped = conformanceCases.filter((one) => isLacking(memoryStorage(), one) !== false)
 * ```
 */
export function isLacking(storage: Storage, { needs }: ConformanceCase): string | false {
  const isThere =
    needs === undefined || storage[needs] !== undefined || (needs === 'changes' && storage.readChanges !== undefined)
  return !isThere && `the storage leaves out ${needs}`
}

/**
 * Runs each case on a new storage, and returns a report that can be written as JSON: for each case its name, outcome, reason
 * and duration.
 *
 * ```ts
 * console.log(JSON.stringify(await conformanceReport(() => storageOfMine()), null, 2))
 * ```
 */
export const conformanceReport: (createStorage: () => MaybePromise<Storage>) => Promise<ConformanceReport> =
  createReport(conformanceCases, isLacking)
