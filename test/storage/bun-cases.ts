/**
 * Run by Bun: the conformance cases on the storage that the first argument names, and whether it agrees with memory about
 * generated questions. Says one line of JSON per case; the last one is `agreement`.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { conformanceCases, isLacking } from '../../src/testing/index.ts'
import { openStorage } from '../support/storage.ts'
import { content, write } from './generated-content.ts'
import { answers, questions } from './generated-reads.ts'

const [name = 'memory', runs = '0'] = process.argv.slice(2)

async function say(about: string, work: () => Promise<string | false>): Promise<void> {
  const skipped = await work().catch((error: Error) => ({ failure: error.stack ?? error.message }))
  console.log(JSON.stringify({ name: about, ...(typeof skipped === 'object' ? skipped : { skipped }) }))
}

for (const each of conformanceCases) {
  await say(each.name, async () => {
    const { storage, dispose } = await openStorage(name)
    try {
      const reason = isLacking(storage, each)
      if (reason === false) await each.run(storage)
      return reason
    } finally {
      await dispose()
    }
  })
}

await say('agreement', async () => {
  await fc.assert(
    fc.asyncProperty(content, questions, async (written, asked) => {
      const [memory, other] = await Promise.all([openStorage('memory'), openStorage(name)])
      try {
        assert.deepEqual(await write(other.storage, written), await write(memory.storage, written))
        assert.deepEqual(await answers(other.storage, asked), await answers(memory.storage, asked))
      } finally {
        await Promise.all([memory.dispose(), other.dispose()])
      }
    }),
    { numRuns: Number(runs) },
  )
  return false
})
