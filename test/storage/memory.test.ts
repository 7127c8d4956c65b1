/** The memory storage beyond the contract: synchronous results, and the end of work that does not await its writes. */
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { postValues } from '../../src/testing/content.ts'

// Runs only in the memory project.
describe.runIf(process.env.TEST_STORAGE === 'memory')('the memory storage', () => {
  test('is synchronous while no transaction runs', () => {
    const storage = memoryStorage()
    expect(storage.posts.insert([postValues()])).toEqual([1])
    expect(storage.options.swap('a', null, 1)).toBe(true)
    expect(storage.atomic?.((transaction) => transaction.posts.insert([postValues()]))).toEqual([2])
    expect(storage.options.read()).toEqual({ a: 1 })
  })

  test('reads synchronously and delays writes while a transaction runs', async () => {
    const storage = memoryStorage()
    const ending = Promise.withResolvers<void>()
    const running = storage.atomic?.(async (transaction) => {
      await transaction.options.write({ a: 'inside' })
      await ending.promise
    })
    const write = storage.options.write({ b: 'outside' })
    expect(write).toBeInstanceOf(Promise)
    expect(storage.options.read()).toEqual({})
    ending.resolve()
    await running
    await write
    expect(storage.options.read()).toEqual({ a: 'inside', b: 'outside' })
  })

  test('delays an outside write during synchronous work of a transaction until its end', async () => {
    const storage = memoryStorage()
    let write: unknown
    storage.atomic?.((transaction) => {
      transaction.options.write({ a: 1 })
      write = storage.options.swap('a', 1, 2)
    })
    expect(await write).toBe(true)
    expect(storage.options.read()).toEqual({ a: 2 })
  })

  test('rolls back a transaction that ends before its savepoint', async () => {
    const storage = memoryStorage()
    const ending = Promise.withResolvers<void>()
    let unawaited: Promise<unknown> = Promise.resolve()
    let queued: Promise<unknown> = Promise.resolve()
    const running = storage.atomic?.((transaction) => {
      transaction.options.write({ a: 1 })
      unawaited = Promise.resolve(
        transaction.atomic?.(async (savepoint) => {
          await savepoint.options.write({ b: 1 })
          await ending.promise
        }),
      )
      queued = Promise.resolve(transaction.options.write({ c: 1 }))
      return Promise.resolve()
    })
    await expect(running).rejects.toThrow('savepoint was still running')
    await expect(queued).rejects.toThrow('has ended')
    ending.resolve()
    await expect(unawaited).rejects.toThrow('has ended')
    expect(storage.options.read()).toEqual({})
    storage.options.write({ d: 1 })
    expect(storage.options.read()).toEqual({ d: 1 })
  })
})
