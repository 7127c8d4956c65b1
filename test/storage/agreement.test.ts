/** Generated writes and reads have the same results on memory and on the storage of this project. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../support/generated-cases.ts'
import { openStorage } from '../support/storage.ts'
import { content, write } from './generated-content.ts'
import { generatedReads, readAll } from './generated-reads.ts'

const runs = Number(process.env.AGREEMENT_RUNS ?? casesOf(40, 1 / 2))
const project = process.env.TEST_STORAGE ?? 'memory'
const name = project === 'sqlite' ? 'sqlite-memory' : project

// Memory is the reference for the others.
describe.runIf(project !== 'memory')(`memory and ${project}`, () => {
  test('return equal results for generated queries over generated content', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(content, generatedReads, async (writes, reads) => {
        const [memory, other] = await Promise.all([openStorage('memory'), openStorage(name)])
        try {
          expect(await write(other.storage, writes)).toEqual(await write(memory.storage, writes))
          const expected = await readAll(memory.storage, reads)
          const actual = await readAll(other.storage, reads)
          for (const [index, result] of expected.entries()) expect(actual[index]).toEqual(result)
        } finally {
          await Promise.all([memory.dispose(), other.dispose()])
        }
      }),
      { numRuns: runs },
    )
  })
})
