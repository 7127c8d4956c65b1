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

import type { Storage } from '../storage/contract.ts'
import { atomicCases } from './atomic.ts'
import type { ConformanceCase } from './case.ts'
import { changeCases } from './changes.ts'
import { copyCases } from './copies.ts'
import { failureCases } from './failures.ts'
import { isolationCases } from './isolation.ts'
import { longListCases } from './long-lists.ts'
import { metaAndOptionCases } from './meta-and-options.ts'
import { nulCases } from './nul.ts'
import { postFilterCases } from './posts/filters.ts'
import { postOrderCases } from './posts/orders.ts'
import { postSearchCases } from './posts/search.ts'
import { postTermCases } from './posts/terms.ts'
import { postWriteCases } from './posts/writes.ts'
import { recordConditionCases } from './record-conditions.ts'
import { recordCases } from './records.ts'
import { termCases } from './terms.ts'
import { userCases } from './users.ts'

export type { ConformanceCase } from './case.ts'

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
