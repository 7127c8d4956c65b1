/** The conformance cases catch storages that break the contract: a kit that passes everything would say nothing. */
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { conformanceCases } from '../../src/testing/index.ts'
import { type Break, breakStorage } from './broken/break.ts'
import { brokenOthers } from './broken/others.ts'
import { brokenQueries } from './broken/post-queries.ts'
import { brokenPosts } from './broken/posts.ts'
import { brokenTransactions } from './broken/transactions.ts'

const brokenStorages = { ...brokenPosts, ...brokenQueries, ...brokenOthers, ...brokenTransactions }

/** The first case that a storage broken like this fails, with what it says. */
async function caughtBy(breakIt: Break): Promise<string | undefined> {
  for (const each of conformanceCases) {
    try {
      await each.run(breakStorage(memoryStorage(), breakIt))
    } catch (error) {
      return `${each.name}: ${error instanceof Error ? error.message : error}`
    }
  }
  return undefined
}

// They are made from the memory storage, whatever the project: once is enough.
describe.runIf(process.env.TEST_STORAGE === 'memory')('the conformance cases', () => {
  test('pass a storage that is wrapped and not broken', async () => {
    expect(await caughtBy(() => ({}))).toBeUndefined()
  })

  test.each(Object.entries(brokenStorages))('catch a storage that %s', async (_, breakIt) => {
    expect(await caughtBy(breakIt)).toBeTypeOf('string')
  })
})
