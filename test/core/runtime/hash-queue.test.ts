import { expect, test } from 'vitest'
import { HashQueue } from '../../../src/core/runtime/hash-queue.ts'

/** Starts work for these clients, which `endNext` ends, and notes what has begun. */
function start(clients: readonly string[]) {
  const queue = new HashQueue()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const all = clients.map((client) =>
    queue.run(client, () => {
      begun.push(client)
      return new Promise<string>((resolve) => void ends.push(() => resolve(client)))
    }),
  )
  const endNext = async () => {
    ends.shift()?.()
    for (let turn = 0; turn < 8; turn++) await undefined
  }
  return { queue, begun, all, endNext }
}

test('computes few digests at a time, and all of them in the end', async () => {
  const clients = Array.from({ length: 100 }, (_, at) => `client ${at}`)
  const { begun, all, endNext } = start(clients)
  const atFirst = begun.length
  expect(atFirst).toBeLessThanOrEqual(2)
  for (let done = 0; done < clients.length; done++) {
    expect(begun.length).toBe(Math.min(clients.length, atFirst + done))
    await endNext()
  }
  expect(await Promise.all(all)).toEqual(clients)
})

test('one client with many attempts delays another by one', async () => {
  const { begun, endNext } = start([...Array.from({ length: 20 }, () => 'flood'), 'vera', 'ada'])
  const before = begun.length
  for (let turn = 0; turn < 4; turn++) await endNext()
  expect(begun.slice(before, before + 3)).toEqual(['flood', 'vera', 'ada'])
})

test('goes on after work that fails', async () => {
  const queue = new HashQueue()
  const failing = Array.from({ length: 5 }, () => queue.run('a', () => Promise.reject(new Error('no memory'))))
  const results = await Promise.allSettled([...failing, queue.run('a', async () => 'done')])
  expect(results.map(({ status }) => status)).toEqual([...failing.map(() => 'rejected'), 'fulfilled'])
})

test('is full with 128 that wait, until some are done', async () => {
  const { queue, endNext } = start(Array.from({ length: 128 }, (_, at) => String(at)))
  expect(queue.isFull).toBe(false)
  void queue.run('one', async () => 1)
  void queue.run('two', async () => 1)
  expect(queue.isFull).toBe(true)
  for (let turn = 0; turn < 3; turn++) await endNext()
  expect(queue.isFull).toBe(false)
})
