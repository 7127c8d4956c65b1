/**
 * Runs the conformance cases on the drivers of the package, each with its real database. A full run has all cases; every run has all of
 * those that take seconds, and a sample of the others.
 */
import { describe, test } from 'vitest'
import { conformanceCases, isLacking } from '../../../src/testing/index.ts'
import { driversOf } from '../../support/drivers.ts'

const project = process.env.TEST_STORAGE === 'postgres' ? 'postgres' : 'sqlite'

describe.runIf(process.env.TEST_STORAGE !== 'memory').each(driversOf(project))('%s', (_, oneOf, open) => {
  for (const [at, each] of conformanceCases.entries()) {
    test.runIf(oneOf === 1 || at % oneOf === 7)(each.name, async (context) => {
      const { storage, dispose } = await open()
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
