/** Runs the conformance cases on the storage of this test project. */
import { describe, test } from 'vitest'
import { conformanceCases, isLacking } from '../../src/testing/index.ts'
import { openStorage } from '../support/storage.ts'

const project = process.env.TEST_STORAGE ?? 'memory'
const names = project === 'sqlite' ? ['sqlite', 'sqlite-memory'] : [project]

describe.each(names)('%s', (name) => {
  for (const each of conformanceCases) {
    test(each.name, async (context) => {
      const { storage, dispose } = await openStorage(name)
      try {
        const reason = isLacking(storage, each)
        // The storage lacks an optional method, which the reason names.
        if (reason !== false) context.skip(reason)
        await each.run(storage)
      } finally {
        await dispose()
      }
    })
  }
})
