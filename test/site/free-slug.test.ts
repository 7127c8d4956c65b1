import fc from 'fast-check'
import { expect, it } from 'vitest'
import { freeName, freeSlug, NumberSearch } from '../../src/site/free-slug.ts'

/** Searches among taken numbers, and counts the rounds and the numbers that were looked up. */
function search(isTaken: (number: number) => boolean, options: { readonly first?: 1 | 2; readonly own?: number } = {}) {
  const numbers = new NumberSearch(options.first, options.own)
  let looked = 0
  for (let rounds = 1; ; rounds++) {
    looked += numbers.next().length
    const found = numbers.settle((number) => !isTaken(number))
    if (found !== undefined) return { found, rounds, looked }
  }
}

it('finds the smallest free number up to 255, whatever was freed', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 255 }), { minLength: 1 }), (gaps) => {
      const free = new Set(gaps)
      expect(search((number) => number < 5000 && !free.has(number)).found).toBe(Math.min(...gaps))
    }),
  )
})

it('finds the number behind the last of as many as there are', () => {
  for (const count of [0, 1, 2, 9, 10, 11, 100, 254, 255, 256, 257, 1000, 4095, 4096, 10_000, 50_000, 1_000_000]) {
    expect(search((number) => number <= count).found).toBe(count + 1)
    expect(search((number) => number > 1 && number <= count, { first: 2 }).found).toBe(Math.max(2, count + 1))
  }
})

it('finds a free number behind a taken one among any others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 256, max: 100_000 }), fc.integer(), (count, seed) => {
      const isTaken = (number: number) => number < 256 || (number <= count && Math.sin(number * seed) < 0.9)
      const { found } = search(isTaken)
      expect(isTaken(found)).toBe(false)
      expect(isTaken(found - 1)).toBe(true)
    }),
  )
})

it('takes at most three rounds more than for a new name, and no more look-ups, however many have the name', () => {
  const costs = [300, 10_000, 100_000, 10_000_000].map((count) => search((number) => number <= count))
  expect(costs.map(({ rounds }) => rounds)).toEqual([3, 3, 4, 4])
  for (const { looked } of costs) expect(looked).toBeLessThan(3000)
})

it('keeps the number that a record has, unless a lower one is free', () => {
  expect(search((number) => number <= 20_000 && number !== 12, { own: 10_001 })).toMatchObject({ found: 12, rounds: 1 })
  expect(search((number) => number <= 20_000, { own: 10_001 })).toMatchObject({ found: 10_001, rounds: 1 })
  expect(search((number) => number <= 20_000, { own: 3 })).toEqual({ found: 3, rounds: 1, looked: 2 })
})

it('numbers names as slugs and in other ways', async () => {
  const takenOf = (taken: readonly string[]) => (candidates: readonly string[]) =>
    candidates.filter((candidate) => taken.includes(candidate))
  expect(await freeSlug('pier', takenOf([]))).toBe('pier')
  expect(await freeSlug('pier', takenOf(['pier', 'pier-2', 'pier-4']))).toBe('pier-3')
  expect(await freeSlug('pier', takenOf([]), 2)).toBe('pier-2')
  const named = (number: number) => `Pier (${number})`
  expect(await freeName(named, takenOf(['Pier (1)']))).toBe('Pier (2)')
})
