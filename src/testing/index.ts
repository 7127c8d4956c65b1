/**
 * The cases that every storage has to pass, free of any test runner. They are the contract as something that runs: a host
 * that writes its own storage runs them against it.
 *
 * ```ts
 * for (const each of conformanceCases) {
 *   test(each.name, { skip: isLacking(storageOfMine(), each) }, () => each.run(storageOfMine()))
 * }
 * ```
 */
import { atomicCases } from './conformance/atomic.ts'
import type { ConformanceCase } from './conformance/case.ts'
import { changeCases } from './conformance/changes.ts'
import { copyCases } from './conformance/copies.ts'
import { failureCases } from './conformance/failures.ts'
import { isolationCases } from './conformance/isolation.ts'
import { longListCases } from './conformance/long-lists.ts'
import { metaAndOptionCases } from './conformance/meta-and-options.ts'
import { nulCases } from './conformance/nul.ts'
import { postFilterCases } from './conformance/post-filters.ts'
import { postOrderCases } from './conformance/post-orders.ts'
import { postSearchCases } from './conformance/post-search.ts'
import { postTermCases } from './conformance/post-terms.ts'
import { postWriteCases } from './conformance/post-writes.ts'
import { recordConditionCases } from './conformance/record-conditions.ts'
import { recordCases } from './conformance/records.ts'
import { termCases } from './conformance/terms.ts'
import { userCases } from './conformance/users.ts'
import type { Storage } from './contract.ts'

export type { ConformanceCase } from './conformance/case.ts'

/** Each `run` wants a storage of its own, open and empty, and rejects with a sentence that says what was expected. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...postFilterCases,
  ...postOrderCases,
  ...postSearchCases,
  ...postTermCases,
  ...postWriteCases,
  ...termCases,
  ...userCases,
  ...metaAndOptionCases,
  ...recordCases,
  ...recordConditionCases,
  ...copyCases,
  ...nulCases,
  ...failureCases,
  ...atomicCases,
  ...isolationCases,
  ...changeCases,
  ...longListCases,
]

/** Why this storage skips the case, or false. */
export function isLacking(storage: Storage, { needs }: ConformanceCase): string | false {
  return needs !== undefined && storage[needs] === undefined && `the storage leaves out ${needs}`
}
