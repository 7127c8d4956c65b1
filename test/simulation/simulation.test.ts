/** The service on a storage whose calls are ordered, failed and cut off by a seed; see simulate.ts. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Storage, StorageUnavailable } from '../../src/contract/storage.ts'
import { casesOf } from '../support/generated-cases.ts'
import { openStorage } from '../support/storage.ts'
import { isExplained, type Operation } from './history.ts'
import { simulateOutside } from './outside.ts'
import { type Simulation, simulate } from './simulate.ts'

const seeds = Number(process.env['SIMULATION_SEEDS'] ?? casesOf(100))

async function run(name: string, simulation: Omit<Simulation, 'storage'>) {
  const { storage, dispose } = await openStorage(name)
  try {
    return await simulate({ ...simulation, storage })
  } finally {
    await dispose()
  }
}

test.each(['memory', 'sqlite-memory'])('every history on %s can be explained', { timeout: 120_000 }, async (name) => {
  let unknown = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const report = await run(name, { seed })
    expect(report.problems, `seed ${seed}`).toEqual([])
    unknown += report.unknown
  }
  // Otherwise the failures would not reach the clients.
  expect(unknown).toBeGreaterThan(seeds)
})

describe('uploads, removals and webhooks', () => {
  // Background work waits for the seed, not for the clock of the machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test.each(['memory', 'sqlite-memory'])(
    'lose nothing on %s that was acknowledged',
    { timeout: 120_000 },
    async (name) => {
      let deliveries = 0
      for (let seed = 1; seed <= Math.ceil(seeds / 5); seed++) {
        const { storage } = await openStorage(name)
        const report = await simulateOutside(seed, storage)
        expect(report.problems, `seed ${seed}`).toEqual([])
        deliveries += report.deliveries
      }
      // Otherwise no event would leave the service.
      expect(deliveries).toBeGreaterThan(seeds)
    },
  )
})

test('without failures and restarts every outcome is known', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { problems, unknown } = await run('memory', { seed, chances: { failure: 0, restart: 0 } })
    expect({ problems, unknown }).toEqual({ problems: [], unknown: 0 })
  }
})

test('a seed gives the same run each time', async () => {
  for (const seed of [1, 2, 3]) {
    const [first, second] = [await run('memory', { seed }), await run('memory', { seed })]
    expect(second.trace).toBe(first.trace)
    expect(first.trace.length).toBeGreaterThan(500)
  }
})

const failing = (error: unknown) => error instanceof StorageUnavailable && error.written === 'perhaps'

/** Storages with a defect that no test of a single call shows. */
const defects: { readonly [says: string]: (storage: Storage) => Storage } = {
  'says that nothing was written when the answer to a commit is missing': (storage) => ({
    ...storage,
    atomic: async (work) => {
      try {
        // The cast: the storages of simulations have transactions.
        return (await storage.atomic?.(work)) as Awaited<ReturnType<typeof work>>
      } catch (error) {
        throw failing(error) ? new StorageUnavailable('lost', { written: 'no' }) : error
      }
    },
  }),
  'writes without a transaction': (storage) => ({ ...storage, atomic: async (work) => await work(storage) }),
  'forgets the keys of requests': (storage) => {
    const forgetful = (given: Storage): Storage => ({
      ...given,
      records: { ...given.records, query: async () => ({ rows: [], total: 0 }) },
      atomic: (work) => given.atomic?.((inner) => work(forgetful(inner))) as ReturnType<typeof work>,
    })
    return forgetful(storage)
  },
  'reads posts as they were before': (storage) => {
    const seen = new Map<string, Awaited<ReturnType<Storage['posts']['read']>>>()
    const stale: Storage['posts']['read'] = async (ids) => {
      const key = ids.join()
      const found = seen.get(key) ?? (await storage.posts.read(ids))
      seen.set(key, found)
      return found
    }
    return { ...storage, posts: { ...storage.posts, read: stale } }
  },
}

test.each(Object.entries(defects))('finds a storage that %s', { timeout: 120_000 }, async (_, broken) => {
  for (let seed = 1; seed <= 200; seed++) {
    const { problems } = await run('memory', { seed, broken })
    if (problems.length > 0) return
  }
  expect.fail('no seed found it')
})

// ---------------------------------------------------------------- the check of histories

const read = (value: string, start: number, end: number): Operation => ({
  ...{ start, end },
  effect: { kind: 'read', register: 0, value },
})
const write = (value: string, start: number, end: number): Operation => ({
  ...{ start, end },
  effect: { kind: 'write', registers: [0], value },
})
const never = Number.POSITIVE_INFINITY

test.each<[string, boolean, Operation[]]>([
  ['a read of the written value', true, [write('a', 1, 2), read('a', 3, 4)]],
  ['a read of an older value', false, [write('a', 1, 2), read('0', 3, 4)]],
  ['a read beside the write, of either value', true, [write('a', 1, 5), read('0', 2, 3), read('a', 4, 6)]],
  ['two reads in the wrong order', false, [write('a', 1, 8), read('a', 2, 3), read('0', 4, 5)]],
  ['an unknown write that happened late', true, [write('a', 1, never), read('0', 2, 3), read('a', 4, 5)]],
  ['an unknown write that never happened', true, [write('a', 1, never), read('0', 2, 3)]],
  ['an unknown write before it began', false, [read('a', 1, 2), write('a', 3, never)]],
  ['a value that nobody wrote', false, [read('x', 1, 2)]],
])('judges %s: %s', (_, isRight, history) => {
  expect(isExplained(history, ['0'])).toBe(isRight)
})
