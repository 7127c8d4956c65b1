/** A storage whose calls wait for their turn in a world, and fail or end with the process where the world says so. */
import { type Storage, StorageUnavailable } from '../../src/contract/storage.ts'
import type { Point, Process, World } from './world.ts'

/** After a commit only its answer can be missing. */
export const failureAt = (point: Point): Error =>
  new StorageUnavailable(`it failed at ${point}`, {
    written: point === 'committed' || point === 'written' ? 'perhaps' : 'no',
  })

const stores = ['posts', 'terms', 'users', 'meta', 'options', 'records'] as const
const writes: ReadonlySet<string> = new Set(['insert', 'update', 'remove', 'write', 'swap', 'assign'])

type Method = (...values: unknown[]) => unknown

export function simulatedStorage(storage: Storage, world: World, process: Process): Storage {
  return { ...storesOf(storage, world, process, true), changes: () => storage.changes?.() ?? 0 }
}

function storesOf(storage: Storage, world: World, process: Process, isRoot: boolean): Storage {
  const simulated = stores.map((name) => {
    const methods = Object.entries(storage[name]).map(([method, run]: [string, Method]) => [
      method,
      async (...values: unknown[]) => {
        await world.reach(process, 'call')
        const result = await run(...values)
        // Outside a transaction each write commits by itself.
        if (isRoot && writes.has(method)) await world.reach(process, 'written')
        return result
      },
    ])
    return [name, Object.fromEntries(methods)]
  })
  const atomic: NonNullable<Storage['atomic']> = async (work) => {
    await world.reach(process, 'begin')
    const result = await storage.atomic?.(async (transaction) => {
      const done = await work(storesOf(transaction, world, process, false))
      await world.reach(process, 'commit')
      return done
    })
    if (isRoot) await world.reach(process, 'committed')
    // The cast: the storages of simulations have transactions.
    return result as Awaited<ReturnType<typeof work>>
  }
  // The cast: the names and signatures are those of the storage.
  return { ...Object.fromEntries(simulated), atomic } as Storage
}
