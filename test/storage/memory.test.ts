/** What the memory storage promises beyond the contract: answers at once, and an end for work that forgot to wait. */
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { postValues } from '../../src/testing/content.ts'

// It has no other project to run in: once is enough.
describe.runIf(process.env.TEST_STORAGE === 'memory')('the memory storage', () => {
  test('answers at once while no transaction runs', () => {
    const storage = memoryStorage()
    expect(storage.posts.insert([postValues()])).toEqual([1])
    expect(storage.options.swap('a', null, 1)).toBe(true)
    expect(storage.atomic?.((inside) => inside.posts.insert([postValues()]))).toEqual([2])
    expect(storage.options.read()).toEqual({ a: 1 })
  })

  test('answers reads at once and writes later while a transaction runs', async () => {
    const storage = memoryStorage()
    const told = Promise.withResolvers<void>()
    const running = storage.atomic?.(async (inside) => {
      await inside.options.write({ a: 'inside' })
      await told.promise
    })
    const write = storage.options.write({ b: 'outside' })
    expect(write).toBeInstanceOf(Promise)
    expect(storage.options.read()).toEqual({})
    told.resolve()
    await running
    await write
    expect(storage.options.read()).toEqual({ a: 'inside', b: 'outside' })
  })

  test('lets a write within synchronous work of a transaction wait for its end', async () => {
    const storage = memoryStorage()
    let write: unknown
    storage.atomic?.((inside) => {
      inside.options.write({ a: 1 })
      write = storage.options.swap('a', 1, 2)
    })
    expect(await write).toBe(true)
    expect(storage.options.read()).toEqual({ a: 2 })
  })

  test('writes nothing of a transaction that ends before its savepoint', async () => {
    const storage = memoryStorage()
    const told = Promise.withResolvers<void>()
    let forgotten: Promise<unknown> = Promise.resolve()
    let waiting: Promise<unknown> = Promise.resolve()
    const running = storage.atomic?.((inside) => {
      inside.options.write({ a: 1 })
      forgotten = Promise.resolve(
        inside.atomic?.(async (savepoint) => {
          await savepoint.options.write({ b: 1 })
          await told.promise
        }),
      )
      waiting = Promise.resolve(inside.options.write({ c: 1 }))
      return Promise.resolve()
    })
    await expect(running).rejects.toThrow('savepoint was still running')
    await expect(waiting).rejects.toThrow('has ended')
    told.resolve()
    await expect(forgotten).rejects.toThrow('has ended')
    expect(storage.options.read()).toEqual({})
    storage.options.write({ d: 1 })
    expect(storage.options.read()).toEqual({ d: 1 })
  })
})
