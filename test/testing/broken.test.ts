/** The conformance cases fail on storages that break the contract. */
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { conformanceCases } from '../../src/testing/index.ts'
import { counted } from '../support/counted.ts'
import { type Break, breakStorage } from './broken/break.ts'
import { brokenOthers } from './broken/others.ts'
import { brokenQueries } from './broken/post-queries.ts'
import { brokenPosts } from './broken/posts.ts'
import { brokenTransactions } from './broken/transactions.ts'

const brokenStorages = { ...brokenPosts, ...brokenQueries, ...brokenOthers, ...brokenTransactions }

/** The name and error of the first case that fails on a storage with this defect. */
async function firstFailure(breakIt: Break): Promise<string | undefined> {
  for (const each of conformanceCases) {
    try {
      await each.run(breakStorage(memoryStorage(), breakIt))
    } catch (error) {
      return `${each.name}: ${error instanceof Error ? error.message : error}`
    }
  }
  return undefined
}

// Always based on the memory storage, so they run only in the memory project.
describe.runIf(process.env.TEST_STORAGE === 'memory')('the conformance cases', () => {
  test('pass on a wrapped storage without a defect', async () => {
    expect(await firstFailure(() => ({}))).toBeUndefined()
  })

  test.each(Object.entries(brokenStorages))('fail on a storage that %s', async (_, breakIt) => {
    expect(await firstFailure(breakIt)).toBeTypeOf('string')
    counted(1, 'broken storages caught')
  })
})
