/** Whatever is written to two storages, and whatever is asked afterwards, they answer the same. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStorage } from '../support/storage.ts'
import { content, write } from './generated-content.ts'
import { answers, questions } from './generated-reads.ts'

const runs = Number(process.env.AGREEMENT_RUNS ?? 40)
const project = process.env.TEST_STORAGE ?? 'memory'
const name = project === 'sqlite' ? 'sqlite-memory' : project

// The others are compared with memory.
describe.runIf(project !== 'memory')(`memory and ${project}`, () => {
  test('give equal answers to generated queries over generated content', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(content, questions, async (written, asked) => {
        const [memory, other] = await Promise.all([openStorage('memory'), openStorage(name)])
        try {
          expect(await write(other.storage, written)).toEqual(await write(memory.storage, written))
          const expected = await answers(memory.storage, asked)
          const actual = await answers(other.storage, asked)
          for (const [index, answer] of expected.entries()) expect(actual[index]).toEqual(answer)
        } finally {
          await Promise.all([memory.dispose(), other.dispose()])
        }
      }),
      { numRuns: runs },
    )
  })
})
