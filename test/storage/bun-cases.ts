/**
 * Run by Bun: the conformance cases on the storage named by the first argument, then generated reads compared with memory.
 * Prints one line of JSON per case; the last one is `agreement`.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { conformanceCases, isLacking } from '../../src/testing/index.ts'
import { openStorage } from '../support/storage.ts'
import { content, write } from './generated-content.ts'
import { generatedReads, readAll } from './generated-reads.ts'

const [storageName = 'memory', runs = '0'] = process.argv.slice(2)

/** Prints the result of a case: the reason if it was skipped, the error if it failed. */
async function report(name: string, work: () => Promise<string | false>): Promise<void> {
  const skipped = await work().catch((error: Error) => ({ failure: error.stack ?? error.message }))
  console.log(JSON.stringify({ name, ...(typeof skipped === 'object' ? skipped : { skipped }) }))
}

for (const each of conformanceCases) {
  await report(each.name, async () => {
    const { storage, dispose } = await openStorage(storageName)
    try {
      const reason = isLacking(storage, each)
      if (reason === false) await each.run(storage)
      return reason
    } finally {
      await dispose()
    }
  })
}

await report('agreement', async () => {
  await fc.assert(
    fc.asyncProperty(content, generatedReads, async (writes, reads) => {
      const [memory, other] = await Promise.all([openStorage('memory'), openStorage(storageName)])
      try {
        assert.deepEqual(await write(other.storage, writes), await write(memory.storage, writes))
        assert.deepEqual(await readAll(other.storage, reads), await readAll(memory.storage, reads))
      } finally {
        await Promise.all([memory.dispose(), other.dispose()])
      }
    }),
    { numRuns: Number(runs) },
  )
  return false
})
