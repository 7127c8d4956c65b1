import { expect, test } from 'vitest'
import { inTurn, shareWork, Work, workOf } from '../../../src/core/runtime/work.ts'

test('gives one record a third of the work, and all records no more than the whole', () => {
  const work = new Work(300)
  expect(work.take(101)).toBe(false)
  expect(work.isExceeded).toBe(false)
  expect([work.take(100), work.take(100), work.take(100)]).toEqual([true, true, true])
  expect(work.isExceeded).toBe(false)
  expect(work.take(1)).toBe(false)
  expect(work.isExceeded).toBe(true)
})

test('counts shown texts by their length', () => {
  const work = new Work(10)
  expect(work.show(1990)).toBe(true)
  expect(work.begin()).toBe(false)
})

test('is one for all parts of a request, and for the requests inside of it', () => {
  const [outer, inner, other] = [{}, {}, {}]
  shareWork(inner, outer, 300)
  workOf(inner, 300).spend(300)
  expect(workOf(outer, 300).begin()).toBe(false)
  expect(workOf(other, 300).begin()).toBe(true)
})

test('runs few records side by side, in their order', async () => {
  const work = new Work(300)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = Array.from({ length: 6 }, (_, at) =>
    work.amongFew(async () => {
      begun.push(at)
      await new Promise<void>((resolve) => void ends.push(resolve))
      return at
    }),
  )
  expect(begun).toEqual([0, 1, 2])
  for (let done = 0; done < 6; done++) {
    ends[done]?.()
    for (let turn = 0; turn < 8; turn++) await undefined
  }
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5])
  await expect(work.amongFew(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await work.amongFew(async () => 'next')).toBe('next')
})

test('lets the event loop turn between pieces of long work', async () => {
  let turns = 0
  const beat = setInterval(() => turns++, 0)
  const spin = () => {
    const end = performance.now() + 25
    while (performance.now() < end);
  }
  // Side by side, as the documents of a list: without turns none of the timers would run in between.
  await Promise.all(Array.from({ length: 6 }, () => inTurn(spin)))
  clearInterval(beat)
  expect(turns).toBeGreaterThan(1)
})
