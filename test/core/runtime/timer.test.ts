import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTimer } from '../../../src/core/runtime/timer.ts'

const minute = 60_000
const day = 24 * 60 * minute

let now: number
let woken: number
const timer = () =>
  createTimer(
    () => now,
    () => woken++,
  )

beforeEach(() => {
  now = 0
  woken = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => void vi.useRealTimers())

/** Moves the clock of the site and the timers of the process together. */
const wait = (ms: number) => {
  for (let passed = 0; passed < ms; passed += minute) {
    now += minute
    vi.advanceTimersByTime(minute)
  }
}

test('wakes once at its time, however far ahead', () => {
  timer().set(30 * day)
  wait(30 * day - minute)
  expect(woken).toBe(0)
  wait(2 * day)
  expect(woken).toBe(1)
})

test('wakes some minutes after a suspended machine goes on', () => {
  timer().set(10 * day)
  // The clock moves on, the timers of the process do not.
  now = 11 * day
  wait(5 * minute)
  expect(woken).toBe(1)
})

test('set again, it forgets the time before', () => {
  const one = timer()
  one.set(2 * minute)
  one.set(10 * minute)
  wait(9 * minute)
  expect(woken).toBe(0)
  wait(minute)
  expect(woken).toBe(1)
  one.set(12 * minute)
  one.clear()
  wait(day)
  expect(woken).toBe(1)
})
