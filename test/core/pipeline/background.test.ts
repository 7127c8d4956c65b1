import { expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import type { AppContext } from '../../../src/core/declare/app-context.ts'
import { Background } from '../../../src/core/pipeline/background.ts'

/** The cast: the background asks an app for no more than this, and its works here ask nothing. */
const parts = (failures: unknown[] = []) => ({
  app: { clock: Date.now, log: { error: (_: string, about: object) => failures.push(about) } } as unknown as AppContext,
  storage: {} as Storage,
  ready: () => undefined,
})

async function afterMicrotasks(count: number, work: () => void): Promise<void> {
  for (let at = 0; at < count; at++) await undefined
  work()
}

const turn = () => new Promise(setImmediate)

test.each(Array.from({ length: 16 }, (_, count) => count))(
  'work that is woken %i microtasks after it began runs once more',
  async (count) => {
    let runs = 0
    const background: Background = new Background({
      ...parts(),
      works: [
        {
          name: 'counted',
          run: async () => {
            if (++runs === 1) void afterMicrotasks(count, () => background.wake())
            return Number.POSITIVE_INFINITY
          },
        },
      ],
    })
    background.wake()
    await turn()
    expect(runs).toBe(2)
    await background.close()
  },
)

test('work that cannot begin is tried again when it is woken, not before', async () => {
  const failures: unknown[] = []
  let asked = 0
  const ready = () => {
    asked++
    throw new Error('no storage')
  }
  const work = { name: 'never', run: async () => Number.POSITIVE_INFINITY }
  const background = new Background({ ...parts(failures), ready, works: [work] })
  background.wake()
  background.wake()
  await turn()
  expect([asked, failures.length]).toEqual([1, 1])
  background.wake()
  await turn()
  expect([asked, failures.length]).toEqual([2, 2])
  await background.close()
})
